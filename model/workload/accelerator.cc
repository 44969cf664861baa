/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "accelerator.h"

#include "accelerator-file.h"
#include "operator-fields.h"
#include "operator-profile.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param op an operator
 * @return true if it runs on the matrix units
 */
bool
IsMatrixProduct(const Operator& op)
{
    return op.kind == OperatorKind::MATMUL || op.kind == OperatorKind::CONVOLUTION ||
           op.kind == OperatorKind::ATTENTION;
}

} // namespace

std::vector<std::string>
Accelerator::GetNames()
{
    return AcceleratorFile::GetPresets();
}

Accelerator
Accelerator::Create(const std::string& name)
{
    return AcceleratorFile(name).GetAccelerator();
}

double
Accelerator::GetPeak(Precision precision) const
{
    switch (precision)
    {
    case Precision::HALF:
        return matrixFlops;
    case Precision::SINGLE:
        return singleMatrixFlops;
    case Precision::FP32:
        return fp32MatrixFlops;
    case Precision::FP8:
        return fp8MatrixFlops;
    case Precision::NVFP4:
        break;
    }
    return nvfp4MatrixFlops;
}

double
Accelerator::GetSeconds(const Operator& op, double samples, double share) const
{
    if (!(samples >= 0))
    {
        throw std::invalid_argument("Operator " + op.name + " cannot work on " +
                                    std::to_string(samples) + " samples: 0 or more are possible");
    }
    if (!(share > 0 && share <= 1))
    {
        throw std::invalid_argument("A GPU cannot take a share of " + std::to_string(share) +
                                    " of operator " + op.name +
                                    ": it must be above 0 and at most 1");
    }
    if (const auto measured = profile ? profile->GetSeconds(op.name, samples) : std::nullopt)
    {
        return *measured * share;
    }
    if (linearShares && share < 1)
    {
        return GetSeconds(op, samples) * share;
    }
    const double flops = op.flops * samples * share;
    const double bytes =
        ((static_cast<double>(op.readBytes) + op.writtenBytes) * samples + op.parameterBytes) *
        share;
    double seconds = GetKernelSeconds(op, flops, bytes, share);
    seconds += seconds > 0 ? launchSeconds : 0;
    if (const double moved = op.movedBytes * samples * share; moved > 0)
    {
        seconds += moved / (memoryBandwidth * memoryEfficiency) + memoryRamp + launchSeconds;
    }
    return seconds;
}

double
Accelerator::GetKernelSeconds(const Operator& op, double flops, double bytes, double share) const
{
    // Copies of rows, unlike lookups in a table, have no parameters
    const bool isGather =
        op.kind == OperatorKind::EMBEDDING && op.parameters == 0 && gatherEfficiency > 0;
    const double rate = memoryBandwidth * (isGather ? gatherEfficiency : memoryEfficiency);
    if (op.experts > 0 && op.kind == OperatorKind::MATMUL && flops > 0)
    {
        return flops / GetBestRate(op) + bytes / rate +
               std::max(op.experts * share, 1.) * expertRamp;
    }
    // A roofline: computation and memory traffic overlap, and the slower of the two counts. Each
    // has a ramp, the time that small operators lose at its beginning and end.
    double seconds = 0;
    if (flops > 0)
    {
        const double arithmetic = flops / GetBestRate(op);
        const double ramp = GetRamp(op);
        seconds = arithmetic + (boundedRamp ? std::min(ramp, arithmetic) : ramp);
    }
    if (bytes > 0)
    {
        seconds = std::max(seconds, bytes / rate + memoryRamp);
    }
    return seconds;
}

double
Accelerator::GetRamp(const Operator& op) const
{
    if (op.kind == OperatorKind::CONVOLUTION)
    {
        return convolutionRamp;
    }
    return IsMatrixProduct(op) ? productRamp : memoryRamp;
}

double
Accelerator::GetBestRate(const Operator& op) const
{
    if (!IsMatrixProduct(op))
    {
        return vectorFlops * vectorEfficiency;
    }
    const double peak = GetPeak(op.precision);
    if (peak <= 0)
    {
        const auto& words = OperatorFields::GetPrecisions();
        throw std::invalid_argument("Operator " + op.name + " has the precision " +
                                    words[static_cast<std::size_t>(op.precision)] +
                                    ", in which accelerator " + name +
                                    " has no matrix products: the model needs another precision");
    }
    const ArithmeticEfficiency& efficiency = op.precision == Precision::HALF    ? halfEfficiency
                                             : op.precision == Precision::FP8   ? fp8Efficiency
                                             : op.precision == Precision::NVFP4 ? nvfp4Efficiency
                                                                                : singleEfficiency;
    const double best = op.kind == OperatorKind::MATMUL        ? efficiency.matmul
                        : op.kind == OperatorKind::CONVOLUTION ? efficiency.convolution
                                                               : efficiency.attention;
    return peak * best;
}

} // namespace lightpath
} // namespace ns3
