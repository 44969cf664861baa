/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_BUNDLES_H
#define PAIR_BUNDLES_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Tells which kinds of communication of a class of ranks share circuits.
 *
 * Kinds share the circuits of a class if they have the same pairs of ports, or one has some of the
 * pairs of the other. Where each has pairs of its own, besides those in common, each has the part
 * of the circuits that its bytes have added to the demand.
 */
class PairBundles
{
  public:
    /// Pairs of ports: the one that sends, and the one that receives.
    using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

    /**
     * @param pairs the pairs of ports of a kind of communication
     * @return the number of the bundle of circuits that carries them
     */
    uint32_t Find(Pairs pairs)
    {
        std::sort(pairs.begin(), pairs.end());
        const auto includes = [](const auto& all, const auto& some) {
            return std::includes(all.begin(), all.end(), some.begin(), some.end());
        };
        const auto found = std::find_if(m_bundles.begin(), m_bundles.end(), [&](const auto& other) {
            return includes(other, pairs) || includes(pairs, other);
        });
        const auto index = static_cast<uint32_t>(found - m_bundles.begin());
        if (found == m_bundles.end())
        {
            m_bundles.push_back(std::move(pairs));
        }
        else if (pairs.size() > found->size())
        {
            *found = std::move(pairs);
        }
        return index;
    }

  private:
    std::vector<Pairs> m_bundles; //!< The pairs of each bundle, ascending
};

} // namespace lightpath
} // namespace ns3

#endif /* PAIR_BUNDLES_H */
