/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AVERAGED_TENSOR_H
#define AVERAGED_TENSOR_H

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The tensor of one server, which is averaged as words.
 *
 * Consecutive words share a scale. The servers agree on it before they send: the largest scale that
 * any of them needs.
 */
class AveragedTensor
{
  public:
    virtual ~AveragedTensor() = default;

    /**
     * @return the number of words
     */
    virtual uint64_t GetNWords() const = 0;

    /**
     * @return how many consecutive words share a scale; 0 for words without scales
     */
    virtual uint32_t GetBlockSize() const = 0;

    /**
     * @param first a word, the first of a block
     * @param count the number of words
     * @param [out] scales the least scale that each block needs
     */
    virtual void GetScales(uint64_t first, std::size_t count, uint8_t* scales) const = 0;

    /**
     * @param first a word, the first of a block
     * @param count the number of words
     * @param scales their scales, one a block
     * @param [out] words the words
     */
    virtual void GetWords(uint64_t first,
                          std::size_t count,
                          const uint8_t* scales,
                          uint16_t* words) = 0;

    /**
     * Take the average of all servers.
     *
     * @param first a word, the first of a block
     * @param count the number of words
     * @param scales their scales, one a block
     * @param words the averaged words
     */
    virtual void SetAverage(uint64_t first,
                            std::size_t count,
                            const uint8_t* scales,
                            const uint16_t* words) = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* AVERAGED_TENSOR_H */
