/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_SOURCE_H
#define JSON_SOURCE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A number, a text, a truth value or null of a document, and where it stands.
 */
struct JsonValue
{
    /// What it is.
    enum Kind
    {
        NOTHING, //!< null
        BOOLEAN, //!< true or false
        WHOLE,   //!< A whole number from 0 to 2^64 - 1
        NUMBER,  //!< Any other number
        TEXT,    //!< A text
    };

    std::string key;    //!< Its key; empty in a list
    Kind kind{NOTHING}; //!< What it is
    bool truth{false};  //!< The value of a BOOLEAN
    uint64_t whole{0};  //!< The value of a WHOLE
    double number{0};   //!< The value of a WHOLE or a NUMBER
    std::string text;   //!< The value of a TEXT
    uint64_t line{0};   //!< The line that it stands in, from 1
};

/**
 * @ingroup lightpath
 * @brief A document by the name that sentences call it: says what is wrong with it, and where.
 *
 * Each getter refuses a value that is not as it must be, by std::invalid_argument.
 */
class JsonSource
{
  public:
    /// The most bytes of a text.
    static constexpr uint32_t MAX_TEXT = 256;

    /**
     * @param name what the document is called, like the name of its file
     */
    explicit JsonSource(std::string name);

    /**
     * @return what the document is called
     */
    const std::string& GetName() const;

    /**
     * Refuse the document.
     *
     * @param line the line that is at fault
     * @param sentence what is wrong with it, and what would be right
     */
    [[noreturn]] void Fail(uint64_t line, const std::string& sentence) const;

    /**
     * @param value a value
     * @param least the least number that it can be
     * @param most the largest number that it can be, at most 2^53
     * @return the whole number that it is; 2e9 is one as well
     */
    uint64_t GetWhole(const JsonValue& value, uint64_t least, uint64_t most) const;

    /**
     * @param value a value
     * @param most the largest number that it can be
     * @return the number that it is, which is 0 or more
     */
    double GetNumber(const JsonValue& value, double most) const;

    /**
     * @param value a value
     * @return the truth value that it is
     */
    bool GetBoolean(const JsonValue& value) const;

    /**
     * @param value a value
     * @return the text that it is, which has a character at least, MAX_TEXT bytes at most and no
     *         control characters
     */
    const std::string& GetText(const JsonValue& value) const;

    /**
     * @param value a value
     * @param words the words that it can be
     * @return the index of the one that it is
     */
    std::size_t GetWord(const JsonValue& value, const std::vector<std::string>& words) const;

    /**
     * Refuse a key that nothing is known of.
     *
     * @param line the line that it stands in
     * @param key the key
     * @param known the keys that are known
     */
    [[noreturn]] void FailKey(uint64_t line,
                              const std::string& key,
                              const std::vector<std::string>& known) const;

    /**
     * @param text any text
     * @return it in quotation marks, on one line and cut if it is long
     */
    static std::string Quote(const std::string& text);

  private:
    std::string m_name; //!< What the document is called
};

} // namespace lightpath
} // namespace ns3

#endif /* JSON_SOURCE_H */
