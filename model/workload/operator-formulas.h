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
 * gradients follow from those of the forward operator unless they are set, too.
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
 * @brief The shape of a two-dimensional convolution on square images.
 */
struct ConvolutionShape
{
    /// Padding by half the kernel, so that a stride of 1 keeps the size of an image.
    static constexpr uint64_t SAME = UINT64_MAX;

    uint64_t inputChannels{0};  //!< Channels of the input
    uint64_t outputChannels{0}; //!< Channels of the output
    uint64_t kernel{1};         //!< Height and width of the kernel
    uint64_t stride{1};         //!< Step of the kernel
    uint64_t inputSize{0};      //!< Height and width of the input
    uint64_t padding{SAME};     //!< Zeros on each side of the input
    uint64_t groups{1};         //!< Groups of channels that are convolved apart
    bool biased{false};         //!< Whether each output channel has a bias

    /**
     * @return the height and width of the output
     */
    uint64_t GetOutputSize() const;
};

/**
 * @ingroup lightpath
 * @brief The shape of an attention in one operator.
 */
struct AttentionShape
{
    uint64_t heads{0};      //!< Number of heads
    uint64_t groups{0};     //!< Sets of keys and values, each shared by as many heads
    uint64_t rows{0};       //!< Number of queries
    uint64_t columns{0};    //!< Number of keys
    uint64_t width{0};      //!< Elements of a query and of a key
    uint64_t valueWidth{0}; //!< Elements of a value
    uint64_t pairs{0};      //!< Pairs of a query and a key that are multiplied
    uint64_t parameters{0}; //!< Parameters, such as a sink for each head
};

/**
 * @ingroup lightpath
 * @brief Closed formulas of the costs of operators, per sample.
 *
 * Activations, parameters and gradients have a word of 2 bytes in half precision and of 4 bytes in
 * single precision, dropout masks 1 byte, indices and the probabilities of a loss function 4 bytes.
 *
 * With FP8 the factors of matrix products with parameters are read and kept with 1 byte each, and 4
 * bytes for each 128 of them, which are as many as the 1 byte for each 32 of MXFP8 (Open Compute
 * Project, OCP microscaling formats, 2023). With NVFP4 they have half a byte each, and 1 byte for
 * each 16 of them (NVIDIA, Pretraining large language models with NVFP4, 2025). Parameters are read
 * with 2 bytes unless `parameterBytes` says otherwise. What operators write has 2 bytes, and all
 * other operators are those of half precision.
 *
 * Memory traffic is that of a kernel that reads each input and writes each output once, unless a
 * comment states otherwise.
 */
class OperatorFormulas
{
  public:
    /**
     * @param precision the width of the numbers
     * @param parameterBytes the bytes of a parameter as products read it; 0 for those of a word
     */
    explicit OperatorFormulas(Precision precision = Precision::HALF, uint32_t parameterBytes = 0);

    /**
     * @param precision a precision
     * @return the bytes of an element of an activation in it
     */
    static uint32_t GetWordBytes(Precision precision);

    /**
     * @return the bytes of an element of an activation
     */
    uint64_t GetWordBytes() const;

    /**
     * @return the bytes of a parameter as products read it
     */
    uint32_t GetParameterBytes() const;

    /**
     * @param elements number of elements
     * @return their bytes with 8 bits each and their scaling factors
     */
    static uint64_t GetScaledBytes(uint64_t elements);

    /**
     * @param elements number of elements of a factor of a product with parameters
     * @return their bytes as the product reads them, with their scaling factors
     */
    uint64_t GetFactorBytes(uint64_t elements) const;

    /**
     * @return the formulas of products that FP8 and NVFP4 leave alone; these, without them
     */
    OperatorFormulas GetWide() const;

    /**
     * @param rows rows of the input
     * @param inner columns of the input, and rows of the weights
     * @param columns columns of the output
     * @param biases number of biases of each set of weights
     * @param sets number of sets of weights; each row is multiplied with one of them
     * @return a matrix product with weights
     */
    OperatorCosts Matmul(uint64_t rows,
                         uint64_t inner,
                         uint64_t columns,
                         uint64_t biases,
                         uint64_t sets = 1) const;

    /**
     * @param shape its shape
     * @return a convolution
     */
    OperatorCosts Convolution(const ConvolutionShape& shape) const;

    /**
     * @param heads number of products
     * @param rows rows of each left factor
     * @param inner columns of each left factor, and rows of each right factor
     * @param columns columns of each product
     * @return the products of two activations by head, which keep both of their factors
     */
    OperatorCosts Attention(uint64_t heads, uint64_t rows, uint64_t inner, uint64_t columns) const;

    /**
     * An attention that computes its scores block by block and never writes them (FlashAttention,
     * Dao et al. 2022). It keeps queries, keys, values, and a sum of 4 bytes for each row; its
     * backward pass computes the scores anew, so that it has five products for the two of the
     * forward pass: three as wide as queries and two as wide as values.
     *
     * @param shape its shape
     * @return scores, softmax and context in one operator
     */
    OperatorCosts FusedAttention(const AttentionShape& shape) const;

    /**
     * @param heads number of products
     * @param groups number of right factors, each shared by the same number of products
     * @param rows rows of each left factor
     * @param inner columns of each left factor, and rows of each right factor
     * @param columns columns of each product
     * @return the products of two activations by head, which keep both of their factors
     */
    OperatorCosts GroupedAttention(uint64_t heads,
                                   uint64_t groups,
                                   uint64_t rows,
                                   uint64_t inner,
                                   uint64_t columns) const;

    /**
     * @param elements number of elements of queries and keys
     * @return their rotation by position, two elements by each angle (Su et al. 2021)
     */
    OperatorCosts Rotation(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @param channels number of channels
     * @return a batch normalisation, which reads its input once more for the statistics
     */
    OperatorCosts BatchNorm(uint64_t elements, uint64_t channels) const;

    /**
     * A local response normalisation divides each element by a power of the sum of squares of its
     * neighbours in other channels (Krizhevsky, Sutskever, Hinton, 2012).
     *
     * @param elements number of elements
     * @param window channels that each sum of squares is taken over
     * @return the normalisation, which keeps its input and its output
     */
    OperatorCosts ResponseNorm(uint64_t elements, uint64_t window) const;

    /**
     * @param rows number of rows
     * @param width elements of a row
     * @return a layer normalisation, whose backward pass reads input and gradient once for the
     * gradient of the input and once for the gradients of the parameters
     */
    OperatorCosts LayerNorm(uint64_t rows, uint64_t width) const;

    /**
     * @param rows number of rows
     * @param width elements of a row
     * @return a normalisation by the root mean square, which reads as a layer normalisation does
     */
    OperatorCosts RmsNorm(uint64_t rows, uint64_t width) const;

    /**
     * @param rows number of rows
     * @param width elements of a row
     * @param isRms whether it is by the root mean square, or else a layer normalisation
     * @param parameters its parameters
     * @return such a normalisation with other parameters than the usual ones
     */
    OperatorCosts Norm(uint64_t rows, uint64_t width, bool isRms, uint64_t parameters) const;

    /**
     * @param elements number of elements
     * @return the square of a rectifier, which keeps its input (So et al. 2021)
     */
    OperatorCosts SquaredRelu(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @param terms vectors as wide as a row: one that each row is multiplied with, and one to add
     * @param width elements of a row
     * @return the same scaling of each row, or scaling and shift, which keeps its input
     */
    OperatorCosts Modulation(uint64_t elements, uint64_t terms, uint64_t width) const;

    /**
     * @param elements number of elements
     * @return the mean of the squares of the differences from given elements
     */
    OperatorCosts SquaredError(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @param parameters its parameters, such as a sink for each head
     * @return a scaled and masked softmax
     */
    OperatorCosts Softmax(uint64_t elements, uint64_t parameters = 0) const;

    /**
     * @param elements number of elements
     * @return a smooth activation function, such as GELU or the hyperbolic tangent
     */
    OperatorCosts Gelu(uint64_t elements) const;

    /**
     * @param elements number of elements of the output, and of each half of the input
     * @return the product of one half of the input and a smooth function of the other (SwiGLU,
     * Shazeer 2020), which keeps both halves
     */
    OperatorCosts Gate(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @return a rectifier; its output, which its backward pass reads, is taken to be kept by the
     * operator that reads it
     */
    OperatorCosts Relu(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @return a rectifier and a dropout, which share one mask
     */
    OperatorCosts ReluDropout(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @return a dropout
     */
    OperatorCosts Dropout(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @return a dropout whose result is added to a residual of the same size
     */
    OperatorCosts DropoutAdd(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @return the sum of two activations; its backward pass hands the gradient on at no cost
     */
    OperatorCosts Add(uint64_t elements) const;

    /**
     * @param inputs elements of the input
     * @param outputs elements of the output
     * @param window elements that each output is the maximum of
     * @return a maximum pooling
     */
    OperatorCosts MaxPool(uint64_t inputs, uint64_t outputs, uint64_t window) const;

    /**
     * @param inputs elements of the input
     * @param outputs elements of the output
     * @return an average pooling of windows that do not overlap
     */
    OperatorCosts AveragePool(uint64_t inputs, uint64_t outputs) const;

    /**
     * @param rows number of rows looked up
     * @param width elements of a row
     * @param tableRows rows of the table
     * @return a lookup in a table of parameters, with a dense gradient
     */
    OperatorCosts Lookup(uint64_t rows, uint64_t width, uint64_t tableRows) const;

    /**
     * The sum of a few rows of a table that is too large for a dense gradient. The gradient of a
     * row that was looked up is the gradient of the sum; it is held with the index of the row.
     *
     * @param rows number of rows looked up
     * @param width elements of a row
     * @param tableRows rows of the table
     * @param sums number of sums: with more than one, rows and table are those of several tables
     * @return the lookup, with a sparse gradient
     */
    OperatorCosts SparseLookup(uint64_t rows,
                               uint64_t width,
                               uint64_t tableRows,
                               uint64_t sums = 1) const;

    /**
     * The products of each vector with each other one, as one product of a matrix of vectors with
     * its transpose, of which the part below the diagonal is kept; behind them comes one of the
     * vectors (Naumov et al., 2019).
     *
     * @param vectors number of vectors
     * @param width elements of a vector
     * @return the operator, which keeps the vectors
     */
    OperatorCosts DotInteraction(uint64_t vectors, uint64_t width) const;

    /**
     * @param elements number of elements of all activations together
     * @return a copy of activations to one behind the other; its backward pass hands the parts of
     * the gradient on at no cost
     */
    OperatorCosts Concatenation(uint64_t elements) const;

    /**
     * @param elements number of elements
     * @param parameters number of parameters of the tables, such as those of positions
     * @return the sum of an activation and of rows of tables that all samples share
     */
    OperatorCosts AddTables(uint64_t elements, uint64_t parameters) const;

    /**
     * @param rows number of rows to pick
     * @param width elements of a row
     * @param inputRows number of rows to pick from
     * @return the choice of some rows of an activation
     */
    OperatorCosts Gather(uint64_t rows, uint64_t width, uint64_t inputRows) const;

    /**
     * @param rows number of predictions
     * @param classes number of classes
     * @param isFused whether one kernel writes the gradient over the scores, as that of Transformer
     *        Engine does (transformer_engine/pytorch/triton/cross_entropy.py)
     * @return the cross-entropy of a softmax, which keeps the probabilities in single precision, or
     *         the gradient
     */
    OperatorCosts CrossEntropy(uint64_t rows, uint64_t classes, bool isFused = false) const;

    /**
     * @param rows number of tokens
     * @param experts number of scores of a token
     * @param choices experts that a token is given to
     * @return the softmax of the scores of a router, which it keeps, and the choice of the highest:
     * the output is an index and a weight for each
     */
    OperatorCosts Route(uint64_t rows, uint64_t experts, uint64_t choices) const;

    /**
     * @param rows number of tokens
     * @param width elements of a token
     * @param choices rows that are summed for a token
     * @return the weighted sums, which keep the rows and their weights
     */
    OperatorCosts Combine(uint64_t rows, uint64_t width, uint64_t choices) const;

  private:
    /// Bytes of an index or of a number in single precision.
    static constexpr uint64_t SINGLE = 4;

    /**
     * @param costs the operator
     * @param precision the width of the numbers that it and its gradients work on
     */
    static void SetPrecision(OperatorCosts& costs, Precision precision);

    /**
     * Let an operator keep data for its backward pass, which reads them.
     *
     * @param costs the operator
     * @param bytes the bytes of these data
     */
    static void Keep(OperatorCosts& costs, uint64_t bytes);

    /**
     * Let an operator write a mask that its backward pass reads.
     *
     * @param costs the operator
     * @param elements number of elements of the mask
     */
    static void KeepMask(OperatorCosts& costs, uint64_t elements);

    /**
     * Make an operator that multiplies its input with weights. Each of its two gradients takes as
     * many operations as the operator itself.
     *
     * @param kind the kind of its computation
     * @param multiplyAdds number of multiply-adds
     * @param inputs elements of the input
     * @param outputs elements of the output
     * @param parameters number of parameters
     * @return the operator
     */
    OperatorCosts MakeProduct(OperatorKind kind,
                              uint64_t multiplyAdds,
                              uint64_t inputs,
                              uint64_t outputs,
                              uint64_t parameters) const;

    /**
     * Make an operator that reads one activation and writes one of the same size.
     *
     * @param kind the kind of its computation
     * @param elements number of elements
     * @param flops operations per element, the same in both passes
     * @return the operator, with a backward pass that reads the gradient and the saved data
     */
    OperatorCosts MakeMap(OperatorKind kind, uint64_t elements, uint64_t flops) const;

    /**
     * Give an operator parameters, which both passes read and whose gradient the backward pass
     * writes.
     *
     * @param costs the operator
     * @param parameters number of parameters
     */
    void SetParameters(OperatorCosts& costs, uint64_t parameters) const;

    Precision m_precision;    //!< Width of the numbers
    Precision m_factors;      //!< Of the factors of products with parameters
    uint64_t m_word;          //!< Bytes of an activation, a parameter or a gradient
    uint32_t m_parameterWord; //!< Bytes of a parameter as products read it
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_FORMULAS_H */
