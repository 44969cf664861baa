/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAIN_CUTTER_H
#define CHAIN_CUTTER_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Cuts a chain of layers into parts of successive layers at the least price.
 *
 * The result is exact: dynamic programming from the last part to the first, in O(p L^2) for p parts
 * and L layers.
 */
class ChainCutter
{
  public:
    /// Price of parts that are not allowed.
    static constexpr double NEVER = std::numeric_limits<double>::infinity();

    /// Where to cut.
    struct Result
    {
        double price{NEVER};        //!< Price of all parts; NEVER if no cuts are allowed
        std::vector<uint32_t> cuts; //!< First layer of every part after the first
    };

    /**
     * @tparam Price a function of the first layer of a part, the layer behind it, the number of
     *         parts from it on, and the price of the later parts; it returns the price of this part
     *         and the later ones, which must not be below the price of the later ones alone
     * @param layers the number of layers
     * @param parts the number of parts
     * @param price the price function
     * @return the cuts with the least price
     */
    template <typename Price>
    static Result Cut(uint32_t layers, uint32_t parts, const Price& price)
    {
        // Least price of the layers from each one on, and the end of their first part, by number
        // of parts
        std::vector<std::vector<double>> best(parts + 1, std::vector<double>(layers + 1, NEVER));
        std::vector<std::vector<uint32_t>> ends(parts + 1, std::vector<uint32_t>(layers + 1, 0));
        best[0][layers] = 0;
        for (uint32_t left = 1; left <= parts; ++left)
        {
            for (uint32_t first = 0; first < layers; ++first)
            {
                // Of equal prices, the first end wins
                for (uint32_t end = first + 1; end <= layers; ++end)
                {
                    const double rest = best[left - 1][end];
                    if (!(rest < best[left][first]))
                    {
                        continue;
                    }
                    const double all = price(first, end, rest);
                    if (all < best[left][first])
                    {
                        best[left][first] = all;
                        ends[left][first] = end;
                    }
                }
            }
        }
        Result result;
        result.price = best[parts][0];
        uint32_t first = 0;
        for (uint32_t left = parts; left > 1 && result.price < NEVER; --left)
        {
            first = ends[left][first];
            result.cuts.push_back(first);
        }
        return result;
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* CHAIN_CUTTER_H */
