/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLANNER_TESTS_H
#define LIGHTPATH_PLANNER_TESTS_H

#include "ns3/accelerator.h"
#include "ns3/operator-graph.h"
#include "ns3/planner.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-program.h"
#include "ns3/test.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @return a GPU that takes 1 us for 1000 floating-point operations and nothing else, with 1 GiB
 */
ns3::lightpath::Accelerator MakeToyAccelerator();

/**
 * @ingroup lightpath-tests
 * @param name the name of an operator
 * @param pass its pass
 * @param microseconds the time that it takes on the toy accelerator for each sample
 * @param outputBytes the size of its result for each sample
 * @return the operator
 */
ns3::lightpath::Operator MakeToyOperator(const std::string& name,
                                         ns3::lightpath::Pass pass,
                                         uint64_t microseconds,
                                         uint64_t outputBytes = 0);

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param gpus the number of GPUs, of the toy accelerator
 * @param batch the global batch
 * @return a problem with a fabric of 8 Gbit/s (1 kB takes 1 us) without limit of degree
 */
ns3::lightpath::PlanningProblem MakeToyProblem(const ns3::lightpath::OperatorGraph& graph,
                                               uint32_t gpus,
                                               uint64_t batch);

/**
 * @ingroup lightpath-tests
 * Make a random graph with forward and backward operators and their updates.
 *
 * @param layers the number of forward operators
 * @param random a source of random numbers
 * @return the graph
 */
ns3::lightpath::OperatorGraph MakeRandomGraph(uint32_t layers,
                                              ns3::Ptr<ns3::UniformRandomVariable> random);

/**
 * @ingroup lightpath-tests
 * @param seconds the time
 * @return a compute task of the forward pass
 */
ns3::lightpath::Task MakeCompute(double seconds);

/**
 * @ingroup lightpath-tests
 * @param kind SEND or RECEIVE
 * @param peer the position of the peer in the group of kind 0
 * @param operation the number of the operation
 * @param bytes the size
 * @return the task
 */
ns3::lightpath::Task MakeMessage(ns3::lightpath::TaskKind kind,
                                 uint32_t peer,
                                 uint32_t operation,
                                 uint64_t bytes);

/**
 * @ingroup lightpath-tests
 * @param group the kind of group
 * @param operation the number of the operation
 * @param bytes the size of the buffer
 * @param kind the operation
 * @return the task
 */
ns3::lightpath::Task MakeCollective(
    uint32_t group,
    uint32_t operation,
    uint64_t bytes,
    ns3::lightpath::CollectiveKind kind = ns3::lightpath::CollectiveKind::ALL_REDUCE);

/**
 * @ingroup lightpath-tests
 * @param tasks tasks
 * @return a program in which each task waits for the one before
 */
std::shared_ptr<ns3::lightpath::RankProgram> MakeChain(
    const std::vector<ns3::lightpath::Task>& tasks);

#endif /* LIGHTPATH_PLANNER_TESTS_H */
