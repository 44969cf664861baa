/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_DOCUMENT_H
#define JSON_DOCUMENT_H

#include "json-source.h"

#include <cstdint>
#include <fstream>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A flat object or list of a document.
 */
struct JsonRecord
{
    std::vector<JsonValue> values; //!< What it holds, with keys that differ if it is an object
    uint64_t line{0};              //!< The line that it begins in, from 1

    /**
     * @param key a key
     * @return the value that it has; null if it has none
     */
    const JsonValue* Find(const std::string& key) const;
};

/**
 * @ingroup lightpath
 * @brief Reads a JSON document of a known format piece by piece, so that only what is kept of it
 * needs memory.
 *
 * A document is an object with "format", the name of its format, and "version", which is 1. Under
 * each other key it has a value, a flat object, or a list of flat objects or of flat lists. Each
 * piece is handed to the class that derives from this one as soon as it is read. What is wrong is
 * told by std::invalid_argument, with its line.
 */
class JsonDocument
{
  public:
    /// What stands under a key of a document.
    enum Form
    {
        VALUE,   //!< A number, a text, a truth value or null
        OBJECT,  //!< An object of such values
        OBJECTS, //!< A list of such objects
        LISTS,   //!< A list of lists of such values
    };

    /// The most values of a flat object or list.
    static constexpr uint32_t MAX_VALUES = 64;

    /**
     * @param name what the document is called in sentences, like the name of its file
     * @param format the name of its format
     * @param keys what it can have besides "format" and "version"
     */
    JsonDocument(const std::string& name, std::string format, std::map<std::string, Form> keys);

    virtual ~JsonDocument() = default;

    /**
     * @param input the text
     */
    void Read(std::istream& input);

    /**
     * Open a file.
     *
     * @param name its name; std::invalid_argument if it is no file that can be read
     * @return the file
     */
    static std::ifstream Open(const std::string& name);

    /**
     * @param input the text of a document
     * @param name what it is called
     * @return the name of its format; empty if it has none
     */
    static std::string GetFormat(std::istream& input, const std::string& name);

  protected:
    /**
     * Take a value that stands under a key of the document.
     *
     * @param value the value
     */
    virtual void TakeValue(const JsonValue& value) = 0;

    /**
     * Take an object that stands under a key of the document, or an element of a list.
     *
     * @param key the key
     * @param record the object or the element
     */
    virtual void TakeRecord(const std::string& key, const JsonRecord& record) = 0;

    JsonSource m_source; //!< The document

  private:
    /// Gets the pieces from the parser.
    class Handler;

    /**
     * Take a value that stands under a key, or check it if it is the format or the version.
     *
     * @param value the value
     */
    void Take(const JsonValue& value);

    std::string m_format;               //!< Name of the format
    std::map<std::string, Form> m_keys; //!< What stands under each key
};

} // namespace lightpath
} // namespace ns3

#endif /* JSON_DOCUMENT_H */
