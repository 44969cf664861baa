/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLACEMENT_FIXTURE_H
#define LIGHTPATH_PLACEMENT_FIXTURE_H

#include "stage-tests.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-description.h"
#include "ns3/planning-problem.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @ingroup lightpath-tests
 * @brief Makes planning problems on a ring, for the test cases of placements.
 */
class PlacementFixture : public ns3::TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * @param gpus the number of GPUs
     * @param batch the global batch
     * @param shape heads and size of the model
     * @return a problem on a ring
     */
    static ns3::lightpath::PlanningProblem MakeProblem(
        uint32_t gpus,
        uint64_t batch,
        const std::string& shape = "heads=8,hidden=256")
    {
        ns3::lightpath::PlanningProblem problem = MakeStageProblem(
            "gpt2-xl:layers=4,feedForward=1536,vocabulary=1536,gradients=half," + shape,
            gpus,
            batch);
        ns3::lightpath::SipRingHelper ring;
        ring.SetBandwidth(ns3::DataRate("250Gbps"));
        problem.fabric = ns3::lightpath::FabricDescription::Create(ring)->GetLimits(gpus);
        return problem;
    }
};

#endif /* LIGHTPATH_PLACEMENT_FIXTURE_H */
