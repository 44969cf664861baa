/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_GRAPH_WRITER_H
#define OPERATOR_GRAPH_WRITER_H

#include "operator-graph.h"

#include <ostream>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes an operator graph as JSON, as OperatorGraphReader reads it.
 *
 * There is a line for each operator and for each edge. Numbers that are 0 and words that are the
 * usual ones are left out. What is read again is equal to what was written, and is written the
 * same.
 */
class OperatorGraphWriter
{
  public:
    /**
     * Write a graph: one of the zoo, or one that was read.
     *
     * @param graph the graph
     * @param output where to
     */
    static void Write(const OperatorGraph& graph, std::ostream& output);
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_GRAPH_WRITER_H */
