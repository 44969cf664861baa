/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BLOCK_QUANTISER_H
#define BLOCK_QUANTISER_H

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Turns numbers into words of few bits, with a scale for each block of them.
 *
 * A word of B bits is in offset binary: 2^(B-1) stands for zero. The scale s of a block takes 8
 * bits: its numbers are between -m and m, where m = 2^((s - 192) / 4), and become multiples of the
 * step m / (2^(B-1) - 1); a scale of 0 is for a block of zeros. So scales reach from 2^-47.75 to
 * 2^15.75; what is larger is cut off there.
 */
class BlockQuantiser : public Object
{
  public:
    /// How a number becomes a word.
    enum Rounding
    {
        NEAREST,   //!< To the nearest word
        STOCHASTIC //!< To the word below or above, so that the mean is the number
    };

    /// Bits of a scale.
    static constexpr uint32_t SCALE_BITS = 8;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    BlockQuantiser();

    /**
     * @return the bits of a word
     */
    uint32_t GetBits() const;

    /**
     * @return the numbers that share a scale
     */
    uint32_t GetBlockSize() const;

    /**
     * @return the bits that a number takes, with its part of the scale
     */
    double GetBitsOfNumber() const;

    /**
     * @param count a number of numbers
     * @return the bytes of their words and scales
     */
    uint64_t GetBytes(uint64_t count) const;

    /**
     * @param values numbers, of which the first begins a block; one that is not finite is refused
     * by std::invalid_argument
     * @param count how many
     * @param [out] scales the least scales that hold them, one a block
     */
    void GetScales(const float* values, std::size_t count, uint8_t* scales) const;

    /**
     * @param values numbers, of which the first begins a block
     * @param count how many
     * @param scales their scales, one a block
     * @param [out] words their words
     */
    void Quantise(const float* values,
                  std::size_t count,
                  const uint8_t* scales,
                  uint16_t* words) const;

    /**
     * @param words words, of which the first begins a block
     * @param count how many
     * @param scales their scales, one a block
     * @param [out] values the numbers that they stand for
     */
    void Dequantise(const uint16_t* words,
                    std::size_t count,
                    const uint8_t* scales,
                    float* values) const;

    /**
     * @param scale a scale
     * @return the step between two words
     */
    double GetStep(uint8_t scale) const;

    /**
     * Fix the random numbers of stochastic rounding.
     *
     * @param stream the number of the stream
     * @return the number of streams that were assigned
     */
    int64_t AssignStreams(int64_t stream);

  private:
    uint32_t m_bits;                      //!< Bits of a word
    uint32_t m_blockSize;                 //!< Numbers that share a scale
    Rounding m_rounding;                  //!< How a number becomes a word
    Ptr<UniformRandomVariable> m_uniform; //!< Source of stochastic rounding
};

} // namespace lightpath
} // namespace ns3

#endif /* BLOCK_QUANTISER_H */
