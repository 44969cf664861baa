/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PARTITION_TESTS_H
#define LIGHTPATH_PARTITION_TESTS_H

#include "model/planner/search/stage-graph.h"

#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @return the test cases of the graphs that stages are made of; the caller owns them
 */
std::vector<ns3::TestCase*> MakeStageGraphTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of where layers are cut; the caller owns them
 */
std::vector<ns3::TestCase*> MakeStageCutsTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of shares of circuits; the caller owns them
 */
std::vector<ns3::TestCase*> MakeCircuitSharesTests();

/**
 * @ingroup lightpath-tests
 * Make the graph of a model from the profile published with Narayanan et al., "PipeDream:
 * generalized pipeline parallelism for DNN training", SOSP 2019, without the input.
 *
 * @param model "vgg16" (minibatches of 128), "alexnet" or "resnet50"
 * @return the graph, a node for each operator
 */
ns3::lightpath::StageGraph MakeProfileGraph(const std::string& model);

/**
 * @ingroup lightpath-tests
 * @param random a source of random numbers
 * @param nodes the most nodes
 * @return a series-parallel graph with small random costs
 */
ns3::lightpath::StageGraph MakeSeriesParallelGraph(ns3::Ptr<ns3::UniformRandomVariable> random,
                                                   uint32_t nodes);

/**
 * @ingroup lightpath-tests
 * @param random a source of random numbers
 * @param nodes the number of nodes
 * @return a chain with small random costs
 */
ns3::lightpath::StageGraph MakeChainGraph(ns3::Ptr<ns3::UniformRandomVariable> random,
                                          uint32_t nodes);

#endif /* LIGHTPATH_PARTITION_TESTS_H */
