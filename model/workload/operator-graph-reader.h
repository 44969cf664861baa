/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_GRAPH_READER_H
#define OPERATOR_GRAPH_READER_H

#include "operator-graph.h"

#include <istream>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reads an operator graph from JSON.
 *
 * The document names the operators of a training iteration and the edges between them, in any
 * order, or only the operators of the forward pass, to which TrainingGraphBuilder adds the others:
 *
 *     {"format": "lightpath-operator-graph", "version": 1, "name": "mlp", "passes": "forward",
 *      "operators": [
 *        {"name": "first", "kind": "matmul", "layer": 0, "multiplyAdds": 802816,
 *         "inputBytes": 1568, "outputBytes": 2048, "parameters": 803840},
 *        {"name": "loss", "kind": "loss", "layer": 1, "flops": 5120, "outputBytes": 4}],
 *      "edges": [["first", "loss"]]}
 *
 * Operators are put in a topological order; passes follow one another, and otherwise operators keep
 * the order of the document where they can. A faulty document is refused in one sentence by
 * std::invalid_argument, with the path of the fault.
 */
class OperatorGraphReader
{
  public:
    /**
     * @param input the text
     * @param name the name of the text in sentences, such as that of its file
     * @return the graph
     */
    static OperatorGraph Read(std::istream& input, const std::string& name);

    /**
     * @param name the name of a file
     * @return the graph in it
     */
    static OperatorGraph ReadFile(const std::string& name);

    /**
     * Refuse, by std::invalid_argument, costs that a document cannot hold: above 2^53 of an
     * operator, or above 2^63 of all operators together.
     *
     * @param graph a graph
     * @param name the name of its text or of the graph, for the sentence
     */
    static void CheckCosts(const OperatorGraph& graph, const std::string& name);
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_GRAPH_READER_H */
