/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ONNX_CALL_H
#define ONNX_CALL_H

#include "onnx-graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// A tensor of an ONNX graph, as it is while the graph runs.
struct OnnxTensor
{
    /// No operator: an input or a constant.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @return whether its elements are floating-point numbers
     */
    bool IsFloat() const;

    uint64_t type{ONNX_FLOAT};                  //!< Type of its elements
    std::vector<uint64_t> shape;                //!< Its dimensions
    uint64_t elements{1};                       //!< Number of its elements
    std::optional<std::vector<double>> numbers; //!< Its elements, if they are known and few
    bool isConstant{false};                     //!< Whether it is the same for all samples
    bool isTrained{false};                      //!< Whether it depends on parameters
    std::vector<uint32_t> parameters;           //!< Initial values that a constant is made of
    uint32_t producer{NONE};                    //!< Index of the operator that has computed it
};

/**
 * @ingroup lightpath
 * @brief A node of an ONNX graph together with the tensors that it reads and writes.
 *
 * What cannot be worked out is refused by std::invalid_argument, which names the node.
 */
class OnnxCall
{
  public:
    /// A shape.
    using Shape = std::vector<uint64_t>;

    /**
     * @param node the node; it must outlive this object
     * @param inputs the tensors that it reads; null for those left out
     * @param version the version of ONNX's operators
     */
    OnnxCall(const OnnxNode& node, std::vector<const OnnxTensor*> inputs, uint64_t version);

    /**
     * @param shape a shape
     * @return the shape as in "2 x 3"
     */
    static std::string Format(const Shape& shape);

    /**
     * Refuse the node.
     *
     * @param fault the fault and its remedy
     */
    [[noreturn]] void Fail(const std::string& fault) const;

    /**
     * @param condition what must hold
     * @param fault the fault and its remedy otherwise
     */
    void Require(bool condition, const std::string& fault) const;

    /**
     * @return the node
     */
    const OnnxNode& GetNode() const;

    /**
     * @return the version of ONNX's operators
     */
    uint64_t GetVersion() const;

    /**
     * @return the number of inputs, with those left out
     */
    std::size_t GetNInputs() const;

    /**
     * @param index the index of an input
     * @return the input; null if it is left out
     */
    const OnnxTensor* FindInput(std::size_t index) const;

    /**
     * @param index the index of an input
     * @return the input, which is refused if it is left out
     */
    const OnnxTensor& GetInput(std::size_t index) const;

    /**
     * @param index the index of an input
     * @param rank the least number of its dimensions
     * @return its shape
     */
    const Shape& GetShape(std::size_t index, std::size_t rank = 0) const;

    /**
     * @param index the index of an input
     * @return its elements as integers, cut to 2^62; refused unless they are known
     */
    std::vector<int64_t> GetNumbers(std::size_t index) const;

    /**
     * @param attribute the name of an attribute
     * @param usual the value without it
     * @return its value
     */
    int64_t GetInteger(const std::string& attribute, int64_t usual) const;

    /**
     * @param attribute the name of an attribute
     * @return its value; empty without it
     */
    std::string GetText(const std::string& attribute) const;

    /**
     * @param attribute the name of an attribute
     * @param size the length of the list
     * @param usual each element without it
     * @return its value, a list of sizes
     */
    Shape GetSizes(const std::string& attribute, std::size_t size, uint64_t usual) const;

    /**
     * @param attribute the name of an attribute of old versions
     * @param index the index of the input that has replaced it
     * @return the list that either of them has; nothing if neither is there
     */
    std::optional<std::vector<int64_t>> FindList(const std::string& attribute,
                                                 std::size_t index) const;

    /**
     * @param axis a dimension, counted from the end if negative
     * @param rank the number of dimensions
     * @return its index
     */
    std::size_t GetAxis(int64_t axis, std::size_t rank) const;

    /**
     * Multiply, and refuse more than 2^50.
     *
     * @param a a number
     * @param b a number
     * @return the product
     */
    uint64_t Multiply(uint64_t a, uint64_t b) const;

    /**
     * @param size a size that a file states as a signed number
     * @return the size; refused if it is negative
     */
    uint64_t ToSize(int64_t size) const;

    /**
     * Add a tensor that the node writes.
     *
     * @param type the type of its elements
     * @param shape its shape
     * @return the tensor
     */
    OnnxTensor& AddOutput(uint64_t type, Shape shape);

    /**
     * @return the tensors that the node writes
     */
    std::vector<OnnxTensor>& GetOutputs();

    /**
     * @return the first tensor that the node writes
     */
    const OnnxTensor& GetOutput() const;

  private:
    const OnnxNode& m_node;                  //!< The node
    std::vector<const OnnxTensor*> m_inputs; //!< The tensors that it reads
    uint64_t m_version;                      //!< Version of ONNX's operators
    std::vector<OnnxTensor> m_outputs;       //!< The tensors that it writes
};

} // namespace lightpath
} // namespace ns3

#endif /* ONNX_CALL_H */
