/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROTOBUF_WRITER_H
#define PROTOBUF_WRITER_H

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the fields of one message in the wire format of protocol buffers.
 *
 * A message within another is written by a writer of its own and added as bytes.
 */
class ProtobufWriter
{
  public:
    /**
     * @param field the number of the field
     * @param value its value, an integer of any type but sint32 and sint64
     */
    void AddVarint(uint32_t field, uint64_t value);

    /**
     * @param field the number of the field
     * @param value its value, of type fixed64
     */
    void AddFixed64(uint32_t field, uint64_t value);

    /**
     * @param field the number of the field
     * @param value its value, of type double
     */
    void AddDouble(uint32_t field, double value);

    /**
     * @param field the number of the field
     * @param value its value: a string, bytes or a message
     */
    void AddBytes(uint32_t field, std::string_view value);

    /**
     * Add a message.
     *
     * @param field the number of the field
     * @param message the message
     */
    void AddMessage(uint32_t field, const ProtobufWriter& message);

    /**
     * Add a repeated field of integers, packed; nothing if there are none.
     *
     * @param field the number of the field
     * @param values its values
     */
    void AddPacked(uint32_t field, const std::vector<uint64_t>& values);

    /**
     * @return the message
     */
    const std::string& GetMessage() const;

    /// Begin another message, in the memory of this one.
    void Clear();

    /**
     * Write a message behind its length.
     *
     * @param os where to write
     */
    void WriteDelimited(std::ostream& os) const;

  private:
    /**
     * @param [in,out] text where to append a number
     * @param value the number
     */
    static void AppendVarint(std::string& text, uint64_t value);

    std::string m_message; //!< The message
};

} // namespace lightpath
} // namespace ns3

#endif /* PROTOBUF_WRITER_H */
