/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ONNX_SHAPES_H
#define ONNX_SHAPES_H

#include "onnx-call.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Works out the shapes of the tensors that the operators of ONNX write.
 *
 * Source: the specification of the operators, https://onnx.ai/onnx/operators. Elements are computed
 * as well where other shapes may depend on them: of small tensors of integers, and of constants.
 * Each function adds the outputs of a node.
 */
class OnnxShapes
{
  public:
    /// A product of two tensors over common indices, each a letter.
    struct Sum
    {
        std::string left;   //!< Indices of the first tensor
        std::string right;  //!< Indices of the second
        std::string result; //!< Indices of the result
    };

    /// @param call an operator whose result has the shape and type of its first input
    static void Same(OnnxCall& call);

    /// @param call an operator on each element of one or more tensors
    static void Broadcast(OnnxCall& call);

    /// @param call a comparison or a logical operation on each element
    static void Compare(OnnxCall& call);

    /// @param call a choice between the elements of two tensors
    static void Where(OnnxCall& call);

    /// @param call a matrix product, of matrices in batches
    static void Matmul(OnnxCall& call);

    /// @param call a matrix product with a bias
    static void Gemm(OnnxCall& call);

    /// @param call a sum over common indices
    static void Einsum(OnnxCall& call);

    /// @param call a convolution
    static void Convolution(OnnxCall& call);

    /// @param call a transposed convolution
    static void TransposedConvolution(OnnxCall& call);

    /// @param call a pooling
    static void Pool(OnnxCall& call);

    /// @param call a pooling over whole images
    static void GlobalPool(OnnxCall& call);

    /// @param call a reduction over some dimensions
    static void Reduce(OnnxCall& call);

    /// @param call the index of the largest or smallest element
    static void ArgMax(OnnxCall& call);

    /// @param call a change of size of images
    static void Resize(OnnxCall& call);

    /// @param call a cross-entropy, or the negative logarithm of probabilities
    static void Loss(OnnxCall& call);

    /// @param call a reshape
    static void Reshape(OnnxCall& call);

    /// @param call a reshape to two dimensions
    static void Flatten(OnnxCall& call);

    /// @param call a removal of dimensions of size 1
    static void Squeeze(OnnxCall& call);

    /// @param call an insertion of dimensions of size 1
    static void Unsqueeze(OnnxCall& call);

    /// @param call a permutation of dimensions
    static void Transpose(OnnxCall& call);

    /// @param call a concatenation
    static void Concatenate(OnnxCall& call);

    /// @param call a division into parts
    static void Split(OnnxCall& call);

    /// @param call a choice of ranges
    static void Slice(OnnxCall& call);

    /// @param call a choice of rows
    static void Gather(OnnxCall& call);

    /// @param call a choice of elements, as many as there are indices
    static void GatherElements(OnnxCall& call);

    /// @param call the shape of a tensor, or the number of its elements
    static void GetShape(OnnxCall& call);

    /// @param call a constant
    static void Constant(OnnxCall& call);

    /// @param call a constant of a given shape
    static void Fill(OnnxCall& call);

    /// @param call a repetition along dimensions of size 1
    static void Expand(OnnxCall& call);

    /// @param call a repetition
    static void Tile(OnnxCall& call);

    /// @param call additional elements at the edges
    static void Pad(OnnxCall& call);

    /// @param call a sequence of numbers
    static void Range(OnnxCall& call);

    /// @param call a change of type
    static void Cast(OnnxCall& call);

    /// @param call a move of elements between channels and space
    static void Shuffle(OnnxCall& call);

    /**
     * @param call a sum over common indices
     * @return its indices
     */
    static Sum GetSum(const OnnxCall& call);

    /**
     * @param call a pooling or convolution
     * @return the size of its kernel in each dimension
     */
    static OnnxCall::Shape GetKernel(const OnnxCall& call);

    /**
     * @param call an operator
     * @param a a shape
     * @param b a shape
     * @return the shape of an operation on each element of both
     */
    static OnnxCall::Shape GetCommonShape(const OnnxCall& call,
                                          const OnnxCall::Shape& a,
                                          const OnnxCall::Shape& b);

    /// Gives the indices of an element in all dimensions of one tensor from those in another.
    using Choice = std::function<OnnxCall::Shape(const OnnxCall::Shape& place)>;

    /**
     * Choose elements of a tensor whose elements are known.
     *
     * @param from the tensor
     * @param [in,out] to the chosen elements, whose shape is known
     * @param find gives the indices of an element in the first from those in the second
     */
    static void CopyChosen(const OnnxTensor& from, OnnxTensor& to, const Choice& find);
};

} // namespace lightpath
} // namespace ns3

#endif /* ONNX_SHAPES_H */
