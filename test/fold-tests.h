/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FOLD_TESTS_H
#define LIGHTPATH_FOLD_TESTS_H

#include "ns3/interconnect-helper.h"
#include "ns3/nstime.h"
#include "ns3/plan-folder.h"
#include "ns3/test.h"
#include "ns3/training-application.h"
#include "ns3/training-plan.h"

#include <memory>
#include <string>
#include <vector>

/// A number that all group sizes up to 6 divide, with room for splits.
constexpr uint64_t EVEN = 7200;

/// How each rank spent each iteration.
using Records = std::vector<std::vector<ns3::lightpath::IterationRecord>>;

/**
 * @ingroup lightpath-tests
 * Carry out a plan.
 *
 * @param plan the plan
 * @param fabric what carries its messages
 * @param iterations the number of iterations
 * @param launch the time to launch a collective operation
 * @param frameSize the size of a frame, 0 for bursts
 * @return how each rank spent each iteration
 */
Records CarryOut(const ns3::lightpath::TrainingPlan& plan,
                 const ns3::lightpath::InterconnectHelper& fabric,
                 uint32_t iterations,
                 ns3::Time launch = ns3::Time(0),
                 uint64_t frameSize = 0);

/**
 * @ingroup lightpath-tests
 * @brief A test case that compares folded plans with full ones.
 */
class FoldTestCase : public ns3::TestCase
{
  public:
    using ns3::TestCase::TestCase;

  protected:
    /**
     * Compare simulations of two iterations. If messages of the folded plan can be merged, that
     * must change no time.
     *
     * @param label what is simulated
     * @param plan the full plan
     * @param fabric the fabric of all GPUs
     * @param folder the folded plan
     * @param few the fabric of the folded ranks
     * @param tolerance the largest difference of times, relative to the end; 0 for none at all
     */
    void Compare(const std::string& label,
                 const ns3::lightpath::TrainingPlan& plan,
                 const ns3::lightpath::InterconnectHelper& fabric,
                 const ns3::lightpath::PlanFolder& folder,
                 const ns3::lightpath::InterconnectHelper& few,
                 double tolerance = 0);

    uint32_t m_nMerged{0}; //!< Plans whose messages could be merged
};

/**
 * @ingroup lightpath-tests
 * Number the ranks of a plan with stages and make its groups.
 *
 * @param programs the program of each stage
 * @param replicas the number of replicas
 * @param parts the number of parts of a replica
 * @return a plan with groups of kinds 0 to 3: parts, replicas, stages, first and last stage
 */
ns3::lightpath::TrainingPlan MakeStages(
    const std::vector<std::shared_ptr<ns3::lightpath::RankProgram>>& programs,
    uint32_t replicas,
    uint32_t parts);

/**
 * @ingroup lightpath-tests
 * Make programs in which three microbatches go through all stages and back.
 *
 * Each computation is followed by a sum over the parts. In the end the replicas sum up two buckets
 * at once, and then the first and the last stage one of theirs.
 *
 * @param stages the number of stages
 * @param local the replicas that share a server
 * @return the programs
 */
std::vector<std::shared_ptr<ns3::lightpath::RankProgram>> MakeStagePrograms(uint32_t stages,
                                                                            uint32_t local);

#endif /* LIGHTPATH_FOLD_TESTS_H */
