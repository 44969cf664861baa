/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef KIND_TRAFFIC_H
#define KIND_TRAFFIC_H

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What one kind of group needs of the circuits of a fabric.
 */
struct KindTraffic
{
    uint64_t bytes{0};  //!< Bytes of the pair of GPUs, or of ports of servers, that has most
    uint32_t degree{0}; //!< Most peers of one

    /**
     * @param plan a plan; its weights of circuits do not count
     * @param fabric its fabric
     * @return the demand of each kind of group by itself
     */
    static std::vector<KindTraffic> GetAll(TrainingPlan plan, const FabricLimits& fabric);
};

} // namespace lightpath
} // namespace ns3

#endif /* KIND_TRAFFIC_H */
