/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "accelerator.h"

#include "operator-profile.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// 2^30 bytes.
constexpr uint64_t GIB = uint64_t(1) << 30;

/**
 * Set the figures that all presets have in common, and the links to the seven other GPUs of the
 * server.
 *
 * Efficiencies and the time to launch an operator are fitted to published throughputs, as the
 * manual describes. Latencies are those that NCCL's tuning assumes for rings with the protocol
 * LL128: a hop over NVLink, a hop over a network, and the launch.
 *
 * @param [in,out] gpu the accelerator
 * @param byteRate the rate of a ring all-reduce over the links, bytes/s
 */
void
SetCommon(Accelerator& gpu, double byteRate)
{
    gpu.vectorEfficiency = 0.6;
    gpu.memoryEfficiency = 0.92;
    gpu.memoryRamp = 1e-6;
    gpu.launchSeconds = 10e-6;
    gpu.serverGpus = 8;
    gpu.serverBitRate = 8 * byteRate;
    gpu.serverLatency = 1.9e-6;
    gpu.networkLatency = 4e-6;
    gpu.collectiveLatency = 14e-6;
}

/**
 * NVIDIA A100 (SXM). Peaks are those of the data sheet, for dense matrices (single precision:
 * TF32).
 *
 * @param name its name
 * @param bandwidth peak of the memory, bytes/s
 * @param gib size of the memory, 2^30 bytes
 * @return the accelerator
 */
Accelerator
MakeA100(const std::string& name, double bandwidth, uint64_t gib)
{
    Accelerator gpu;
    gpu.name = name;
    gpu.matrixFlops = 312e12;
    gpu.singleMatrixFlops = 156e12;
    gpu.vectorFlops = 19.5e12;
    gpu.memoryBandwidth = bandwidth;
    gpu.memoryBytes = gib * GIB;
    gpu.halfEfficiency = {0.667, 0.372, 0.710};
    gpu.singleEfficiency = {0.691, 0.217, 0.710};
    gpu.productRamp = 50e-6;
    gpu.convolutionRamp = 8e-6;
    SetCommon(gpu, 230.8e9);
    return gpu;
}

/**
 * NVIDIA V100 (SXM2). Peaks are those of the data sheet.
 *
 * @param name its name
 * @param gib size of the memory, 2^30 bytes
 * @return the accelerator
 */
Accelerator
MakeV100(const std::string& name, uint64_t gib)
{
    Accelerator gpu;
    gpu.name = name;
    gpu.matrixFlops = 125e12;
    gpu.singleMatrixFlops = 15.7e12;
    gpu.vectorFlops = 15.7e12;
    gpu.memoryBandwidth = 900e9;
    gpu.memoryBytes = gib * GIB;
    gpu.halfEfficiency = {0.676, 0.474, 0.674};
    gpu.singleEfficiency = {0.765, 0.798, 0.674};
    gpu.productRamp = 100e-6;
    gpu.convolutionRamp = 15e-6;
    SetCommon(gpu, 115.4e9);
    return gpu;
}

/**
 * NVIDIA H100 (SXM5). Peaks are those of the data sheet, for dense matrices (single precision:
 * TF32).
 *
 * @return the accelerator
 */
Accelerator
MakeH100()
{
    Accelerator gpu;
    gpu.name = "H100";
    gpu.matrixFlops = 989.4e12;
    gpu.singleMatrixFlops = 494.7e12;
    gpu.vectorFlops = 66.9e12;
    gpu.memoryBandwidth = 3350e9;
    gpu.memoryBytes = 80 * GIB;
    gpu.halfEfficiency = {0.6, 0.372, 0.4};
    gpu.singleEfficiency = {0.6, 0.217, 0.4};
    gpu.productRamp = 16e-6;
    gpu.convolutionRamp = 4e-6;
    SetCommon(gpu, 370e9);
    return gpu;
}

/**
 * @return the presets in ascending order of their names
 */
const std::vector<Accelerator>&
GetPresets()
{
    static const std::vector<Accelerator> presets = {MakeA100("A100", 2039e9, 80),
                                                     MakeA100("A100-40", 1555e9, 40),
                                                     MakeH100(),
                                                     MakeV100("V100", 32),
                                                     MakeV100("V100-16", 16)};
    return presets;
}

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
    std::vector<std::string> names;
    for (const auto& preset : GetPresets())
    {
        names.push_back(preset.name);
    }
    return names;
}

Accelerator
Accelerator::Create(const std::string& name)
{
    std::string known;
    for (const auto& preset : GetPresets())
    {
        if (preset.name == name)
        {
            return preset;
        }
        known += (known.empty() ? "" : ", ") + preset.name;
    }
    throw std::invalid_argument("There is no accelerator \"" + name + "\"; known are " + known);
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
    // A roofline: computation and memory traffic overlap, and the slower of the two counts. Each
    // has a ramp, the time that small operators lose at its beginning and end.
    const double flops = op.flops * samples * share;
    const double bytes =
        ((static_cast<double>(op.readBytes) + op.writtenBytes) * samples + op.parameterBytes) *
        share;
    double seconds = 0;
    if (flops > 0)
    {
        seconds = flops / GetBestRate(op) + GetRamp(op);
    }
    if (bytes > 0)
    {
        seconds = std::max(seconds, bytes / (memoryBandwidth * memoryEfficiency) + memoryRamp);
    }
    return seconds > 0 ? seconds + launchSeconds : 0;
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
    const bool half = op.precision == Precision::HALF;
    const ArithmeticEfficiency& efficiency = half ? halfEfficiency : singleEfficiency;
    const double best = op.kind == OperatorKind::MATMUL        ? efficiency.matmul
                        : op.kind == OperatorKind::CONVOLUTION ? efficiency.convolution
                                                               : efficiency.attention;
    return (half ? matrixFlops : singleMatrixFlops) * best;
}

} // namespace lightpath
} // namespace ns3
