/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_GRAPH_BUILDER_H
#define TRAINING_GRAPH_BUILDER_H

#include "operator-formulas.h"
#include "operator-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// How parameters are updated from their gradients.
enum class Optimizer : uint8_t
{
    ADAM,     //!< Two moments for each parameter: Adam and LAMB
    MOMENTUM, //!< One moment for each parameter: SGD with momentum and LARS
    SGD,      //!< No moments: stochastic gradient descent
};

/**
 * @ingroup lightpath
 * @brief The numbers that a model is trained in, and its optimiser.
 *
 * In half precision, and with FP8, a parameter has a master copy of 4 bytes beside the one of 2
 * bytes (1 byte) that the operators read; moments have 4 bytes.
 */
struct TrainingOptions
{
    Precision precision{Precision::HALF}; //!< Of activations and parameters
    Precision gradients{Precision::HALF}; //!< Of gradients as they are held and summed, unless
                                          //!< that of the parameters is wider
    Precision parameters{
        Precision::HALF};                 //!< With FP8, of parameters as they are held and gathered
    Optimizer optimizer{Optimizer::ADAM}; //!< The optimiser
};

/**
 * @ingroup lightpath
 * @brief Makes the graph of a training iteration from the operators of the forward pass.
 *
 * A model is described from its input to its loss; backward and update operators are derived:
 *
 * - The backward operators follow in reverse order. A matrix product or convolution has one for the
 *   gradient of its input ("name.input-gradient", left out if it reads nothing) and one for that of
 *   its weights ("name.weight-gradient"), any other operator has one ("name.backward").
 * - A backward operator reads the gradients made by the backward operators of the readers of its
 *   forward operator, and the activations that its forward operator kept.
 * - If several operators have read the same output, the gradients are summed on the way back: the
 *   backward operator of each reader but the last adds its own to that of the next reader, so that
 *   one gradient comes out at the first reader.
 * - Each operator with parameters has an update operator ("name.update"). It reads the gradient,
 *   reads and writes the master copy and the moments, and writes the copy that the operators read:
 *   28 bytes for each parameter with Adam in half precision.
 * - If the gradient of an operator is sparse, so are its backward and update operators. The update
 *   reads the gradient with the indices of its rows and changes these rows alone: its traffic is
 *   that of the rows that a sample looks up.
 */
class TrainingGraphBuilder
{
  public:
    /// A read of the output of another operator.
    struct Source
    {
        /**
         * @param from index of the operator whose output is read, as Add() has returned it
         * @param part bytes that are read of it, per sample; 0 for all of its output
         */
        Source(uint32_t from, uint64_t part = 0);

        uint32_t op;    //!< Index of the operator whose output is read
        uint64_t bytes; //!< Bytes read of it, per sample; 0 for all of its output
    };

    /**
     * @param name the name of the model
     * @param sample the name of one sample, in the singular
     * @param options the numbers that the model is trained in, and its optimiser
     */
    TrainingGraphBuilder(std::string name,
                         std::string sample,
                         const TrainingOptions& options = TrainingOptions());

    /**
     * @return the formulas of operators in the precision of the model
     */
    const OperatorFormulas& GetFormulas() const;

    /**
     * Begin a layer, to which all operators added from now on belong.
     *
     * @param name its name, with which the names of its operators begin
     */
    void BeginLayer(const std::string& name);

    /**
     * Add an operator of the forward pass.
     *
     * @param name its name, unique within its layer
     * @param costs its costs
     * @param split how a tensor-parallel group shares it
     * @param sources the outputs that it reads; if empty, it reads the samples only
     * @return its index
     */
    uint32_t Add(const std::string& name,
                 const OperatorCosts& costs,
                 TensorSplit split,
                 const std::vector<Source>& sources);

    /**
     * @param index the index of an operator
     * @return the bytes of its output, per sample
     */
    uint64_t GetOutputBytes(uint32_t index) const;

    /**
     * Let an operator use the parameters of another one instead of its own. The owner counts
     * and updates them; the gradients of both are summed.
     *
     * @param user the index of the operator; parameters beyond those of the owner remain its own
     * @param owner the index of the operator that has the parameters; it comes before the user
     */
    void Tie(uint32_t user, uint32_t owner);

    /**
     * Sum the gradient of parameters that an operator uses into that of the operator that has them.
     *
     * @param user the index of the operator, whose number of parameters excludes them
     * @param owner the index of the operator that has them; it comes before the user
     */
    void SumGradients(uint32_t user, uint32_t owner);

    /**
     * @return the graph of a training iteration
     */
    OperatorGraph Build() const;

    /**
     * @return the graph of a forward pass alone, whose operators keep nothing for later and whose
     *         parameters have neither gradients nor optimiser state
     */
    OperatorGraph BuildForward() const;

  private:
    /// An operator of the forward pass with its sources and parameters.
    struct Node
    {
        OperatorCosts costs;           //!< Its costs
        std::vector<Source> sources;   //!< Outputs that it reads
        std::vector<uint32_t> readers; //!< The operators that read its output, in ascending order
        std::vector<uint32_t> users;   //!< The operators that use its parameters
        uint64_t bytesRead{0};         //!< Bytes that its readers read together, per sample
    };

    /// The indices in the graph of the operators that make the gradients of an operator.
    struct Gradients
    {
        uint32_t input{0};      //!< Of its input
        uint32_t parameters{0}; //!< Of its parameters
    };

    /**
     * @param node an operator
     * @return true if the gradients of its readers are to be summed
     */
    static bool IsSummed(const Node& node);

    /**
     * Add the forward operators.
     *
     * @param graph the graph to add them to
     * @param isTraining whether they keep data for a backward pass
     */
    void AddForward(OperatorGraph& graph, bool isTraining) const;

    /**
     * Add the backward operators of a forward operator.
     *
     * @param graph the graph to add them to
     * @param index the index of the forward operator
     * @param gradients the backward operators by forward operator, known of all later ones
     */
    void AddBackward(OperatorGraph& graph, uint32_t index, std::vector<Gradients>& gradients) const;

    /**
     * Get the backward operators whose gradients the backward operator of an operator adds to its
     * own.
     *
     * @param index the index of the forward operator
     * @param gradients the backward operators by forward operator, known of all later ones
     * @param op the backward operator that makes the gradient of its input; the cost of the sums is
     *        added to it
     * @return their indices in the graph
     */
    std::vector<uint32_t> AddSums(uint32_t index,
                                  const std::vector<Gradients>& gradients,
                                  Operator& op) const;

    /**
     * @return the bytes of a gradient
     */
    uint32_t GetGradientBytes() const;

    /**
     * @return the bytes of moments and, in half precision, master copy of a parameter
     */
    uint32_t GetOptimizerBytes() const;

    /**
     * Add the update operator of a forward operator.
     *
     * @param graph the graph to add it to
     * @param index the index of the forward operator
     * @param gradient the index of the operator that makes the gradient of its parameters
     */
    void AddUpdate(OperatorGraph& graph, uint32_t index, uint32_t gradient) const;

    std::string m_name;          //!< Name of the model
    std::string m_sample;        //!< Name of one sample
    TrainingOptions m_options;   //!< Numbers and optimiser
    OperatorFormulas m_formulas; //!< Formulas of operators
    std::string m_layerName;     //!< Name of the layer that operators are added to
    uint32_t m_nLayers{0};       //!< Number of layers so far
    std::vector<Node> m_nodes;   //!< The operators of the forward pass
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_GRAPH_BUILDER_H */
