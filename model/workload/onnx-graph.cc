/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-graph.h"

#include "model/base/protobuf-reader.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most integers or numbers of an attribute.
constexpr std::size_t MAX_LIST = 65536;

/**
 * Add to a list that a file must not make as long as it likes.
 *
 * @tparam T the type of the elements
 * @param list the list
 * @param element the element
 * @param most the most elements
 * @param noun the name of several elements
 * @return the element in the list
 */
template <class T>
T&
AddTo(std::vector<T>& list, T element, std::size_t most, const char* noun)
{
    if (list.size() == most)
    {
        throw std::invalid_argument("there are more than " + std::to_string(most) + " " + noun);
    }
    list.push_back(std::move(element));
    return list.back();
}

/**
 * @param field a string
 * @return the string
 */
std::string
GetString(const ProtobufReader& field)
{
    return std::string(field.GetBytes());
}

/**
 * @param message an attribute
 * @param [out] name its name
 * @return the attribute
 */
OnnxAttribute
ReadAttribute(std::string_view message, std::string& name)
{
    OnnxAttribute attribute;
    const auto addNumber = [&attribute](double number) {
        AddTo(attribute.numbers, number, MAX_LIST, "numbers in an attribute");
    };
    const auto addInteger = [&attribute](uint64_t number) {
        AddTo(attribute.integers,
              static_cast<int64_t>(number),
              MAX_LIST,
              "integers in an attribute");
    };
    for (ProtobufReader field(message); field.Next();)
    {
        switch (field.GetField())
        {
        case 1:
            name = GetString(field);
            break;
        case 2:
            attribute.number = field.GetDouble();
            break;
        case 3:
            attribute.integer = static_cast<int64_t>(field.GetUint64());
            break;
        case 4:
            attribute.text = GetString(field);
            break;
        case 5:
            attribute.tensor = OnnxConstant::Parse(field.GetBytes());
            break;
        case 7:
            field.ForEachDouble(sizeof(float), addNumber);
            break;
        case 8:
            field.ForEachVarint(addInteger);
            break;
        default:
            break;
        }
    }
    return attribute;
}

/**
 * @param message a node
 * @return the node
 */
OnnxNode
ReadNode(std::string_view message)
{
    OnnxNode node;
    for (ProtobufReader field(message); field.Next();)
    {
        switch (field.GetField())
        {
        case 1:
            AddTo(node.inputs, GetString(field), MAX_LIST, "inputs of a node");
            break;
        case 2:
            AddTo(node.outputs, GetString(field), MAX_LIST, "outputs of a node");
            break;
        case 3:
            node.name = GetString(field);
            break;
        case 4:
            node.type = GetString(field);
            break;
        case 5: {
            std::string name;
            OnnxAttribute attribute = ReadAttribute(field.GetBytes(), name);
            node.attributes[name] = std::move(attribute);
            break;
        }
        case 7:
            node.domain = GetString(field);
            break;
        default:
            break;
        }
    }
    return node;
}

/**
 * @param message a dimension
 * @return the dimension
 */
OnnxDimension
ReadDimension(std::string_view message)
{
    OnnxDimension dimension;
    for (ProtobufReader field(message); field.Next();)
    {
        if (field.GetField() == 1)
        {
            // Writers state -1, too, for a dimension that they do not know
            const uint64_t size = field.GetUint64();
            dimension.size = size <= OnnxGraph::MAX_ELEMENTS ? size : 0;
        }
        else if (field.GetField() == 2)
        {
            dimension.symbol = GetString(field);
        }
    }
    return dimension;
}

/**
 * Name the open dimensions that the file does not name, and make options of all names.
 *
 * @param [in,out] input an input
 */
void
NameDimensions(OnnxInput& input)
{
    for (std::size_t place = 0; place < input.shape.size(); ++place)
    {
        OnnxDimension& dimension = input.shape[place];
        if (dimension.size == 0 && dimension.symbol.empty())
        {
            dimension.isNamed = false;
            dimension.symbol = input.name + "." + std::to_string(place);
        }
        // An option has no spaces, commas and equals signs
        std::replace_if(
            dimension.symbol.begin(),
            dimension.symbol.end(),
            [](unsigned char c) { return c <= ' ' || c > '~' || c == ',' || c == '='; },
            '_');
    }
}

/**
 * @param message an input
 * @return the input
 */
OnnxInput
ReadInput(std::string_view message)
{
    OnnxInput input;
    const auto readShape = [&input](std::string_view shape) {
        input.isShaped = true;
        for (ProtobufReader field(shape); field.Next();)
        {
            if (field.GetField() == 1)
            {
                AddTo(input.shape,
                      ReadDimension(field.GetBytes()),
                      OnnxGraph::MAX_RANK,
                      "dimensions of a tensor");
            }
        }
    };
    const auto readTensorType = [&](std::string_view type) {
        for (ProtobufReader field(type); field.Next();)
        {
            if (field.GetField() == 1)
            {
                input.type = field.GetUint64();
            }
            else if (field.GetField() == 2)
            {
                readShape(field.GetBytes());
            }
        }
    };
    for (ProtobufReader field(message); field.Next();)
    {
        if (field.GetField() == 1)
        {
            input.name = GetString(field);
        }
        else if (field.GetField() == 2)
        {
            for (ProtobufReader type(field.GetBytes()); type.Next();)
            {
                if (type.GetField() == 1)
                {
                    readTensorType(type.GetBytes());
                }
            }
        }
    }
    NameDimensions(input);
    return input;
}

/**
 * @param message the graph of a model
 * @param [out] graph the graph
 */
void
ReadGraph(std::string_view message, OnnxGraph& graph)
{
    for (ProtobufReader field(message); field.Next();)
    {
        switch (field.GetField())
        {
        case 1:
            AddTo(graph.nodes, ReadNode(field.GetBytes()), OnnxGraph::MAX_NODES, "nodes");
            break;
        case 5:
            AddTo(graph.constants,
                  OnnxConstant::Parse(field.GetBytes()),
                  OnnxGraph::MAX_NODES,
                  "tensors");
            break;
        case 11:
            AddTo(graph.inputs, ReadInput(field.GetBytes()), OnnxGraph::MAX_NODES, "inputs");
            break;
        case 15:
            throw std::invalid_argument(
                "it has a sparse tensor: write its elements as a dense tensor");
        default:
            break;
        }
    }
}

/**
 * @param message the version of a set of operators
 * @return the version; 0 if they are not ONNX's own
 */
uint64_t
ReadVersion(std::string_view message)
{
    uint64_t version = 0;
    std::string domain;
    for (ProtobufReader field(message); field.Next();)
    {
        if (field.GetField() == 1)
        {
            domain = GetString(field);
        }
        else if (field.GetField() == 2)
        {
            version = field.GetUint64();
        }
    }
    return domain.empty() || domain == "ai.onnx" ? version : 0;
}

/**
 * Call first dimensions without a name after that of the first input, the batch.
 *
 * @param [in,out] inputs the inputs
 */
void
ShareBatch(std::vector<OnnxInput>& inputs)
{
    for (auto& input : inputs)
    {
        const bool isUnnamed = !input.shape.empty() && !input.shape[0].isNamed;
        if (isUnnamed && !inputs[0].shape.empty() && inputs[0].shape[0].size == 0)
        {
            input.shape[0].symbol = inputs[0].shape[0].symbol;
        }
    }
}

} // namespace

uint64_t
OnnxGraph::CountElements(const std::vector<uint64_t>& shape)
{
    uint64_t elements = 1;
    for (const auto size : shape)
    {
        if (size > 0 && elements > MAX_ELEMENTS / size)
        {
            throw std::invalid_argument("a tensor has more than 2^46 elements");
        }
        elements *= size;
    }
    return elements;
}

OnnxGraph
OnnxGraph::Parse(std::string_view text)
{
    OnnxGraph graph;
    bool hasGraph = false;
    for (ProtobufReader field(text); field.Next();)
    {
        if (field.GetField() == 7)
        {
            hasGraph = true;
            ReadGraph(field.GetBytes(), graph);
        }
        else if (field.GetField() == 8)
        {
            graph.version = std::max(graph.version, ReadVersion(field.GetBytes()));
        }
    }
    if (!hasGraph || graph.nodes.empty())
    {
        throw std::invalid_argument("it has no graph with nodes");
    }
    // Old files list initial values among the inputs as well
    std::set<std::string> names;
    for (const auto& constant : graph.constants)
    {
        names.insert(constant.name);
    }
    auto& inputs = graph.inputs;
    inputs.erase(std::remove_if(inputs.begin(),
                                inputs.end(),
                                [&names](const auto& input) { return names.count(input.name); }),
                 inputs.end());
    ShareBatch(inputs);
    return graph;
}

} // namespace lightpath
} // namespace ns3
