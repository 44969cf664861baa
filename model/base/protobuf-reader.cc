/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "protobuf-reader.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr uint32_t VARINT_BITS = 7;        //!< Bits of a number in each byte of a varint
constexpr uint8_t VARINT_MORE = 0x80;      //!< Bit of a byte that is not the last one
constexpr uint32_t MAX_SHIFT = 63;         //!< Shift of the last byte of the longest varint
constexpr uint32_t TYPE_BITS = 3;          //!< Bits of a key for the encoding
constexpr uint64_t MAX_FIELD = 0x1fffffff; //!< Largest number of a field
constexpr std::size_t CHUNK = 1 << 20;     //!< Bytes of a message read in one piece

/**
 * @param text bytes
 * @param size the bytes of a number
 * @return the first bytes as a little-endian number
 */
uint64_t
ReadLittleEndian(std::string_view text, std::size_t size)
{
    uint64_t number = 0;
    for (std::size_t i = size; i > 0; --i)
    {
        number = number << 8 | static_cast<uint8_t>(text[i - 1]);
    }
    return number;
}

/**
 * @param bits the bits of a floating-point number
 * @param size its bytes: 4 or 8
 * @return the number
 */
double
ToDouble(uint64_t bits, std::size_t size)
{
    if (size == sizeof(float))
    {
        const auto few = static_cast<uint32_t>(bits);
        float value = 0;
        std::memcpy(&value, &few, sizeof(value));
        return value;
    }
    double value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

} // namespace

ProtobufReader::ProtobufReader(std::string_view message)
    : m_message(message)
{
}

bool
ProtobufReader::Next()
{
    if (m_next == m_message.size())
    {
        return false;
    }
    const std::size_t begin = m_next;
    const uint64_t key = ReadVarint(m_message, m_next);
    const uint64_t field = key >> TYPE_BITS;
    if (field == 0 || field > MAX_FIELD)
    {
        throw std::invalid_argument("byte " + std::to_string(begin) + " begins field " +
                                    std::to_string(field) + ", which cannot exist");
    }
    m_field = static_cast<uint32_t>(field);
    m_type = static_cast<WireType>(key & ((1 << TYPE_BITS) - 1));
    uint64_t size = 0;
    switch (m_type)
    {
    case VARINT:
        m_number = ReadVarint(m_message, m_next);
        return true;
    case BYTES:
        size = ReadVarint(m_message, m_next);
        break;
    case FIXED64:
        size = sizeof(uint64_t);
        break;
    case FIXED32:
        size = sizeof(uint32_t);
        break;
    default:
        throw std::invalid_argument("field " + std::to_string(m_field) + " at byte " +
                                    std::to_string(begin) + " has the unknown wire type " +
                                    std::to_string(m_type));
    }
    const std::size_t left = m_message.size() - m_next;
    if (size > left)
    {
        throw std::invalid_argument("field " + std::to_string(m_field) + " at byte " +
                                    std::to_string(begin) + " takes " + std::to_string(size) +
                                    " bytes, but " + std::to_string(left) + " are left");
    }
    m_bytes = m_message.substr(m_next, size);
    m_next += size;
    if (m_type != BYTES)
    {
        m_number = ReadLittleEndian(m_bytes, size);
    }
    return true;
}

uint32_t
ProtobufReader::GetField() const
{
    return m_field;
}

ProtobufReader::WireType
ProtobufReader::GetWireType() const
{
    return m_type;
}

uint64_t
ProtobufReader::GetUint64() const
{
    if (m_type == BYTES)
    {
        Require(VARINT);
    }
    return m_number;
}

int64_t
ProtobufReader::GetZigzag() const
{
    const uint64_t number = GetUint64();
    return static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
}

double
ProtobufReader::GetDouble() const
{
    if (m_type != FIXED32)
    {
        Require(FIXED64);
    }
    return ToDouble(m_number, m_type == FIXED32 ? sizeof(float) : sizeof(double));
}

std::string_view
ProtobufReader::GetBytes() const
{
    Require(BYTES);
    return m_bytes;
}

void
ProtobufReader::ForEachVarint(const std::function<void(uint64_t)>& add) const
{
    if (m_type == VARINT)
    {
        add(m_number);
        return;
    }
    Require(BYTES);
    std::size_t offset = 0;
    while (offset < m_bytes.size())
    {
        add(ReadVarint(m_bytes, offset));
    }
}

void
ProtobufReader::ForEachDouble(std::size_t size, const std::function<void(double)>& add) const
{
    if (m_type != BYTES)
    {
        add(GetDouble());
        return;
    }
    if (m_bytes.size() % size != 0)
    {
        throw std::invalid_argument(
            "field " + std::to_string(m_field) + " takes " + std::to_string(m_bytes.size()) +
            " bytes, but each of its numbers takes " + std::to_string(size));
    }
    for (std::size_t offset = 0; offset < m_bytes.size(); offset += size)
    {
        add(ToDouble(ReadLittleEndian(m_bytes.substr(offset), size), size));
    }
}

bool
ProtobufReader::ReadDelimited(std::istream& is, std::string& message)
{
    message.clear();
    uint64_t size = 0;
    for (uint32_t shift = 0;; shift += VARINT_BITS)
    {
        const int byte = is.get();
        if (byte == std::istream::traits_type::eof())
        {
            if (shift == 0)
            {
                return false;
            }
            throw std::invalid_argument("the file ends inside the length of a message");
        }
        if (shift > MAX_SHIFT)
        {
            throw std::invalid_argument("the length of a message has more than 10 bytes");
        }
        size |= static_cast<uint64_t>(byte & (VARINT_MORE - 1)) << shift;
        if (!(byte & VARINT_MORE))
        {
            break;
        }
    }
    while (message.size() < size)
    {
        const std::size_t begin = message.size();
        const std::size_t part = std::min<uint64_t>(CHUNK, size - begin);
        message.resize(begin + part);
        is.read(&message[begin], static_cast<std::streamsize>(part));
        if (static_cast<std::size_t>(is.gcount()) != part)
        {
            throw std::invalid_argument("a message is said to take " + std::to_string(size) +
                                        " bytes, but the file ends after " +
                                        std::to_string(begin + is.gcount()));
        }
    }
    return true;
}

uint64_t
ProtobufReader::ReadVarint(std::string_view text, std::size_t& offset)
{
    const std::size_t begin = offset;
    uint64_t number = 0;
    for (uint32_t shift = 0; shift <= MAX_SHIFT; shift += VARINT_BITS)
    {
        if (offset == text.size())
        {
            throw std::invalid_argument("the number at byte " + std::to_string(begin) +
                                        " is cut off");
        }
        const auto byte = static_cast<uint8_t>(text[offset]);
        ++offset;
        number |= static_cast<uint64_t>(byte & (VARINT_MORE - 1)) << shift;
        if (!(byte & VARINT_MORE))
        {
            return number;
        }
    }
    throw std::invalid_argument("the number at byte " + std::to_string(begin) +
                                " has more than 10 bytes");
}

void
ProtobufReader::Require(WireType type) const
{
    if (m_type != type)
    {
        throw std::invalid_argument("field " + std::to_string(m_field) + " has wire type " +
                                    std::to_string(m_type) + " in place of " +
                                    std::to_string(type));
    }
}

} // namespace lightpath
} // namespace ns3
