/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ONNX_FORWARD_H
#define ONNX_FORWARD_H

#include "onnx-call.h"
#include "operator-formulas.h"
#include "training-graph-builder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// An operator of the forward pass of an ONNX graph.
struct OnnxStep
{
    std::string name;                                  //!< Its name
    OperatorCosts costs;                               //!< Its costs, per sample
    std::vector<TrainingGraphBuilder::Source> sources; //!< What it reads
    std::vector<uint32_t> parameters;                  //!< Initial values that it uses
    bool isTrained{false};                             //!< Whether its result has a gradient
};

/**
 * @ingroup lightpath
 * @brief Runs the forward pass of an ONNX graph on shapes.
 *
 * Operators on constants alone, such as those that compute shapes and masks for all samples, run
 * once and cost nothing. Nor do operators whose result is no floating-point number.
 */
class OnnxForward
{
  public:
    /// Gives the size of an open dimension; it may refuse.
    using SizeOf = std::function<uint64_t(const std::string& symbol)>;

    /**
     * @param graph the graph; it must outlive this object
     * @param formulas formulas of costs
     * @param samples samples of the batch that the graph is run for
     */
    OnnxForward(const OnnxGraph& graph, const OperatorFormulas& formulas, uint64_t samples);

    /**
     * Run the graph; std::invalid_argument if a shape or a cost cannot be worked out.
     *
     * @param sizeOf gives the sizes of open dimensions
     * @return the operators in the order of the graph
     */
    std::vector<OnnxStep> Run(const SizeOf& sizeOf);

    /**
     * @param parameter the index of an initial value
     * @return the number of its elements
     */
    uint64_t GetSize(uint32_t parameter) const;

  private:
    /// Take the initial values as tensors.
    void AddConstants();

    /**
     * Take the inputs as tensors.
     *
     * @param sizeOf gives the sizes of open dimensions
     */
    void AddInputs(const SizeOf& sizeOf);

    /**
     * @param node a node
     * @return its inputs
     */
    std::vector<const OnnxTensor*> GetInputs(const OnnxNode& node) const;

    /**
     * Run a node.
     *
     * @param node the node
     */
    void RunNode(const OnnxNode& node);

    /**
     * Add the operator of a node.
     *
     * @param call the node
     * @param costs its costs for all samples
     * @param inputs the inputs that matter to its gradient
     */
    void AddStep(const OnnxCall& call,
                 const OperatorCosts& costs,
                 const std::vector<const OnnxTensor*>& inputs);

    /**
     * @param tensor a tensor
     * @param [in,out] sources the operators that have computed what a node reads, and the bytes
     */
    void AddSource(const OnnxTensor& tensor,
                   std::vector<TrainingGraphBuilder::Source>& sources) const;

    /**
     * @param node a node
     * @return a name for its operator that no other one has
     */
    std::string MakeName(const OnnxNode& node);

    /**
     * Check that the sum of all costs has 64 bits.
     *
     * @param call a node
     * @param costs its costs
     */
    void AddUp(const OnnxCall& call, const OperatorCosts& costs);

    const OnnxGraph& m_graph;                              //!< The graph
    OperatorFormulas m_formulas;                           //!< Formulas of costs
    uint64_t m_samples;                                    //!< Samples of a batch
    std::unordered_map<std::string, OnnxTensor> m_tensors; //!< The tensors by name
    std::vector<OnnxStep> m_steps;                         //!< The operators so far
    std::vector<uint64_t> m_outputs;                       //!< Elements that they write
    std::set<std::string> m_names;                         //!< Their names
    uint64_t m_total{0};                                   //!< Sum of their costs
};

} // namespace lightpath
} // namespace ns3

#endif /* ONNX_FORWARD_H */
