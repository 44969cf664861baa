/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAIR_SHARE_H
#define FAIR_SHARE_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A number of lanes per number of bytes: the t of the max-min objective, as an exact
 * fraction.
 */
struct FairShare
{
    uint64_t lanes{0}; //!< Number of lanes
    uint64_t bytes{1}; //!< The bytes that they are for, at least 1

    /**
     * @param demand the bytes of a pair
     * @return the smallest number of lanes that gives the pair at least this share
     */
    uint64_t GetNeed(uint64_t demand) const;

    /**
     * @param most the bytes of the largest demand
     * @return the share as a fairness: the lanes for the largest demand
     */
    double GetFairness(uint64_t most) const
    {
        return static_cast<double>(lanes) * static_cast<double>(most) / static_cast<double>(bytes);
    }

    /**
     * @param other the share compared with
     * @return true if this one gives fewer lanes for a byte
     */
    bool operator<(const FairShare& other) const
    {
        return static_cast<Wide>(lanes) * other.bytes < static_cast<Wide>(other.lanes) * bytes;
    }

  private:
    /// Holds the product of two 64-bit numbers.
    __extension__ typedef unsigned __int128 Wide;
};

/**
 * @ingroup lightpath
 * @brief Looks for the largest share that all demanded pairs can have.
 *
 * As lanes are whole, only the shares of k lanes to the bytes of one of the pairs can be the
 * smallest share of an allocation.
 */
class FairShareSearch
{
  public:
    /// Tells whether every pair can have a share.
    using Judge = std::function<bool(const FairShare&)>;

    /**
     * @param demands the bytes of the demanded pairs, each at least 1, in any order
     */
    explicit FairShareSearch(std::vector<uint64_t> demands);

    /**
     * Bisect among the shares, first those of the largest demand and then those between the two
     * of them that enclose the answer.
     *
     * @param limit the largest share of interest
     * @param judge tells whether a share can be given; if it errs, some share that it has approved
     *              is found, and not always the largest
     * @param scan how many shares above the first one refused are tried all the same
     * @return the largest share found; none if even one lane for each pair cannot be given
     */
    std::optional<FairShare> FindLargest(const FairShare& limit,
                                         const Judge& judge,
                                         uint32_t scan) const;

  private:
    /**
     * @param low a share of the largest demand that can be given
     * @param limit the largest share of interest
     * @param judge tells whether a share can be given
     * @param scan how many shares above the first one refused are tried all the same
     * @return the largest share found from \p low on and below the next share of the largest demand
     */
    FairShare FindAbove(const FairShare& low,
                        const FairShare& limit,
                        const Judge& judge,
                        uint32_t scan) const;

    /**
     * @param low a share of the largest demand
     * @param limit the largest share of interest
     * @return the shares above \p low and below the next share of the largest demand, ascending
     */
    std::vector<FairShare> GetBetween(const FairShare& low, const FairShare& limit) const;

    std::vector<uint64_t> m_demands; //!< The different demands, descending
};

} // namespace lightpath
} // namespace ns3

#endif /* FAIR_SHARE_H */
