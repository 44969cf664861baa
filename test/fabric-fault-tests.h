/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FABRIC_FAULT_TESTS_H
#define LIGHTPATH_FABRIC_FAULT_TESTS_H

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/optical-channel.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @param source the source of a lightpath
 * @param destination its destination
 * @param lanes its lanes
 * @param duplex true for a lightpath back on the same lanes
 * @return the plan of this lightpath
 */
inline ns3::lightpath::CircuitPlan
MakePlan(uint32_t source,
         uint32_t destination,
         const std::vector<ns3::lightpath::Lane>& lanes,
         bool duplex = false)
{
    ns3::lightpath::CircuitPlan plan;
    for (const auto& lane : lanes)
    {
        plan.AddLane(source, destination, lane);
        if (duplex)
        {
            plan.AddLane(destination, source, lane);
        }
    }
    return plan;
}

/**
 * @ingroup lightpath-tests
 * @param fabric the fabric, of one byte in a nanosecond on a lane
 */
inline void
SetTimes(ns3::Ptr<ns3::lightpath::OpticalChannel> fabric)
{
    fabric->SetAttribute("LaneRate", ns3::StringValue("8Gbps"));
    fabric->SetAttribute("InitialSwitching", ns3::BooleanValue(false));
    fabric->SetAttribute("SwitchingDelay", ns3::TimeValue(ns3::MicroSeconds(3)));
}

#endif /* LIGHTPATH_FABRIC_FAULT_TESTS_H */
