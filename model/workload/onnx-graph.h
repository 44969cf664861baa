/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ONNX_GRAPH_H
#define ONNX_GRAPH_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// Types of the elements of a tensor of an ONNX file, with their numbers there; others exist.
enum OnnxType : uint64_t
{
    ONNX_FLOAT = 1,     //!< 32 bits
    ONNX_INT32 = 6,     //!< Integer of 32 bits
    ONNX_INT64 = 7,     //!< Integer of 64 bits
    ONNX_BOOL = 9,      //!< True or false
    ONNX_HALF = 10,     //!< 16 bits
    ONNX_DOUBLE = 11,   //!< 64 bits
    ONNX_BFLOAT16 = 16, //!< The upper 16 of 32 bits
};

/// A tensor whose elements an ONNX file states.
struct OnnxConstant
{
    /**
     * @param message a tensor in the wire format; std::invalid_argument if it is faulty
     * @return the tensor
     */
    static OnnxConstant Parse(std::string_view message);

    std::string name;                           //!< Its name
    uint64_t type{0};                           //!< Type of its elements
    std::vector<uint64_t> shape;                //!< Its dimensions
    std::optional<std::vector<double>> numbers; //!< Its elements if they are few, and in the file
};

/// An attribute of a node of an ONNX file.
struct OnnxAttribute
{
    double number{0};                   //!< A floating-point number
    int64_t integer{0};                 //!< An integer
    std::string text;                   //!< A string
    std::vector<double> numbers;        //!< Floating-point numbers
    std::vector<int64_t> integers;      //!< Integers
    std::optional<OnnxConstant> tensor; //!< A tensor
};

/// A node of an ONNX file: an operator with the names of the tensors that it reads and writes.
struct OnnxNode
{
    std::string name;                                //!< Its name, often empty
    std::string type;                                //!< Name of the operator
    std::string domain;                              //!< Who defines the operator; empty for ONNX
    std::vector<std::string> inputs;                 //!< Tensors it reads; empty if left out
    std::vector<std::string> outputs;                //!< Tensors it writes; empty if left out
    std::map<std::string, OnnxAttribute> attributes; //!< Its attributes
};

/// A dimension of an input of an ONNX file.
struct OnnxDimension
{
    uint64_t size{0};   //!< Its size; 0 if it is open
    std::string symbol; //!< Name of an open dimension
    bool isNamed{true}; //!< Whether the file names it
};

/// An input of an ONNX file.
struct OnnxInput
{
    std::string name;                 //!< Its name
    uint64_t type{0};                 //!< Type of its elements
    bool isShaped{false};             //!< Whether the file states its dimensions
    std::vector<OnnxDimension> shape; //!< Its dimensions
};

/**
 * @ingroup lightpath
 * @brief The contents of an ONNX file, as far as they decide about shapes and costs.
 *
 * Tensors of more than MAX_NUMBERS elements keep their shape alone, as do tensors whose elements
 * are in other files, which are not read. Inputs are those that have no initial value. Open
 * dimensions without a name are called after the input and their place, "image.2", and first ones
 * after that of the first input.
 */
struct OnnxGraph
{
    /// The most elements of a tensor.
    static constexpr uint64_t MAX_ELEMENTS = uint64_t(1) << 46;

    /// The most elements that are kept.
    static constexpr uint64_t MAX_NUMBERS = 1024;

    /// The most dimensions of a tensor.
    static constexpr std::size_t MAX_RANK = 32;

    /// The most nodes, tensors and inputs each.
    static constexpr std::size_t MAX_NODES = 1000000;

    /**
     * @param text the contents of a file; std::invalid_argument if they are no ONNX graph
     * @return the graph
     */
    static OnnxGraph Parse(std::string_view text);

    /**
     * @param shape the dimensions of a tensor
     * @return the number of its elements; std::invalid_argument if there are more than MAX_ELEMENTS
     */
    static uint64_t CountElements(const std::vector<uint64_t>& shape);

    uint64_t version{1};                 //!< Version of ONNX's own operators
    std::vector<OnnxNode> nodes;         //!< The nodes
    std::vector<OnnxConstant> constants; //!< Initial values
    std::vector<OnnxInput> inputs;       //!< The inputs
};

} // namespace lightpath
} // namespace ns3

#endif /* ONNX_GRAPH_H */
