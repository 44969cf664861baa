/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "protobuf-writer.h"

#include "protobuf-reader.h"

#include <cstring>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param field the number of a field
 * @param type its encoding
 * @return the key that precedes its value
 */
uint64_t
MakeKey(uint32_t field, ProtobufReader::WireType type)
{
    return static_cast<uint64_t>(field) << 3 | type;
}

/// Most bytes of a varint.
constexpr std::size_t MOST_VARINT_BYTES = 10;

/**
 * @param [out] bytes where to write a number, MOST_VARINT_BYTES at most
 * @param value the number
 * @return the bytes that it takes
 */
std::size_t
PutVarint(char* bytes, uint64_t value)
{
    constexpr uint64_t MORE = 0x80;
    std::size_t size = 0;
    while (value >= MORE)
    {
        bytes[size++] = static_cast<char>(value | MORE);
        value >>= 7;
    }
    bytes[size++] = static_cast<char>(value);
    return size;
}

} // namespace

void
ProtobufWriter::AddVarint(uint32_t field, uint64_t value)
{
    // Most fields are integers, so that key and value are appended at once
    char bytes[2 * MOST_VARINT_BYTES];
    const std::size_t size = PutVarint(bytes, MakeKey(field, ProtobufReader::VARINT));
    m_message.append(bytes, size + PutVarint(bytes + size, value));
}

void
ProtobufWriter::AddFixed64(uint32_t field, uint64_t value)
{
    AppendVarint(m_message, MakeKey(field, ProtobufReader::FIXED64));
    char bytes[sizeof(value)];
    for (uint32_t byte = 0; byte < sizeof(value); ++byte)
    {
        bytes[byte] = static_cast<char>(value >> 8 * byte);
    }
    m_message.append(bytes, sizeof(bytes));
}

void
ProtobufWriter::AddDouble(uint32_t field, double value)
{
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    AddFixed64(field, bits);
}

void
ProtobufWriter::AddBytes(uint32_t field, std::string_view value)
{
    AppendVarint(m_message, MakeKey(field, ProtobufReader::BYTES));
    AppendVarint(m_message, value.size());
    m_message.append(value);
}

void
ProtobufWriter::AddMessage(uint32_t field, const ProtobufWriter& message)
{
    AddBytes(field, message.m_message);
}

void
ProtobufWriter::AddPacked(uint32_t field, const std::vector<uint64_t>& values)
{
    if (values.empty())
    {
        return;
    }
    std::string packed;
    for (const uint64_t value : values)
    {
        AppendVarint(packed, value);
    }
    AddBytes(field, packed);
}

const std::string&
ProtobufWriter::GetMessage() const
{
    return m_message;
}

void
ProtobufWriter::Clear()
{
    m_message.clear();
}

void
ProtobufWriter::WriteDelimited(std::ostream& os) const
{
    std::string length;
    AppendVarint(length, m_message.size());
    os << length << m_message;
}

void
ProtobufWriter::AppendVarint(std::string& text, uint64_t value)
{
    char bytes[MOST_VARINT_BYTES];
    text.append(bytes, PutVarint(bytes, value));
}

} // namespace lightpath
} // namespace ns3
