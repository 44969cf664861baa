/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_INPUT_H
#define JSON_INPUT_H

#include "json-source.h"

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <stdexcept>
#include <streambuf>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The characters of a text, and where in it the last one stands.
 */
class JsonInput
{
  public:
    /// The most bytes of a piece, with the spaces before it.
    static constexpr uint64_t MAX_BYTES = 1 << 20;

    /**
     * @param input the text
     * @param source what it is called
     */
    JsonInput(std::istream& input, const JsonSource& source)
        : m_buffer(input.rdbuf()),
          m_source(source)
    {
    }

    /**
     * @return true if there are no more characters
     */
    bool IsAtEnd()
    {
        return Peek() == std::char_traits<char>::eof();
    }

    /**
     * @return the next character
     */
    char Get()
    {
        return std::char_traits<char>::to_char_type(Peek());
    }

    /// Go on by a character.
    void Next()
    {
        const char letter = Get();
        m_buffer->sbumpc();
        ++m_column;
        if (std::isspace(static_cast<unsigned char>(letter)) == 0)
        {
            m_line = m_lines;
        }
        if (letter == '\n')
        {
            ++m_lines;
            m_column = 0;
        }
        if (++m_bytes > MAX_BYTES)
        {
            m_source.Fail(m_lines,
                          "a value, with the spaces before it, must have at most " +
                              std::to_string(MAX_BYTES) + " bytes");
        }
    }

    /// Begin to count the bytes of a new piece.
    void Reset()
    {
        m_bytes = 0;
    }

    /**
     * @return the line of the last character that is no space
     */
    uint64_t GetLine() const
    {
        return m_line;
    }

    /**
     * @return the line and column of the last character
     */
    std::string GetPosition() const
    {
        return m_source.GetName() + ", line " + std::to_string(m_lines) + ", column " +
               std::to_string(m_column);
    }

  private:
    /**
     * @return the next character, or the end
     */
    int Peek()
    {
        try
        {
            return m_buffer->sgetc();
        }
        catch (const std::ios_base::failure&)
        {
            throw std::invalid_argument(m_source.GetName() + " cannot be read");
        }
    }

    std::streambuf* m_buffer;   //!< The text
    const JsonSource& m_source; //!< What it is called
    uint64_t m_lines{1};        //!< Line of the next character
    uint64_t m_line{1};         //!< Line of the last character that is no space
    uint64_t m_column{0};       //!< Column of the last character
    uint64_t m_bytes{0};        //!< Bytes of the piece so far
};

/**
 * @ingroup lightpath
 * @brief A place in a text, as the parser wants it.
 */
class JsonIterator
{
  public:
    using iterator_category = std::input_iterator_tag; //!< Read once, forwards
    using value_type = char;                           //!< Character
    using difference_type = std::ptrdiff_t;            //!< Of two places
    using pointer = const char*;                       //!< To a character
    using reference = char;                            //!< A character

    /**
     * @param input the text; null for its end
     */
    explicit JsonIterator(JsonInput* input)
        : m_input(input)
    {
    }

    /**
     * @return the character
     */
    char operator*() const
    {
        return m_input->Get();
    }

    /**
     * @return the next place
     */
    JsonIterator& operator++()
    {
        m_input->Next();
        return *this;
    }

    /**
     * @return this place, before going on
     */
    JsonIterator operator++(int)
    {
        const JsonIterator old = *this;
        m_input->Next();
        return old;
    }

    /**
     * @param other a place
     * @return true if both are the end of the text, or neither is
     */
    bool operator==(const JsonIterator& other) const
    {
        return IsAtEnd() == other.IsAtEnd();
    }

    /**
     * @param other a place
     * @return true if one of the two is the end of the text
     */
    bool operator!=(const JsonIterator& other) const
    {
        return !(*this == other);
    }

  private:
    /**
     * @return true if this is the end of the text
     */
    bool IsAtEnd() const
    {
        return m_input == nullptr || m_input->IsAtEnd();
    }

    JsonInput* m_input; //!< The text
};

} // namespace lightpath
} // namespace ns3

#endif /* JSON_INPUT_H */
