/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-directions.h"

namespace ns3
{
namespace lightpath
{

std::vector<Strategy>
RingDirections::GetBothWays(const FabricLimits& fabric, const Strategy& strategy)
{
    using A = CollectiveAlgorithm;
    const bool isOneWay = fabric.peerBitRate > 0 && fabric.peerBitRate < fabric.bitRate;
    if (isOneWay && fabric.HasServers())
    {
        // One kind of group alone has two rings across servers anyway (ServerCollectives)
        const bool isAlone = strategy.pipelineParallel == 1 && strategy.expertParallel == 1;
        Strategy other = strategy;
        other.acrossAlgorithm = A::MULTI_RING;
        const bool isFree = !isAlone && strategy.acrossAlgorithm == A::AUTOMATIC &&
                            strategy.dataAlgorithm == A::AUTOMATIC && fabric.degree != 1;
        return isFree ? std::vector<Strategy>{other} : std::vector<Strategy>();
    }
    const bool isDataAlone =
        strategy.GetGpus() == strategy.dataParallel && strategy.expertParallel == 1;
    const bool canData = strategy.GetShardMembers() > 2 && strategy.dataAlgorithm == A::AUTOMATIC;
    const bool canTensor = strategy.tensorParallel > 2 && strategy.tensorAlgorithm == A::AUTOMATIC;
    std::vector<Strategy> strategies;
    const auto add = [&](bool isData, bool isTensor) {
        const uint32_t peers = (isData ? 2 : 0) + (isTensor ? 2 : 0);
        if (!isOneWay || isDataAlone || (fabric.degree > 0 && peers > fabric.degree) ||
            (isData && !canData) || (isTensor && !canTensor))
        {
            return;
        }
        Strategy other = strategy;
        if (isData)
        {
            other.dataAlgorithm = A::MULTI_RING;
            other.dataRings = 2;
        }
        if (isTensor)
        {
            other.tensorAlgorithm = A::MULTI_RING;
            other.tensorRings = 2;
        }
        strategies.push_back(other);
    };
    add(true, false);
    add(false, true);
    add(true, true);
    return strategies;
}

} // namespace lightpath
} // namespace ns3
