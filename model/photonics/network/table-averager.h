/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TABLE_AVERAGER_H
#define TABLE_AVERAGER_H

#include "ns3/word-averager.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Averages words by a table of another averager, which is asked once for each combination of
 * the sums of digits.
 *
 * A word costs an addition for each server and one access to a table, whatever the averager.
 * The table is built when it is first needed. The averager must see sums of digits only, as all
 * averagers of the module do, and must be deterministic. The table holds (3 N + 1)^M words for M
 * digits of N servers, at most 2^26.
 */
class TableAverager : public WordAverager
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Average(const std::vector<const uint16_t*>& words,
                 std::size_t count,
                 uint16_t* average) const override;

    uint32_t GetNServers() const override;

    uint32_t GetBits() const override;

    uint32_t GetNColumns() const override;

    uint32_t GetNActivations() const override;

    Time GetDelay() const override;

    /**
     * @param averager the averager to ask
     */
    void SetAverager(Ptr<WordAverager> averager);

    /**
     * @return the averager that is asked
     */
    Ptr<WordAverager> GetAverager() const;

    /// Ask the averager anew, after it changed.
    void Refresh();

  protected:
    void DoDispose() override;

  private:
    /**
     * Refuses, by std::invalid_argument, an averager that cannot be in a table.
     *
     * @brief Make the table, unless there is one.
     */
    void Build() const;

    /**
     * @brief Ask the averager for a part of the table.
     *
     * @param begin the index of the first word
     * @param size the number of words
     */
    void Fill(uint64_t begin, std::size_t size) const;

    Ptr<WordAverager> m_averager;            //!< The averager to ask
    mutable std::vector<uint32_t> m_indices; //!< Contribution of each word to an index of the table
    mutable std::vector<uint8_t> m_bytes;    //!< The table, for words of up to 8 bits
    mutable std::vector<uint16_t> m_averages; //!< The table, for longer words
};

} // namespace lightpath
} // namespace ns3

#endif /* TABLE_AVERAGER_H */
