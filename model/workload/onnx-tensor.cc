/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-value.h"
#include "model/base/protobuf-reader.h"
#include "onnx-graph.h"

#include <cstring>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Read elements of an integral type.
 *
 * @tparam T the type of the elements
 * @param bytes the elements in sequence
 * @return the elements
 */
template <class T>
std::vector<double>
ReadRaw(std::string_view bytes)
{
    std::vector<double> numbers(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        T number;
        std::memcpy(&number, bytes.data() + i * sizeof(T), sizeof(T));
        numbers[i] = static_cast<double>(number);
    }
    return numbers;
}

/**
 * @param type the type of elements
 * @return their bytes; 0 for types that are not read
 */
std::size_t
GetElementBytes(uint64_t type)
{
    switch (type)
    {
    case ONNX_BOOL:
        return 1;
    case ONNX_HALF:
    case ONNX_BFLOAT16:
        return 2;
    case ONNX_FLOAT:
    case ONNX_INT32:
        return 4;
    case ONNX_DOUBLE:
    case ONNX_INT64:
        return 8;
    default:
        return 0;
    }
}

/**
 * @param type the type of elements
 * @param bytes the elements in sequence
 * @return the elements; none for types whose elements no shape depends on
 */
std::optional<std::vector<double>>
ReadElements(uint64_t type, std::string_view bytes)
{
    switch (type)
    {
    case ONNX_BOOL:
        return ReadRaw<uint8_t>(bytes);
    case ONNX_FLOAT:
        return ReadRaw<float>(bytes);
    case ONNX_INT32:
        return ReadRaw<int32_t>(bytes);
    case ONNX_DOUBLE:
        return ReadRaw<double>(bytes);
    case ONNX_INT64:
        return ReadRaw<int64_t>(bytes);
    default:
        return std::nullopt;
    }
}

/**
 * @param [in,out] shape the dimensions of a tensor so far
 * @param size the next one
 */
void
AddDimension(std::vector<uint64_t>& shape, uint64_t size)
{
    if (shape.size() == OnnxGraph::MAX_RANK)
    {
        throw std::invalid_argument("a tensor has more than " +
                                    std::to_string(OnnxGraph::MAX_RANK) + " dimensions");
    }
    shape.push_back(size);
}

/**
 * Give a tensor its elements if they are few.
 *
 * @param [in,out] tensor the tensor
 * @param raw its elements in sequence, if the file has them so
 * @param numbers its elements otherwise
 */
void
SetNumbers(OnnxConstant& tensor,
           const std::optional<std::string_view>& raw,
           std::vector<double> numbers)
{
    const uint64_t elements = OnnxGraph::CountElements(tensor.shape);
    const std::size_t width = GetElementBytes(tensor.type);
    if (raw && width > 0 && raw->size() != elements * width)
    {
        throw std::invalid_argument(
            "tensor " + JsonValue::Quote(tensor.name) + " has " + std::to_string(raw->size()) +
            " bytes, but its shape and type need " + std::to_string(elements * width));
    }
    if (elements > OnnxGraph::MAX_NUMBERS)
    {
        return;
    }
    if (raw)
    {
        tensor.numbers = ReadElements(tensor.type, *raw);
    }
    else if (numbers.size() == elements)
    {
        tensor.numbers = std::move(numbers);
    }
}

} // namespace

OnnxConstant
OnnxConstant::Parse(std::string_view message)
{
    OnnxConstant tensor;
    std::vector<double> numbers;
    std::optional<std::string_view> raw;
    bool isElsewhere = false;
    const auto add = [&numbers](double number) {
        if (numbers.size() <= OnnxGraph::MAX_NUMBERS)
        {
            numbers.push_back(number);
        }
    };
    const auto addInteger = [&add](uint64_t number) {
        add(static_cast<double>(static_cast<int64_t>(number)));
    };
    for (ProtobufReader field(message); field.Next();)
    {
        switch (field.GetField())
        {
        case 1:
            field.ForEachVarint([&tensor](uint64_t size) { AddDimension(tensor.shape, size); });
            break;
        case 2:
            tensor.type = field.GetUint64();
            break;
        case 4:
            field.ForEachDouble(sizeof(float), add);
            break;
        case 5:
        case 7:
            field.ForEachVarint(addInteger);
            break;
        case 8:
            tensor.name = field.GetBytes();
            break;
        case 9:
            raw = field.GetBytes();
            break;
        case 10:
            field.ForEachDouble(sizeof(double), add);
            break;
        case 14:
            isElsewhere = field.GetUint64() == 1;
            break;
        default:
            break;
        }
    }
    OnnxGraph::CountElements(tensor.shape);
    if (!isElsewhere)
    {
        SetNumbers(tensor, raw, std::move(numbers));
    }
    return tensor;
}

} // namespace lightpath
} // namespace ns3
