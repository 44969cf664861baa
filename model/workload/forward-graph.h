/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORWARD_GRAPH_H
#define FORWARD_GRAPH_H

#include "operator-document.h"
#include "operator-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Makes the graph of a training iteration from a document that has the forward pass only.
 *
 * The defaults of the members that an operator does not state are
 *
 * - inputBytes: what it reads along its edges;
 * - flops: twice its multiply-adds;
 * - readBytes, writtenBytes: inputBytes, outputBytes;
 * - savedBytes: inputBytes of products (matrix, convolution, attention) and normalisations,
 *   outputBytes of a softmax, and 0 otherwise;
 * - parameterBytes: the bytes of its parameters; 0 for an embedding, which reads some rows only.
 *
 * The gradient of an operator takes as many operations as the operator; that of attention takes
 * twice as many. It reads the gradient of the output (twice in attention, for both factors; not at
 * all in a loss) and the saved data, and writes as many bytes as the input has. A matrix product or
 * a convolution has a second gradient for its parameters, which takes as many operations, reads the
 * gradient of the output and the saved data, and writes the gradients of the parameters.
 */
class ForwardGraph
{
  public:
    /**
     * @param document the document, whose edges are between operators that exist
     * @param order the indices of its operators in a topological order
     * @return the graph
     */
    static OperatorGraph Build(const OperatorDocument& document,
                               const std::vector<uint32_t>& order);
};

} // namespace lightpath
} // namespace ns3

#endif /* FORWARD_GRAPH_H */
