/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIGIT_SUMS_H
#define DIGIT_SUMS_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What is left of the words of all servers when their digits are added, digit by digit.
 *
 * Light of several servers, merged in a coupler, has the mean of their amplitudes: a network that
 * averages words sees the sums of their base-4 digits only. There are (3 N + 1)^M combinations of
 * sums for M digits of N servers, and each has an index, in which the sum of the least significant
 * digit counts least.
 */
class DigitSums
{
  public:
    /**
     * @param servers the number of servers
     * @param digits the base-4 digits of a word
     */
    DigitSums(uint32_t servers, uint32_t digits);

    /**
     * @return the number of combinations; 2^64 - 1 stands for any number above
     */
    uint64_t GetCount() const;

    /**
     * @param index the index of a combination
     * @return the sums of it, the least significant first
     */
    std::vector<uint32_t> GetSums(uint64_t index) const;

    /**
     * @param sums the sums of digits, the least significant first
     * @return the sum of the words
     */
    static uint64_t GetWordSum(const std::vector<uint32_t>& sums);

    /**
     * @brief Find words that have given sums.
     *
     * @param sums the sums of digits, the least significant first
     * @return a word for each server
     */
    std::vector<uint16_t> MakeWords(const std::vector<uint32_t>& sums) const;

  private:
    uint32_t m_servers; //!< The number of servers
    uint32_t m_digits;  //!< The base-4 digits of a word
};

} // namespace lightpath
} // namespace ns3

#endif /* DIGIT_SUMS_H */
