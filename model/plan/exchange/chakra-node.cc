/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-node.h"

#include "chakra-format.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

ChakraAttribute::ChakraAttribute(std::string_view message)
{
    ProtobufReader reader(message);
    while (reader.Next())
    {
        if (reader.GetField() == chakra::ATTRIBUTE_NAME)
        {
            m_name = reader.GetBytes();
        }
        else
        {
            Take(reader);
        }
    }
}

void
ChakraAttribute::Take(const ProtobufReader& reader)
{
    switch (reader.GetField())
    {
    case chakra::DOUBLE_VALUE:
    case chakra::FLOAT_VALUE:
        m_kind = Kind::REAL;
        m_real = reader.GetDouble();
        break;
    case chakra::INT32_VALUE:
    case chakra::INT64_VALUE:
    case chakra::SFIXED64_VALUE:
        m_kind = Kind::INTEGER;
        m_integer = reader.GetUint64();
        break;
    case chakra::SFIXED32_VALUE:
        m_kind = Kind::INTEGER;
        m_integer = static_cast<uint64_t>(int64_t{static_cast<int32_t>(reader.GetUint64())});
        break;
    case chakra::SINT32_VALUE:
    case chakra::SINT64_VALUE:
        m_kind = Kind::INTEGER;
        m_integer = static_cast<uint64_t>(reader.GetZigzag());
        break;
    case chakra::UINT32_VALUE:
    case chakra::UINT64_VALUE:
    case chakra::FIXED32_VALUE:
    case chakra::FIXED64_VALUE:
    case chakra::BOOL_VALUE:
        m_kind = Kind::UNSIGNED;
        m_integer = reader.GetUint64();
        break;
    case chakra::STRING_VALUE:
    case chakra::BYTES_VALUE:
        m_kind = Kind::TEXT;
        m_bytes = reader.GetBytes();
        break;
    case chakra::BOOL_LIST:
    case chakra::DOUBLE_LIST:
        m_kind = reader.GetField() == chakra::BOOL_LIST ? Kind::BOOLS : Kind::REALS;
        m_bytes = reader.GetBytes();
        break;
    default:
        break;
    }
}

std::string_view
ChakraAttribute::GetName() const
{
    return m_name;
}

void
ChakraAttribute::Refuse(const std::string& wanted) const
{
    throw std::invalid_argument("has the attribute " + std::string(m_name) +
                                ", whose value is not " + wanted);
}

double
ChakraAttribute::GetNumber() const
{
    switch (m_kind)
    {
    case Kind::REAL:
        return m_real;
    case Kind::INTEGER:
        return static_cast<double>(static_cast<int64_t>(m_integer));
    case Kind::UNSIGNED:
        return static_cast<double>(m_integer);
    default:
        Refuse("a number");
    }
}

uint64_t
ChakraAttribute::GetUint(uint64_t most) const
{
    const double number = GetNumber();
    const bool isWhole = m_kind != Kind::REAL || number == std::floor(number);
    if (!isWhole || !(number >= 0) || !(number <= static_cast<double>(most)))
    {
        Refuse("a whole number from 0 to " + std::to_string(most));
    }
    return m_kind == Kind::REAL ? static_cast<uint64_t>(number) : m_integer;
}

std::string
ChakraAttribute::GetText() const
{
    if (m_kind != Kind::TEXT)
    {
        return std::to_string(GetUint());
    }
    // Names of groups and algorithms are quoted in sentences
    const auto isControl = [](unsigned char letter) { return letter < ' ' || letter == 127; };
    if (std::any_of(m_bytes.begin(), m_bytes.end(), isControl))
    {
        Refuse("a text without control characters");
    }
    return std::string(m_bytes);
}

std::vector<double>
ChakraAttribute::GetList() const
{
    if (m_kind != Kind::BOOLS && m_kind != Kind::REALS)
    {
        Refuse("a list of booleans or of floating-point numbers");
    }
    std::vector<double> values;
    ProtobufReader reader(m_bytes);
    while (reader.Next())
    {
        if (reader.GetField() != chakra::LIST_VALUES)
        {
            continue;
        }
        if (m_kind == Kind::BOOLS)
        {
            reader.ForEachVarint([&values](uint64_t value) { values.push_back(value ? 1 : 0); });
        }
        else
        {
            reader.ForEachDouble(sizeof(double),
                                 [&values](double value) { values.push_back(value); });
        }
    }
    return values;
}

void
ChakraNode::Read(std::string_view message)
{
    id = 0;
    name = {};
    type = chakra::INVALID_NODE;
    durationMicros = 0;
    inputs = {};
    dependencies.clear();
    controls.clear();
    attributes.clear();
    ProtobufReader reader(message);
    while (reader.Next())
    {
        switch (reader.GetField())
        {
        case chakra::NODE_ID:
            id = reader.GetUint64();
            break;
        case chakra::NODE_NAME:
            name = reader.GetBytes();
            break;
        case chakra::NODE_TYPE:
            type = reader.GetUint64();
            break;
        case chakra::NODE_CTRL_DEPS:
            reader.ForEachVarint([this](uint64_t other) { controls.push_back(other); });
            break;
        case chakra::NODE_DATA_DEPS:
            reader.ForEachVarint([this](uint64_t other) { dependencies.push_back(other); });
            break;
        case chakra::NODE_DURATION:
            durationMicros = reader.GetUint64();
            break;
        case chakra::NODE_INPUTS: {
            ProtobufReader values(reader.GetBytes());
            while (values.Next())
            {
                if (values.GetField() == chakra::INPUT_VALUES)
                {
                    inputs = values.GetBytes();
                }
            }
            break;
        }
        case chakra::NODE_ATTRIBUTE:
            attributes.emplace_back(reader.GetBytes());
            break;
        default:
            break;
        }
    }
}

} // namespace lightpath
} // namespace ns3
