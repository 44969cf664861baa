/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_NODE_H
#define CHAKRA_NODE_H

#include "model/base/protobuf-reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An attribute of a Chakra trace: a name and a value of any of the types of the schema.
 *
 * Writers differ in the types that they give the same attribute, so any number is taken for any
 * other. The text stays where it is.
 */
class ChakraAttribute
{
  public:
    /**
     * @param message the attribute; std::invalid_argument if it is damaged
     */
    explicit ChakraAttribute(std::string_view message);

    /**
     * @return its name
     */
    std::string_view GetName() const;

    /**
     * @return the value as a number; std::invalid_argument for anything else
     */
    double GetNumber() const;

    /**
     * @param most the largest number that makes sense
     * @return the value as a whole number of at least 0; std::invalid_argument for anything else
     */
    uint64_t GetUint(uint64_t most = uint64_t{1} << 53) const;

    /**
     * @return the value as text, also if it is a whole number; std::invalid_argument for anything
     *         else, and for a text with control characters
     */
    std::string GetText() const;

    /**
     * @return the values of a list of booleans or of floating-point numbers; std::invalid_argument
     *         for anything else
     */
    std::vector<double> GetList() const;

  private:
    /// The types of values.
    enum class Kind : uint8_t
    {
        NONE,
        INTEGER,
        UNSIGNED,
        REAL,
        TEXT,
        BOOLS,
        REALS,
    };

    /**
     * Refuse the value, by std::invalid_argument.
     *
     * @param wanted what it should be
     */
    [[noreturn]] void Refuse(const std::string& wanted) const;

    /**
     * @param reader a field of the attribute
     */
    void Take(const ProtobufReader& reader);

    std::string_view m_name;  //!< Its name
    Kind m_kind{Kind::NONE};  //!< The type of the value
    uint64_t m_integer{0};    //!< The value as a whole number, signed or not
    double m_real{0};         //!< The value as a floating-point number
    std::string_view m_bytes; //!< The value as text, or a list
};

/**
 * @ingroup lightpath
 * @brief A node of a Chakra trace, as its record has it. The text stays where it is.
 */
struct ChakraNode
{
    /**
     * Read a node. Unknown fields are skipped; std::invalid_argument for a damaged record.
     *
     * @param message the record
     */
    void Read(std::string_view message);

    uint64_t id{0};                          //!< Its number
    std::string_view name;                   //!< Its name
    uint64_t type{0};                        //!< chakra::NodeType
    uint64_t durationMicros{0};              //!< Its time as it was recorded, microseconds
    std::string_view inputs;                 //!< The values of its inputs
    std::vector<uint64_t> dependencies;      //!< The nodes whose data it waits for
    std::vector<uint64_t> controls;          //!< Those that come before it for another reason
    std::vector<ChakraAttribute> attributes; //!< Its attributes
};

} // namespace lightpath
} // namespace ns3

#endif /* CHAKRA_NODE_H */
