/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-value.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
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
 * @param json a value
 * @return its description in sentences
 */
std::string
Describe(const nlohmann::ordered_json& json)
{
    if (json.is_string())
    {
        return JsonValue::Quote(json.get_ref<const std::string&>());
    }
    if (json.is_number_float())
    {
        std::ostringstream text;
        text.precision(15);
        text << json.get<double>();
        return text.str();
    }
    return json.is_object() ? "an object" : json.is_array() ? "a list" : json.dump();
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

JsonValue::JsonValue(const nlohmann::ordered_json& json,
                     const std::string& document,
                     std::string path)
    : m_json(&json),
      m_document(&document),
      m_path(std::move(path))
{
}

std::string
JsonValue::GetPlace(const std::string& document, const std::string& path)
{
    return document + ": " + (path.empty() ? "the document" : path);
}

void
JsonValue::Fail(const std::string& sentence) const
{
    throw std::invalid_argument(GetPlace(*m_document, m_path) + ": " + sentence);
}

void
JsonValue::FailValue(const std::string& right) const
{
    throw std::invalid_argument(GetPlace(*m_document, m_path) + " is " + Describe(*m_json) +
                                ", but must be " + right);
}

uint64_t
JsonValue::GetWhole(uint64_t least, uint64_t most) const
{
    uint64_t whole = 0;
    bool isWhole = m_json->is_number_unsigned();
    if (isWhole)
    {
        whole = m_json->get<uint64_t>();
    }
    else if (m_json->is_number_float())
    {
        // Compared before it is converted: 1e300 has no uint64_t
        const auto number = m_json->get<double>();
        isWhole =
            number >= 0 && number <= static_cast<double>(most) && std::floor(number) == number;
        whole = isWhole ? static_cast<uint64_t>(number) : 0;
    }
    if (!isWhole || whole < least || whole > most)
    {
        const std::string range = "a whole number from " + std::to_string(least) + " to ";
        FailValue((least == most ? "" : range) + std::to_string(most));
    }
    return whole;
}

double
JsonValue::GetNumber(double most) const
{
    const double number = m_json->is_number() ? m_json->get<double>() : -1;
    if (!(number >= 0) || !(number <= most))
    {
        std::ostringstream limit;
        limit << most;
        FailValue("a number from 0 to " + limit.str());
    }
    return number;
}

bool
JsonValue::GetBoolean() const
{
    if (!m_json->is_boolean())
    {
        FailValue("true or false");
    }
    return m_json->get<bool>();
}

bool
JsonValue::IsNull() const
{
    return m_json->is_null();
}

bool
JsonValue::IsText() const
{
    return m_json->is_string();
}

const std::string&
JsonValue::GetText() const
{
    const auto isControl = [](unsigned char c) { return c < ' ' || c == 127; };
    const auto* text = m_json->get_ptr<const std::string*>();
    if (text == nullptr || text->empty() || text->size() > MAX_TEXT ||
        std::any_of(text->begin(), text->end(), isControl))
    {
        FailValue("a text of 1 to " + std::to_string(MAX_TEXT) +
                  " bytes without control characters");
    }
    return *text;
}

std::size_t
JsonValue::GetWord(const std::vector<std::string>& words) const
{
    const auto* text = m_json->get_ptr<const std::string*>();
    const auto found = text == nullptr ? words.end() : std::find(words.begin(), words.end(), *text);
    if (found == words.end())
    {
        FailValue((words.size() > 1 ? "one of " : "") + Join(words));
    }
    return found - words.begin();
}

std::optional<JsonValue>
JsonValue::Find(const std::string& key) const
{
    if (!m_json->is_object())
    {
        FailValue("an object");
    }
    const auto found = m_json->find(key);
    if (found == m_json->end())
    {
        return std::nullopt;
    }
    return JsonValue(*found, *m_document, m_path + "/" + Escape(key));
}

JsonValue
JsonValue::Get(const std::string& key) const
{
    const auto found = Find(key);
    if (!found)
    {
        throw std::invalid_argument(GetPlace(*m_document, m_path) + " has no " + Quote(key));
    }
    return *found;
}

std::size_t
JsonValue::GetSize() const
{
    if (!m_json->is_array())
    {
        FailValue("a list");
    }
    return m_json->size();
}

JsonValue
JsonValue::GetElement(std::size_t index) const
{
    return {(*m_json)[index], *m_document, m_path + "/" + std::to_string(index)};
}

void
JsonValue::ForEachMember(
    const std::function<void(const std::string& key, const JsonValue& value)>& visit) const
{
    if (!m_json->is_object())
    {
        FailValue("an object");
    }
    for (const auto& member : m_json->items())
    {
        visit(member.key(), {member.value(), *m_document, m_path + "/" + Escape(member.key())});
    }
}

void
JsonValue::CheckKeys(const std::vector<std::string>& known) const
{
    ForEachMember([&](const std::string& key, const JsonValue&) {
        if (std::find(known.begin(), known.end(), key) == known.end())
        {
            throw std::invalid_argument(GetPlace(*m_document, m_path) + " has the unknown key " +
                                        Quote(key) + "; known are " + Join(known));
        }
    });
}

std::string
JsonValue::Escape(const std::string& key)
{
    if (key.size() <= MAX_TEXT &&
        std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isalnum(c) != 0; }))
    {
        return key;
    }
    // As a JSON pointer escapes it
    std::string escaped;
    for (const char letter : key)
    {
        escaped += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
    }
    const std::string quoted = Quote(escaped);
    return quoted.substr(1, quoted.size() - 2);
}

std::string
JsonValue::Quote(const std::string& text)
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
