/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "birkhoff-scheduler.h"

#include "matching-slicer.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(BirkhoffScheduler);

TypeId
BirkhoffScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::BirkhoffScheduler")
                            .SetParent<MatchingScheduler>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<BirkhoffScheduler>();
    return tid;
}

std::vector<TimedMatching>
BirkhoffScheduler::FindMatchings(const ServiceTimeMatrix& times) const
{
    MatchingSlicer slicer(times);
    slicer.SetThreshold(1);
    std::vector<TimedMatching> matchings;
    while (auto slice = slicer.Slice())
    {
        matchings.push_back(std::move(*slice));
    }
    return matchings;
}

} // namespace lightpath
} // namespace ns3
