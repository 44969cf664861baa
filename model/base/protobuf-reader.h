/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROTOBUF_READER_H
#define PROTOBUF_READER_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reads the fields of one message in the wire format of protocol buffers.
 *
 * The message stays where it is and must outlive the reader. A message that is damaged is refused
 * by std::invalid_argument with the offset of the damage; the reader never reads beyond its end.
 *
 * @code
 *   ProtobufReader reader(message);
 *   while (reader.Next())
 *   {
 *       switch (reader.GetField())
 *       {
 *       case 1:
 *           id = reader.GetUint64();
 *           break;
 *       }
 *   }
 * @endcode
 *
 * Fields whose value is not asked for are skipped.
 */
class ProtobufReader
{
  public:
    /// The encodings of values.
    enum WireType : uint8_t
    {
        VARINT = 0,  //!< Integers of variable length
        FIXED64 = 1, //!< 8 bytes
        BYTES = 2,   //!< A length and as many bytes: strings, messages, packed numbers
        FIXED32 = 5, //!< 4 bytes
    };

    /**
     * @param message the message
     */
    explicit ProtobufReader(std::string_view message);

    /**
     * Go on to the next field.
     *
     * @return true if there is one
     */
    bool Next();

    /**
     * @return the number of the field
     */
    uint32_t GetField() const;

    /**
     * @return the encoding of the field
     */
    WireType GetWireType() const;

    /**
     * @return the field as an unsigned integer; it must be of type VARINT, FIXED64 or FIXED32
     */
    uint64_t GetUint64() const;

    /**
     * @return the field as an integer in zigzag encoding (sint32, sint64)
     */
    int64_t GetZigzag() const;

    /**
     * @return the field as a floating-point number; it must be of type FIXED64 (double) or FIXED32
     *         (float)
     */
    double GetDouble() const;

    /**
     * @return the field as a string, message or packed numbers; it must be of type BYTES
     */
    std::string_view GetBytes() const;

    /**
     * Read a repeated field of integers, packed or not.
     *
     * @param add takes each number
     */
    void ForEachVarint(const std::function<void(uint64_t)>& add) const;

    /**
     * Read a repeated field of floating-point numbers, packed or not.
     *
     * @param size the bytes of a number: 4 (float) or 8 (double)
     * @param add takes each number
     */
    void ForEachDouble(std::size_t size, const std::function<void(double)>& add) const;

    /**
     * Read the next message of a file in which each is preceded by its length. Memory grows with
     * the bytes that are there, not with the length that the file states.
     *
     * @param is the file
     * @param [out] message the message
     * @return true if there was one; false at the end of the file
     */
    static bool ReadDelimited(std::istream& is, std::string& message);

  private:
    /**
     * @param text bytes
     * @param [in,out] offset where a varint begins; behind it afterwards
     * @return the varint
     */
    static uint64_t ReadVarint(std::string_view text, std::size_t& offset);

    /**
     * Throw unless the field has an encoding.
     *
     * @param type the encoding
     */
    void Require(WireType type) const;

    std::string_view m_message; //!< The message
    std::size_t m_next{0};      //!< Where the next field begins
    uint32_t m_field{0};        //!< Number of the field
    WireType m_type{VARINT};    //!< Its encoding
    uint64_t m_number{0};       //!< Its value if it is a number
    std::string_view m_bytes;   //!< Its value if it is of type BYTES
};

} // namespace lightpath
} // namespace ns3

#endif /* PROTOBUF_READER_H */
