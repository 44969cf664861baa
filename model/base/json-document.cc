/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-document.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A step of the parser.
using Event = nlohmann::ordered_json::parse_event_t;

/**
 * @ingroup lightpath
 * @brief Follows the parser to know the path of each value. It refuses duplicate keys, which the
 * result would not show, and documents that would take long.
 */
class ParserGuard
{
  public:
    /// The number of objects and lists around an element of a list of the document.
    static constexpr std::size_t LIST_DEPTH = 2;

    /**
     * @param name the name of the document
     */
    explicit ParserGuard(const std::string& name)
        : m_name(name)
    {
    }

    /**
     * Take a step of the parser.
     *
     * @param event what the parser has found
     * @param json the key, or the value if it is complete
     * @return whether an element of a list of the document is complete
     */
    bool Take(Event event, const nlohmann::ordered_json& json)
    {
        switch (event)
        {
        case Event::key:
            TakeKey(json.get_ref<const std::string&>());
            return false;
        case Event::object_start:
        case Event::array_start:
            BeginValue();
            Open(event == Event::array_start);
            return false;
        case Event::object_end:
        case Event::array_end:
            --m_depth;
            break;
        case Event::value:
            BeginValue();
            break;
        }
        return m_depth == LIST_DEPTH && !m_levels[0].isList && m_levels[1].isList;
    }

    /**
     * @return whether the document is an object and nothing inside it is open
     */
    bool IsAtTop() const
    {
        return m_depth == 1 && !m_levels[0].isList;
    }

    /**
     * @return the key of the document that was read last
     */
    const std::string& GetKey() const
    {
        return m_levels[0].keys[m_levels[0].nKeys - 1];
    }

    /**
     * @param depth the number of objects and lists that contain it
     * @return the path of the value at this depth that was read last
     */
    std::string GetPath(std::size_t depth) const
    {
        std::string path;
        for (std::size_t i = 0; i < depth; ++i)
        {
            const Level& level = m_levels[i];
            path += "/" + (level.isList ? std::to_string(level.nValues - 1)
                                        : JsonValue::Escape(level.keys[level.nKeys - 1]));
        }
        return path;
    }

  private:
    /// An object or a list that has begun.
    struct Level
    {
        bool isList{false};            //!< Whether it is a list
        std::vector<std::string> keys; //!< Keys of the object; more than nKeys are of an older one
        std::size_t nKeys{0};          //!< Number of keys so far
        uint64_t nValues{0};           //!< Number of values so far
    };

    /// Count a value of the innermost object or list.
    void BeginValue()
    {
        if (m_depth > 0)
        {
            ++m_levels[m_depth - 1].nValues;
        }
    }

    /**
     * Begin an object or a list.
     *
     * @param isList whether it is a list
     */
    void Open(bool isList)
    {
        if (m_depth == JsonDocument::MAX_DEPTH)
        {
            Fail(m_depth,
                 "must have at most " + std::to_string(JsonDocument::MAX_DEPTH) +
                     " objects and lists around it");
        }
        // Levels, and the memory of their keys, are reused
        m_levels.resize(std::max(m_levels.size(), m_depth + 1));
        Level& level = m_levels[m_depth];
        level.isList = isList;
        level.nKeys = 0;
        level.nValues = 0;
        ++m_depth;
    }

    /**
     * @param key a key of the innermost object
     */
    void TakeKey(const std::string& key)
    {
        Level& level = m_levels[m_depth - 1];
        const auto end = level.keys.begin() + static_cast<std::ptrdiff_t>(level.nKeys);
        if (std::find(level.keys.begin(), end, key) != end)
        {
            Fail(m_depth - 1, "has the key " + JsonValue::Quote(key) + " twice: keys must differ");
        }
        if (level.nKeys == JsonDocument::MAX_MEMBERS)
        {
            Fail(m_depth - 1,
                 "must have at most " + std::to_string(JsonDocument::MAX_MEMBERS) + " members");
        }
        level.keys.resize(std::max(level.keys.size(), level.nKeys + 1));
        level.keys[level.nKeys] = key;
        ++level.nKeys;
    }

    /**
     * Refuse the document.
     *
     * @param depth the depth of the value at fault
     * @param sentence the fault
     */
    [[noreturn]] void Fail(std::size_t depth, const std::string& sentence) const
    {
        throw std::invalid_argument(JsonValue::GetPlace(m_name, GetPath(depth)) + " " + sentence);
    }

    const std::string& m_name;   //!< Name of the document
    std::vector<Level> m_levels; //!< Objects and lists, the outermost first
    std::size_t m_depth{0};      //!< Number of levels that are open
};

/// Ends the parser as soon as a text is known.
struct TextFound
{
    std::string text; //!< The text
};

/**
 * @param input a text
 * @param name its name
 * @param maxBytes the most bytes that it may have
 * @return the text
 */
std::string
ReadText(std::istream& input, const std::string& name, uint64_t maxBytes)
{
    constexpr std::size_t part = 1 << 20;
    std::string text;
    std::size_t size = 0;
    do
    {
        text.resize(size + part);
        try
        {
            input.read(&text[size], part);
        }
        catch (const std::ios_base::failure&)
        {
            input.setstate(std::ios::badbit);
        }
        if (input.bad())
        {
            throw std::invalid_argument(name + " cannot be read");
        }
        size += static_cast<std::size_t>(input.gcount());
        if (size > maxBytes)
        {
            throw std::invalid_argument(name + " must have at most " + std::to_string(maxBytes) +
                                        " bytes");
        }
    } while (input);
    text.resize(size);
    return text;
}

/**
 * Refuse a text that is not JSON.
 *
 * @param text the text
 * @param name the name of the document
 * @param bytes the number of bytes up to the fault
 * @param error the message of the parser
 */
[[noreturn]] void
FailSyntax(const std::string& text,
           const std::string& name,
           std::size_t bytes,
           const std::string& error)
{
    const std::string before = text.substr(0, bytes);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    // In the first line rfind() is npos, and npos + 1 is 0
    const std::size_t column = before.size() - (before.rfind('\n') + 1);
    // The message consists of a place, the part of the grammar, and the fault
    const auto dash = error.find(" - ");
    std::string what = error.substr(dash == std::string::npos ? 0 : dash + 3);
    // The bytes that were read last may be no text: cut them off
    what = JsonValue::Quote(what.substr(0, what.find("; last read")));
    throw std::invalid_argument(name + ", line " + std::to_string(line) + ", column " +
                                std::to_string(column) +
                                ": this is not valid JSON: " + what.substr(1, what.size() - 2));
}

/**
 * @param text a text
 * @param name the name of the document
 * @param visit takes the elements of the lists of the document
 * @return the document, without these elements
 */
nlohmann::ordered_json
Parse(const std::string& text, const std::string& name, const JsonDocument::Visitor& visit)
{
    ParserGuard guard(name);
    try
    {
        return nlohmann::ordered_json::parse(
            text,
            [&](int, Event event, const nlohmann::ordered_json& json) {
                const bool isElement = guard.Take(event, json);
                if (isElement)
                {
                    visit(guard.GetKey(),
                          JsonValue(json, name, guard.GetPath(ParserGuard::LIST_DEPTH)));
                }
                return !isElement;
            });
    }
    catch (const nlohmann::json::parse_error& error)
    {
        FailSyntax(text, name, error.byte, error.what());
    }
    catch (const nlohmann::json::out_of_range& error)
    {
        // The message ends with the number in quotation marks
        const std::string what = error.what();
        const std::string number = what.substr(what.find('\'') + 1);
        throw std::invalid_argument(name + ": this is not valid JSON: the number " +
                                    JsonValue::Quote(number.substr(0, number.size() - 1)) +
                                    " is too large");
    }
}

} // namespace

JsonDocument::JsonDocument(std::istream& input,
                           const std::string& name,
                           const std::string& format,
                           std::vector<std::string> keys,
                           const Visitor& visit,
                           uint64_t maxBytes)
    : m_name(name)
{
    const std::string beginning = "{\"format\": \"" + format + "\", \"version\": 1";
    Read(input, visit, maxBytes, beginning);
    const JsonValue root = GetRoot();
    const auto get = [&](const std::string& key) {
        const auto value = root.Find(key);
        if (!value)
        {
            throw std::invalid_argument(name + " has no \"" + key + "\": it must begin with " +
                                        beginning);
        }
        return *value;
    };
    get("format").GetWord({format});
    get("version").GetWhole(1, 1);
    keys.insert(keys.end(), {"format", "version"});
    root.CheckKeys(keys);
}

JsonDocument::JsonDocument(std::istream& input,
                           const std::string& name,
                           const Visitor& visit,
                           uint64_t maxBytes,
                           const std::string& beginning)
    : m_name(name)
{
    Read(input, visit, maxBytes, beginning);
}

void
JsonDocument::Read(std::istream& input,
                   const Visitor& visit,
                   uint64_t maxBytes,
                   const std::string& beginning)
{
    const std::string text = ReadText(input, m_name, maxBytes);
    const std::string example = beginning + ", ...}";
    if (text.empty())
    {
        throw std::invalid_argument(m_name + " is empty: it must be a document " + example);
    }
    m_json = std::make_shared<const nlohmann::ordered_json>(Parse(text, m_name, visit));
    if (!m_json->is_object())
    {
        throw std::invalid_argument(m_name + ": a document must be an object, like " + example);
    }
}

JsonValue
JsonDocument::GetRoot() const
{
    return {*m_json, m_name, ""};
}

std::ifstream
JsonDocument::Open(const std::string& name)
{
    std::error_code error;
    const auto status = std::filesystem::status(name, error);
    if (std::filesystem::is_directory(status))
    {
        throw std::invalid_argument(name + " is a directory: it must be a file");
    }
    std::ifstream file(name, std::ios::binary);
    if (!file)
    {
        throw std::invalid_argument(
            name + (std::filesystem::exists(status) ? " cannot be read" : " does not exist"));
    }
    return file;
}

std::string
JsonDocument::FindText(std::istream& input, const std::string& name, const std::string& key)
{
    ParserGuard guard(name);
    try
    {
        // Stops at the text; a format is at the beginning of most documents
        [[maybe_unused]] const auto json = nlohmann::ordered_json::parse(
            input,
            [&guard, &key](int, Event event, const nlohmann::ordered_json& json) {
                guard.Take(event, json);
                if (event == Event::value && guard.IsAtTop() && guard.GetKey() == key)
                {
                    throw TextFound{json.is_string() ? json.get<std::string>() : ""};
                }
                return event != Event::value && event != Event::array_end &&
                       event != Event::object_end;
            });
    }
    catch (const TextFound& found)
    {
        return found.text;
    }
    catch (const std::exception&)
    {
        // Reading the document will report the fault again
    }
    return "";
}

} // namespace lightpath
} // namespace ns3
