/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "checkpoint-model.h"

#include <cmath>

namespace ns3
{
namespace lightpath
{

double
CheckpointModel::GetYoungInterval() const
{
    return std::sqrt(2 * write * betweenFailures);
}

double
CheckpointModel::GetDalyInterval() const
{
    const double share = write / (2 * betweenFailures);
    // Beyond, the series has no meaning: to write takes longer than failures are apart
    return share >= 1 ? betweenFailures
                      : GetYoungInterval() * (1 + std::sqrt(share) / 3 + share / 9) - write;
}

double
CheckpointModel::GetEfficiency(double interval) const
{
    return interval / (betweenFailures * std::exp(restart / betweenFailures) *
                       std::expm1((interval + write) / betweenFailures));
}

} // namespace lightpath
} // namespace ns3
