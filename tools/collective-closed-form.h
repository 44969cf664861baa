/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COLLECTIVE_CLOSED_FORM_H
#define LIGHTPATH_COLLECTIVE_CLOSED_FORM_H

#include "ns3/fabric-channel.h"
#include "ns3/interconnect-helper.h"
#include "ns3/planning-problem.h"

#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CollectiveSchedule;

} // namespace lightpath
} // namespace ns3

/**
 * @ingroup lightpath
 * @brief The closed form of the time of a collective operation on a fabric.
 */
class CollectiveClosedForm
{
  public:
    /**
     * The closed form at the rate of the slowest lightpath, inside servers and between them, or of
     * the links of an electrical switch; message by message where lightpaths of a single level
     * differ in rate.
     *
     * @param schedule the schedule of the operation
     * @param fabrics the fabric, or the fabrics between servers
     * @param limits the rates and delays of servers, and of a fabric without lightpaths
     * @return the time in seconds; nothing where messages may pass other ports on their way, which
     * share their lightpaths
     */
    static std::optional<double> GetSeconds(
        const ns3::lightpath::CollectiveSchedule& schedule,
        const std::vector<ns3::Ptr<const ns3::lightpath::FabricChannel>>& fabrics,
        const ns3::lightpath::FabricLimits& limits);

    /**
     * @return the bytes that are sent with each message besides its own
     */
    static uint32_t GetHeaderBytes();
};

#endif /* LIGHTPATH_COLLECTIVE_CLOSED_FORM_H */
