/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_WORKLOAD_FILE_TESTS_H
#define LIGHTPATH_WORKLOAD_FILE_TESTS_H

#include "ns3/operator-graph.h"

#include <string>

/**
 * @ingroup lightpath-tests
 * @param text the text of an operator graph
 * @return the graph
 */
ns3::lightpath::OperatorGraph ReadGraph(const std::string& text);

/**
 * @ingroup lightpath-tests
 * @param graph a graph
 * @return the graph as text
 */
std::string WriteGraph(const ns3::lightpath::OperatorGraph& graph);

/**
 * @ingroup lightpath-tests
 * @param one a graph
 * @param other another graph
 * @return the first operator in which they differ, with its edges; empty if they are equal
 */
std::string GetDifferentOperator(const ns3::lightpath::OperatorGraph& one,
                                 const ns3::lightpath::OperatorGraph& other);

#endif /* LIGHTPATH_WORKLOAD_FILE_TESTS_H */
