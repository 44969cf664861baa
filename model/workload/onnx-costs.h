/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ONNX_COSTS_H
#define ONNX_COSTS_H

#include "onnx-call.h"
#include "operator-formulas.h"

#include <optional>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Works out operations, bytes and parameters of the operators of ONNX.
 *
 * Each function takes a node whose outputs are known, and the formulas of costs, and returns its
 * costs; nothing for operators that cost nothing.
 */
class OnnxCosts
{
  public:
    /// Costs of all samples of a batch, or nothing.
    using Costs = std::optional<OperatorCosts>;

    /**
     * @param call an operator that only names elements in another way
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs View(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a matrix product, of matrices in batches
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Matmul(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a matrix product with a bias
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Gemm(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a sum over common indices
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Einsum(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a convolution, or a transposed one
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Convolution(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a normalisation over the batch
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs BatchNorm(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a normalisation over the last dimensions
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs LayerNorm(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a normalisation over neighbouring channels
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs ResponseNorm(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a softmax
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Softmax(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a pooling
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Pool(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a cross-entropy
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Loss(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a function of each element whose gradient needs a bit of it
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Rectifier(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a function of each element whose gradient needs the element
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Smooth(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a dropout
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Dropout(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a sum of several tensors, whose gradients are that of the sum
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Sum(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call an operator whose gradients need its factors
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Factors(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a reduction
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Reduction(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call an operator that copies elements
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Copy(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call an interpolation of an image
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Resize(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a concatenation
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Concatenation(const OnnxCall& call, const OperatorFormulas& formulas);

    /**
     * @param call a choice of rows of a table
     * @param formulas formulas of costs
     * @return its costs
     */
    static Costs Gather(const OnnxCall& call, const OperatorFormulas& formulas);
};

} // namespace lightpath
} // namespace ns3

#endif /* ONNX_COSTS_H */
