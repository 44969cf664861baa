/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-source.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param value a value
 * @return what it is, as sentences say it
 */
std::string
Describe(const JsonValue& value)
{
    std::ostringstream text;
    text.precision(15);
    switch (value.kind)
    {
    case JsonValue::NOTHING:
        return "null";
    case JsonValue::BOOLEAN:
        return value.truth ? "true" : "false";
    case JsonValue::WHOLE:
        return std::to_string(value.whole);
    case JsonValue::NUMBER:
        text << value.number;
        return text.str();
    case JsonValue::TEXT:
        break;
    }
    return JsonSource::Quote(value.text);
}

/**
 * @param value a value
 * @return how sentences about it begin
 */
std::string
Begin(const JsonValue& value)
{
    const std::string what = value.key.empty() ? "an element" : JsonSource::Quote(value.key);
    return what + " is " + Describe(value) + ", but must be ";
}

/**
 * @param words some words
 * @return the words separated by commas
 */
std::string
Join(const std::vector<std::string>& words)
{
    std::string list;
    for (const auto& word : words)
    {
        list += (list.empty() ? "" : ", ") + word;
    }
    return list;
}

} // namespace

JsonSource::JsonSource(std::string name)
    : m_name(std::move(name))
{
}

const std::string&
JsonSource::GetName() const
{
    return m_name;
}

void
JsonSource::Fail(uint64_t line, const std::string& sentence) const
{
    throw std::invalid_argument(m_name + ", line " + std::to_string(line) + ": " + sentence);
}

uint64_t
JsonSource::GetWhole(const JsonValue& value, uint64_t least, uint64_t most) const
{
    uint64_t whole = value.whole;
    bool fits = value.kind == JsonValue::WHOLE;
    if (value.kind == JsonValue::NUMBER && value.number >= 0 &&
        value.number <= static_cast<double>(most) && std::floor(value.number) == value.number)
    {
        whole = static_cast<uint64_t>(value.number);
        fits = true;
    }
    if (!fits || whole < least || whole > most)
    {
        const std::string range = "a whole number from " + std::to_string(least) + " to ";
        Fail(value.line, Begin(value) + (least == most ? "" : range) + std::to_string(most));
    }
    return whole;
}

double
JsonSource::GetNumber(const JsonValue& value, double most) const
{
    const bool isNumber = value.kind == JsonValue::WHOLE || value.kind == JsonValue::NUMBER;
    if (!isNumber || !(value.number >= 0) || !(value.number <= most))
    {
        std::ostringstream limit;
        limit << most;
        Fail(value.line, Begin(value) + "a number from 0 to " + limit.str());
    }
    return value.number;
}

bool
JsonSource::GetBoolean(const JsonValue& value) const
{
    if (value.kind != JsonValue::BOOLEAN)
    {
        Fail(value.line, Begin(value) + "true or false");
    }
    return value.truth;
}

const std::string&
JsonSource::GetText(const JsonValue& value) const
{
    const auto isControl = [](unsigned char c) { return c < ' ' || c == 127; };
    if (value.kind != JsonValue::TEXT || value.text.empty() || value.text.size() > MAX_TEXT ||
        std::any_of(value.text.begin(), value.text.end(), isControl))
    {
        Fail(value.line,
             Begin(value) + "a text of 1 to " + std::to_string(MAX_TEXT) +
                 " bytes without control characters");
    }
    return value.text;
}

std::size_t
JsonSource::GetWord(const JsonValue& value, const std::vector<std::string>& words) const
{
    const auto found = std::find(words.begin(), words.end(), value.text);
    if (value.kind != JsonValue::TEXT || found == words.end())
    {
        Fail(value.line, Begin(value) + (words.size() > 1 ? "one of " : "") + Join(words));
    }
    return found - words.begin();
}

void
JsonSource::FailKey(uint64_t line,
                    const std::string& key,
                    const std::vector<std::string>& known) const
{
    Fail(line, "there is no key " + Quote(key) + " here; known are " + Join(known));
}

std::string
JsonSource::Quote(const std::string& text)
{
    constexpr std::size_t most = MAX_TEXT;
    std::size_t size = std::min(text.size(), most);
    while (size < text.size() && size > 0 && (text[size] & 0xc0) == 0x80)
    {
        --size; // not within a character of several bytes
    }
    std::string quoted = text.substr(0, size);
    for (char& letter : quoted)
    {
        const auto code = static_cast<unsigned char>(letter);
        letter = code < ' ' || code == 127 ? '?' : letter;
    }
    return "\"" + quoted + (size < text.size() ? "..." : "") + "\"";
}

} // namespace lightpath
} // namespace ns3
