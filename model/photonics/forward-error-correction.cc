/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "forward-error-correction.h"

#include <cmath>
#include <gsl/gsl_cdf.h>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

ForwardErrorCorrection
ForwardErrorCorrection::Create(const std::string& name)
{
    ForwardErrorCorrection code;
    code.m_name = name;
    if (name == "none")
    {
        return code;
    }
    if (name != "kr4" && name != "kp4")
    {
        throw std::invalid_argument("There is no forward error correction '" + name +
                                    "': there are none, kr4 and kp4");
    }
    code.m_symbols = name == "kr4" ? 528 : 544;
    code.m_data = 514;
    code.m_bits = 10;
    return code;
}

std::string
ForwardErrorCorrection::GetName() const
{
    return m_name;
}

double
ForwardErrorCorrection::GetCodewordErrorRate(double bitErrorRate) const
{
    if (m_symbols == 0)
    {
        return 0;
    }
    // A symbol is wrong if any of its bits is; log1p and expm1 keep the digits of small rates
    const double symbol = -std::expm1(m_bits * std::log1p(-bitErrorRate));
    return gsl_cdf_binomial_Q((m_symbols - m_data) / 2, symbol, m_symbols);
}

double
ForwardErrorCorrection::GetFrameErrorRate(double bitErrorRate, uint64_t bytes) const
{
    const double bits = 8.0 * static_cast<double>(bytes);
    if (m_symbols == 0)
    {
        return -std::expm1(bits * std::log1p(-bitErrorRate));
    }
    const double codewords = std::ceil(bits / (m_bits * m_data)) + 1;
    return -std::expm1(codewords * std::log1p(-GetCodewordErrorRate(bitErrorRate)));
}

double
ForwardErrorCorrection::GetBitErrorLimit(double codewordErrorRate) const
{
    if (m_symbols == 0)
    {
        return codewordErrorRate;
    }
    // The codeword error rate grows with that of bits
    double low = -40;
    double high = std::log10(0.5);
    while (high - low > 1e-12)
    {
        const double middle = (low + high) / 2;
        (GetCodewordErrorRate(std::pow(10, middle)) > codewordErrorRate ? high : low) = middle;
    }
    return std::pow(10, low);
}

Time
ForwardErrorCorrection::GetLatency(double bitRate, uint32_t codewords) const
{
    if (m_symbols == 0)
    {
        return Time();
    }
    constexpr double decoding = 37e-9;
    return Seconds(codewords * m_symbols * m_bits / bitRate + decoding);
}

double
ForwardErrorCorrection::GetOverhead() const
{
    return m_symbols == 0 ? 1 : static_cast<double>(m_symbols) / m_data;
}

} // namespace lightpath
} // namespace ns3
