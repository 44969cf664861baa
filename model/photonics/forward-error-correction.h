/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORWARD_ERROR_CORRECTION_H
#define FORWARD_ERROR_CORRECTION_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A Reed-Solomon code, which corrects the errors of a number of symbols in each codeword; or
 * none.
 */
class ForwardErrorCorrection
{
  public:
    /**
     * @param name "none", "kr4" for RS(528,514) or "kp4" for RS(544,514), both of IEEE 802.3 with
     *        symbols of 10 bits; throws std::invalid_argument for anything else
     * @return the code
     */
    static ForwardErrorCorrection Create(const std::string& name);

    /**
     * @return its name
     */
    std::string GetName() const;

    /**
     * @param bitErrorRate the error rate of bits in front of the decoder; errors are independent
     * @return the probability that a codeword has more errors than the code corrects; without a
     *         code, 0 for no bit
     */
    double GetCodewordErrorRate(double bitErrorRate) const;

    /**
     * A frame begins anywhere in a codeword, so that it lies in one more than it fills.
     *
     * @param bitErrorRate the error rate of bits in front of the decoder
     * @param bytes the size of the frame
     * @return the probability that the frame has an error behind the decoder
     */
    double GetFrameErrorRate(double bitErrorRate, uint64_t bytes) const;

    /**
     * @param codewordErrorRate a codeword error rate
     * @return the largest bit error rate with which the code keeps it; without a code, that rate
     */
    double GetBitErrorLimit(double codewordErrorRate) const;

    /**
     * A decoder takes in the codewords that the lanes of a port interleave, and works for 37 ns
     * (3 + 3 + 31 ns, IEEE 802.3dj).
     *
     * @param bitRate the rate of the line, bit/s
     * @param codewords the number of codewords that are interleaved
     * @return the time from the first bit at the decoder to the first bit behind it
     */
    Time GetLatency(double bitRate, uint32_t codewords = 1) const;

    /**
     * @return the bits on the line for each bit of data
     */
    double GetOverhead() const;

  private:
    std::string m_name;    //!< Name
    uint32_t m_symbols{0}; //!< Symbols of a codeword; 0 without a code
    uint32_t m_data{0};    //!< Symbols of data in it
    uint32_t m_bits{0};    //!< Bits of a symbol
};

} // namespace lightpath
} // namespace ns3

#endif /* FORWARD_ERROR_CORRECTION_H */
