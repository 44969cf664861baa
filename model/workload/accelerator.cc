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
 * @return the presets in ascending order of their names
 *
 * The columns are those of the class: name, peaks of matrix products and of other arithmetic, peak
 * and size of the memory, launch time, best efficiencies and ramps of arithmetic and memory.
 *
 * Peaks and sizes are those of NVIDIA's data sheets, for dense matrices in half precision, other
 * arithmetic in single precision, and the memory of the SXM modules (V100: 32 GB, others: 80 GB).
 *
 * The two efficiencies of A100 and V100 minimise the squared logarithms of the errors of three
 * published throughputs of one GPU: ResNet-50 and BERT-large of 128 tokens from NVIDIA's
 * DeepLearningExamples, and GPT of 1.2 billion parameters from Megatron-LM. The H100 has those of
 * the A100, without a measurement. Ramps and launch time are not fitted: on an A100, operators of
 * 0.8 GFLOP or 1.3 MB reach half of the best efficiency. The launch time is that of a kernel queued
 * behind others, which hides what the host does before.
 */
const std::vector<Accelerator>&
GetPresets()
{
    static const std::vector<Accelerator> presets = {
        {"A100", 312e12, 19.5e12, 2039e9, 80 * GIB, 1, 0, 0, 0, 0, 2e-6, 0.62, 0.65, 4e-6, 1e-6},
        {"H100", 989.4e12, 66.9e12, 3350e9, 80 * GIB, 1, 0, 0, 0, 0, 2e-6, 0.62, 0.65, 4e-6, 1e-6},
        {"V100", 125e12, 15.7e12, 900e9, 32 * GIB, 1, 0, 0, 0, 0, 2e-6, 0.64, 0.72, 4e-6, 1e-6},
    };
    return presets;
}

/**
 * @param op an operator
 * @return true if it runs on the units for matrix products
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
    const double flops = op.flops * samples * share;
    const double bytes =
        ((static_cast<double>(op.readBytes) + op.writtenBytes) * samples + op.parameterBytes) *
        share;
    double seconds = 0;
    if (flops > 0)
    {
        const double peak = IsMatrixProduct(op) ? matrixFlops : vectorFlops;
        seconds = flops / (peak * arithmeticEfficiency) + arithmeticRamp;
    }
    if (bytes > 0)
    {
        seconds = std::max(seconds, bytes / (memoryBandwidth * memoryEfficiency) + memoryRamp);
    }
    return seconds > 0 ? seconds + launchSeconds : 0;
}

} // namespace lightpath
} // namespace ns3
