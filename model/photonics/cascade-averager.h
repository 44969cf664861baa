/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CASCADE_AVERAGER_H
#define CASCADE_AVERAGER_H

#include "word-averager.h"

#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Averages the words of servers in two levels: groups first, then the averages of the
 * groups.
 *
 * Servers in a row form groups of GroupSize; each group has an averager of the first level, and an
 * averager of the second level averages their results. A naive cascade rounds twice, so that a word
 * may be wrong by one unit. With Fraction, the first level does not round: the remainder of the sum
 * of n servers after the division by n goes to the second level in ceil(log4 n) further symbols, on
 * transceivers of their own. The result then equals the average of a single level.
 */
class CascadeAverager : public WordAverager
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
    bool IsDeterministic() const override;
    int64_t AssignStreams(int64_t stream) override;
    uint32_t GetNColumns() const override;
    uint32_t GetNActivations() const override;
    Time GetDelay() const override;

    /**
     * @return the additional symbols of a word between the levels
     */
    uint32_t GetNExtraDigits() const;

  private:
    /**
     * @return the number of groups; throws std::invalid_argument if their sizes differ or an
     *         averager does not fit
     */
    uint32_t GetNGroups() const;

    /**
     * Refuse, by std::invalid_argument, an averager that does not fit.
     *
     * @param averager the averager, or null
     * @param level the name of its level
     * @param inputs the number of its inputs
     */
    void CheckAverager(Ptr<const WordAverager> averager,
                       const std::string& level,
                       uint32_t inputs) const;

    /**
     * @param averager an averager; null for one that is exact and rounds half up
     * @param words the words of each of its inputs
     * @param count the number of words of each
     * @param [out] average where the averages go
     */
    static void AverageBy(Ptr<const WordAverager> averager,
                          const std::vector<const uint16_t*>& words,
                          std::size_t count,
                          uint16_t* average);

    uint32_t m_groupSize;       //!< Servers of a group
    bool m_fraction;            //!< The first level does not round
    Ptr<WordAverager> m_first;  //!< Averager of a group; null for exact
    Ptr<WordAverager> m_second; //!< Averager of the averages; null for exact
    Time m_linkDelay;           //!< Between the levels
};

} // namespace lightpath
} // namespace ns3

#endif /* CASCADE_AVERAGER_H */
