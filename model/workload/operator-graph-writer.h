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
 * There is a line for each operator and for each edge. Zeros and default words are left out.
 * Reading the text yields an equal graph, which is written the same.
 */
class OperatorGraphWriter
{
  public:
    /**
     * Write a graph.
     *
     * @param graph the graph
     * @param output the stream to write to
     */
    static void Write(const OperatorGraph& graph, std::ostream& output);
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_GRAPH_WRITER_H */
