/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CARD_AVERAGES_H
#define CARD_AVERAGES_H

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Numbers of the averages that GPUs which share cards have made, the same at all ports.
 *
 * The GPUs of a card give their averages the same tags, which must differ on the fabric.
 */
class CardAverages
{
  public:
    /**
     * @param rail the fabric
     * @param tag the tag that the GPU gives the average
     * @param gpu which of the GPUs of each card
     * @param ports the ports of the fabric
     * @return the number of the average
     */
    uint64_t GetNumber(uint32_t rail, uint64_t tag, uint32_t gpu, uint32_t ports)
    {
        const Average average{rail, tag, gpu};
        const auto [entry, isNew] = m_numbers.try_emplace(average, m_next);
        if (isNew)
        {
            m_averages[m_next++] = {average, ports};
        }
        return entry->second;
    }

    /**
     * Note that a port gets an average.
     *
     * @param number its number
     * @return its tag, and which of the GPUs of each card it is for
     */
    std::pair<uint64_t, uint32_t> Take(uint64_t number)
    {
        const auto entry = m_averages.find(number);
        const Average average = entry->second.first;
        if (--entry->second.second == 0)
        {
            m_numbers.erase(average);
            m_averages.erase(entry);
        }
        return {std::get<1>(average), std::get<2>(average)};
    }

  private:
    /// The fabric, the tag, and which of the GPUs of each card.
    using Average = std::tuple<uint32_t, uint64_t, uint32_t>;

    std::map<Average, uint64_t> m_numbers; //!< The numbers
    /// The averages by number, and the ports that have not got them yet
    std::map<uint64_t, std::pair<Average, uint32_t>> m_averages;
    uint64_t m_next{0}; //!< The next number
};

} // namespace lightpath
} // namespace ns3

#endif /* CARD_AVERAGES_H */
