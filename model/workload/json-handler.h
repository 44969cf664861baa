/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_HANDLER_H
#define JSON_HANDLER_H

#include "json-input.h"
#include "json-source.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Turns what the parser finds into values and brackets.
 */
class JsonHandler : public nlohmann::json_sax<nlohmann::json>
{
  public:
    /**
     * @param input the text
     */
    explicit JsonHandler(JsonInput& input)
        : m_input(input)
    {
    }

    /**
     * Take the value null.
     *
     * @return whether to go on
     */
    bool null() override
    {
        return Take(JsonValue());
    }

    /**
     * Take a truth value.
     *
     * @param value the value
     * @return whether to go on
     */
    bool boolean(bool value) override
    {
        JsonValue taken;
        taken.kind = JsonValue::BOOLEAN;
        taken.truth = value;
        return Take(std::move(taken));
    }

    /**
     * Take a negative whole number.
     *
     * @param value the number
     * @return whether to go on
     */
    bool number_integer(number_integer_t value) override
    {
        return TakeNumber(static_cast<double>(value));
    }

    /**
     * Take a whole number.
     *
     * @param value the number
     * @return whether to go on
     */
    bool number_unsigned(number_unsigned_t value) override
    {
        JsonValue taken;
        taken.kind = JsonValue::WHOLE;
        taken.whole = value;
        taken.number = static_cast<double>(value);
        return Take(std::move(taken));
    }

    /**
     * Take any other number.
     *
     * @param value the number
     * @param text its text
     * @return whether to go on
     */
    bool number_float(number_float_t value, const string_t& text) override
    {
        return TakeNumber(value);
    }

    /**
     * Take a text.
     *
     * @param value the text, which is moved from
     * @return whether to go on
     */
    bool string(string_t& value) override
    {
        JsonValue taken;
        taken.kind = JsonValue::TEXT;
        taken.text = std::move(value);
        return Take(std::move(taken));
    }

    /**
     * Refuse binary data, which no text has.
     *
     * @param value the data
     * @return false, which ends the parsing
     */
    bool binary(binary_t& value) override
    {
        return false; // not in a text
    }

    /**
     * Open an object.
     *
     * @param elements not known in a text
     * @return whether to go on
     */
    bool start_object(std::size_t elements) override
    {
        return Open(true);
    }

    /**
     * Take the key of the value that follows.
     *
     * @param value the key, which is moved from
     * @return whether to go on
     */
    bool key(string_t& value) override
    {
        m_input.Reset();
        m_key = std::move(value);
        return TakeKey();
    }

    /**
     * Close an object.
     *
     * @return whether to go on
     */
    bool end_object() override
    {
        return Close();
    }

    /**
     * Open an array.
     *
     * @param elements not known in a text
     * @return whether to go on
     */
    bool start_array(std::size_t elements) override
    {
        return Open(false);
    }

    /**
     * Close an array.
     *
     * @return whether to go on
     */
    bool end_array() override
    {
        return Close();
    }

    /**
     * Refuse, by std::invalid_argument, what is not JSON.
     *
     * @param position the number of bytes read
     * @param token what was read last
     * @param error what is wrong
     * @return nothing, as it throws
     */
    bool parse_error(std::size_t position,
                     const std::string& token,
                     const nlohmann::json::exception& error) override
    {
        // The message has a place, the part of the grammar, and what is wrong there
        std::string what = error.what();
        const auto dash = what.find(" - ");
        what = dash == std::string::npos ? "a number is too large" : what.substr(dash + 3);
        // What was read last may be no text at all
        what = JsonSource::Quote(what.substr(0, what.find("; last read")));
        throw std::invalid_argument(m_input.GetPosition() +
                                    ": this is not valid JSON: " + what.substr(1, what.size() - 2));
    }

  protected:
    /**
     * @param value a value, without key and line
     * @return whether to go on
     */
    virtual bool TakeScalar(JsonValue value) = 0;

    /**
     * Take the key of what comes next.
     *
     * @return whether to go on
     */
    virtual bool TakeKey() = 0;

    /**
     * Take an opening bracket.
     *
     * @param isObject whether an object begins, not a list
     * @return whether to go on
     */
    virtual bool TakeOpening(bool isObject) = 0;

    /**
     * Take a closing bracket.
     *
     * @return whether to go on
     */
    virtual bool TakeClosing() = 0;

    JsonInput& m_input;  //!< The text
    std::string m_key;   //!< Key of what comes next
    uint64_t m_depth{0}; //!< Brackets that are open

  private:
    /**
     * @param value a value, without key and line
     * @return whether to go on
     */
    bool Take(JsonValue value)
    {
        m_input.Reset();
        value.line = m_input.GetLine();
        return TakeScalar(std::move(value));
    }

    /**
     * @param value a number
     * @return whether to go on
     */
    bool TakeNumber(double value)
    {
        JsonValue taken;
        taken.kind = JsonValue::NUMBER;
        taken.number = value;
        return Take(std::move(taken));
    }

    /**
     * @param isObject whether an object begins, not a list
     * @return whether to go on
     */
    bool Open(bool isObject)
    {
        m_input.Reset();
        ++m_depth;
        return TakeOpening(isObject);
    }

    /**
     * @return whether to go on
     */
    bool Close()
    {
        m_input.Reset();
        const bool goesOn = TakeClosing();
        --m_depth;
        return goesOn;
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* JSON_HANDLER_H */
