/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-document.h"

#include "json-handler.h"
#include "json-input.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @ingroup lightpath
 * @brief Looks for the format of a document.
 */
class FormatFinder : public JsonHandler
{
  public:
    using JsonHandler::JsonHandler;

    /**
     * @return the format; empty if it has not been found
     */
    const std::string& GetFormat() const
    {
        return m_format;
    }

    /**
     * Stop at what is not JSON.
     *
     * @param position the number of bytes read
     * @param token what was read last
     * @param error what is wrong
     * @return false, which ends the parsing
     */
    bool parse_error(std::size_t position,
                     const std::string& token,
                     const nlohmann::json::exception& error) override
    {
        return false;
    }

  private:
    bool TakeScalar(JsonValue value) override
    {
        if (m_depth == 1 && m_key == "format" && m_isObject)
        {
            m_format = value.text;
            return false;
        }
        return true;
    }

    bool TakeKey() override
    {
        return true;
    }

    bool TakeOpening(bool isObject) override
    {
        m_isObject = m_depth == 1 ? isObject : m_isObject;
        return true;
    }

    bool TakeClosing() override
    {
        return true;
    }

    bool m_isObject{false}; //!< Whether the document is an object
    std::string m_format;   //!< The format
};

/**
 * @param form what stands under a key
 * @return what it is, as sentences say it
 */
std::string
Describe(JsonDocument::Form form)
{
    switch (form)
    {
    case JsonDocument::VALUE:
        return "a single value";
    case JsonDocument::OBJECT:
        return "an object of single values, like {\"name\": 1}";
    case JsonDocument::OBJECTS:
        return "a list of objects of single values, like [{\"name\": 1}]";
    case JsonDocument::LISTS:
        break;
    }
    return "a list of lists of single values, like [[1, 2]]";
}

} // namespace

const JsonValue*
JsonRecord::Find(const std::string& key) const
{
    for (const auto& value : values)
    {
        if (value.key == key)
        {
            return &value;
        }
    }
    return nullptr;
}

/**
 * @ingroup lightpath
 * @brief Checks that each piece is where it belongs, and hands it on.
 */
class JsonDocument::Handler : public JsonHandler
{
  public:
    /**
     * @param document the document
     * @param input the text
     */
    Handler(JsonDocument& document, JsonInput& input)
        : JsonHandler(input),
          m_document(document)
    {
    }

    /**
     * @param key a key of the document
     * @return true if it has been read
     */
    bool Has(const std::string& key) const
    {
        return m_keys.count(key) > 0;
    }

  private:
    bool TakeScalar(JsonValue value) override
    {
        if (m_depth == 0)
        {
            FailWhole();
        }
        const bool isInside = m_depth > 1;
        if (isInside ? !m_isOpen : m_form != VALUE)
        {
            FailForm();
        }
        if (!isInside)
        {
            value.key = m_key;
            m_document.Take(value);
            return true;
        }
        if (m_form != LISTS)
        {
            value.key = m_key;
        }
        if (m_record.values.size() == MAX_VALUES)
        {
            m_document.m_source.Fail(value.line,
                                     "an object or list of single values must have at most " +
                                         std::to_string(MAX_VALUES) + " of them");
        }
        m_record.values.push_back(std::move(value));
        return true;
    }

    bool TakeKey() override
    {
        if (m_depth == 1)
        {
            const auto found = m_document.m_keys.find(m_key);
            if (found == m_document.m_keys.end())
            {
                std::vector<std::string> known;
                for (const auto& each : m_document.m_keys)
                {
                    known.push_back(each.first);
                }
                m_document.m_source.FailKey(m_input.GetLine(), m_key, known);
            }
            m_form = found->second;
            m_top = m_key;
        }
        if (m_depth == 1 ? !m_keys.insert(m_key).second : m_record.Find(m_key) != nullptr)
        {
            m_document.m_source.Fail(m_input.GetLine(),
                                     "the key " + JsonSource::Quote(m_key) +
                                         " must not be there twice");
        }
        return true;
    }

    bool TakeOpening(bool isObject) override
    {
        if (m_depth == 1)
        {
            if (!isObject)
            {
                FailWhole();
            }
            return true;
        }
        const bool isList = m_form == OBJECTS || m_form == LISTS;
        if (m_depth == 2 && isList)
        {
            if (isObject)
            {
                FailForm();
            }
            return true;
        }
        if (m_form == VALUE || m_depth != (isList ? 3 : 2) || isObject != (m_form != LISTS))
        {
            FailForm();
        }
        m_isOpen = true;
        m_record.values.clear();
        m_record.line = m_input.GetLine();
        return true;
    }

    bool TakeClosing() override
    {
        if (m_isOpen)
        {
            m_isOpen = false;
            m_document.TakeRecord(m_top, m_record);
        }
        return true;
    }

    /// Refuse what is not an object.
    [[noreturn]] void FailWhole() const
    {
        m_document.m_source.Fail(m_input.GetLine(),
                                 "a document must be an object, like {\"format\": " +
                                     JsonSource::Quote(m_document.m_format) + ", \"version\": 1}");
    }

    /// Refuse what does not belong under a key.
    [[noreturn]] void FailForm() const
    {
        m_document.m_source.Fail(m_input.GetLine(),
                                 JsonSource::Quote(m_top) + " must be " + Describe(m_form));
    }

    JsonDocument& m_document;     //!< The document
    std::set<std::string> m_keys; //!< Keys of the document so far
    std::string m_top;            //!< Last key of the document
    Form m_form{VALUE};           //!< What must stand under it
    bool m_isOpen{false};         //!< Whether a record is being read
    JsonRecord m_record;          //!< The record
};

JsonDocument::JsonDocument(const std::string& name,
                           std::string format,
                           std::map<std::string, Form> keys)
    : m_source(name),
      m_format(std::move(format)),
      m_keys(std::move(keys))
{
    m_keys.emplace("format", VALUE);
    m_keys.emplace("version", VALUE);
}

void
JsonDocument::Read(std::istream& input)
{
    JsonInput text(input, m_source);
    if (text.IsAtEnd())
    {
        throw std::invalid_argument(m_source.GetName() + " is empty: it must be a document {" +
                                    "\"format\": \"" + m_format + "\", \"version\": 1, ...}");
    }
    Handler handler(*this, text);
    nlohmann::json::sax_parse(JsonIterator(&text), JsonIterator(nullptr), &handler);
    for (const auto* key : {"format", "version"})
    {
        if (!handler.Has(key))
        {
            throw std::invalid_argument(m_source.GetName() + " has no \"" + key +
                                        "\": it must begin with {\"format\": \"" + m_format +
                                        "\", \"version\": 1");
        }
    }
}

void
JsonDocument::Take(const JsonValue& value)
{
    if (value.key == "format")
    {
        m_source.GetWord(value, {m_format});
    }
    else if (value.key == "version")
    {
        m_source.GetWhole(value, 1, 1);
    }
    else
    {
        TakeValue(value);
    }
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
JsonDocument::GetFormat(std::istream& input, const std::string& name)
{
    const JsonSource source(name);
    JsonInput text(input, source);
    FormatFinder finder(text);
    nlohmann::json::sax_parse(JsonIterator(&text), JsonIterator(nullptr), &finder);
    return finder.GetFormat();
}

} // namespace lightpath
} // namespace ns3
