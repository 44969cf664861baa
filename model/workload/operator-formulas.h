/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_FORMULAS_H
#define OPERATOR_FORMULAS_H

#include "operator-graph.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The costs of an operator in the forward pass and of its gradients in the backward pass.
 *
 * Only the kind and the costs of the operators are set. The input bytes and the output bytes of the
 * gradients follow from those of the forward operator.
 */
struct OperatorCosts
{
    Operator forward;  //!< The operator itself
    Operator backward; //!< The gradient of its input; of its parameters too unless they are apart
    Operator weightGradient; //!< The gradient of its parameters, if it is apart
    bool apart{false};       //!< True if the gradient of the parameters is an operator of its own
};

/**
 * @ingroup lightpath
 * @brief The shape of a two-dimensional convolution on square images with "same" padding.
 */
struct ConvolutionShape
{
    uint64_t inputChannels{0};  //!< Channels of the input
    uint64_t outputChannels{0}; //!< Channels of the output
    uint64_t kernel{1};         //!< Height and width of the kernel
    uint64_t stride{1};         //!< Step of the kernel
    uint64_t inputSize{0};      //!< Height and width of the input

    /**
     * @return the height and width of the output
     */
    uint64_t GetOutputSize() const;
};

/**
 * @ingroup lightpath
 * @brief Closed formulas of the costs of operators, per sample.
 *
 * Activations, parameters and gradients have 2 bytes, dropout masks 1 byte, indices and the
 * probabilities of a loss function 4 bytes. Memory traffic is that of a kernel that reads each
 * input and writes each output once, unless a comment states otherwise.
 */
class OperatorFormulas
{
  public:
    /**
     * @param rows rows of the input
     * @param inner columns of the input, and rows of the weights
     * @param columns columns of the output
     * @param biases number of biases
     * @return a matrix product with weights
     */
    static OperatorCosts Matmul(uint64_t rows, uint64_t inner, uint64_t columns, uint64_t biases);

    /**
     * @param shape its shape
     * @return a convolution without biases
     */
    static OperatorCosts Convolution(const ConvolutionShape& shape);

    /**
     * @param heads number of products
     * @param rows rows of each left factor
     * @param inner columns of each left factor, and rows of each right factor
     * @param columns columns of each product
     * @return the products of two activations by head, which keep both of their factors
     */
    static OperatorCosts Attention(uint64_t heads, uint64_t rows, uint64_t inner, uint64_t columns);

    /**
     * @param elements number of elements
     * @param channels number of channels
     * @return a batch normalisation, which reads its input once more for the statistics
     */
    static OperatorCosts BatchNorm(uint64_t elements, uint64_t channels);

    /**
     * @param rows number of rows
     * @param width elements of a row
     * @return a layer normalisation, whose backward pass reads input and gradient once for the
     * gradient of the input and once for the gradients of the parameters
     */
    static OperatorCosts LayerNorm(uint64_t rows, uint64_t width);

    /**
     * @param elements number of elements
     * @return a scaled and masked softmax
     */
    static OperatorCosts Softmax(uint64_t elements);

    /**
     * @param elements number of elements
     * @return a smooth activation function, such as GELU or the hyperbolic tangent
     */
    static OperatorCosts Gelu(uint64_t elements);

    /**
     * @param elements number of elements
     * @return a rectifier; its output, which its backward pass reads, is taken to be kept by the
     * operator that reads it
     */
    static OperatorCosts Relu(uint64_t elements);

    /**
     * @param elements number of elements
     * @return a rectifier and a dropout, which share one mask
     */
    static OperatorCosts ReluDropout(uint64_t elements);

    /**
     * @param elements number of elements
     * @return a dropout
     */
    static OperatorCosts Dropout(uint64_t elements);

    /**
     * @param elements number of elements
     * @return a dropout whose result is added to a residual of the same size
     */
    static OperatorCosts DropoutAdd(uint64_t elements);

    /**
     * @param elements number of elements
     * @return the sum of two activations; its backward pass hands the gradient on at no cost
     */
    static OperatorCosts Add(uint64_t elements);

    /**
     * @param inputs elements of the input
     * @param outputs elements of the output
     * @param window elements that each output is the maximum of
     * @return a maximum pooling
     */
    static OperatorCosts MaxPool(uint64_t inputs, uint64_t outputs, uint64_t window);

    /**
     * @param inputs elements of the input
     * @param outputs elements of the output
     * @return an average pooling of windows that do not overlap
     */
    static OperatorCosts AveragePool(uint64_t inputs, uint64_t outputs);

    /**
     * @param rows number of rows looked up
     * @param width elements of a row
     * @param tableRows rows of the table
     * @return a lookup in a table of parameters, with a dense gradient
     */
    static OperatorCosts Lookup(uint64_t rows, uint64_t width, uint64_t tableRows);

    /**
     * @param elements number of elements
     * @param parameters number of parameters of the tables, such as those of positions
     * @return the sum of an activation and of rows of tables that all samples share
     */
    static OperatorCosts AddTables(uint64_t elements, uint64_t parameters);

    /**
     * @param rows number of rows to pick
     * @param width elements of a row
     * @param inputRows number of rows to pick from
     * @return the choice of some rows of an activation
     */
    static OperatorCosts Gather(uint64_t rows, uint64_t width, uint64_t inputRows);

    /**
     * @param rows number of predictions
     * @param classes number of classes
     * @return the cross-entropy of a softmax, which keeps the probabilities in single precision
     */
    static OperatorCosts CrossEntropy(uint64_t rows, uint64_t classes);
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_FORMULAS_H */
