/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_DOCUMENT_H
#define JSON_DOCUMENT_H

#include "json-value.h"

#include <fstream>
#include <istream>
#include <memory>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A JSON document of a known format: an object with "format", the name of its format, and
 * "version", which is 1.
 *
 * The elements of its lists are handed out as they are read and not kept, so that a document of a
 * million operators needs little memory. All other values are available once the document has been
 * read.
 *
 * Invalid JSON is refused with its line and column. So are duplicate keys of an object, objects
 * with more than MAX_MEMBERS members, values nested deeper than MAX_DEPTH, and texts longer than
 * the limit.
 */
class JsonDocument
{
  public:
    /// The most bytes of a document.
    static constexpr uint64_t MAX_BYTES = uint64_t(1) << 30;

    /// The most members of an object.
    static constexpr std::size_t MAX_MEMBERS = 64;

    /// The most objects and lists inside each other.
    static constexpr std::size_t MAX_DEPTH = 8;

    /// Takes an element of a list, which must not be used later, and the key of the list.
    using Visitor = std::function<void(const std::string& key, const JsonValue& element)>;

    /**
     * @param input the text
     * @param name the name of the document in sentences, such as that of its file
     * @param format the name of its format
     * @param keys the keys that it may have besides "format" and "version"
     * @param visit takes the elements of the lists that stand under these keys
     * @param maxBytes the most bytes of the text
     */
    JsonDocument(std::istream& input,
                 const std::string& name,
                 const std::string& format,
                 std::vector<std::string> keys,
                 const Visitor& visit,
                 uint64_t maxBytes = MAX_BYTES);

    /**
     * Read a document of a format of somebody else, which may have any keys.
     *
     * @param input the text
     * @param name the name of the document in sentences
     * @param visit takes the elements of the lists
     * @param maxBytes the most bytes of the text
     * @param beginning the beginning of such a document, for sentences
     */
    JsonDocument(std::istream& input,
                 const std::string& name,
                 const Visitor& visit,
                 uint64_t maxBytes,
                 const std::string& beginning);

    /**
     * @return the whole document, whose lists are empty; this object must outlive it
     */
    JsonValue GetRoot() const;

    /**
     * Open a file.
     *
     * @param name its name; std::invalid_argument if it is no file that can be read
     * @return the file
     */
    static std::ifstream Open(const std::string& name);

    /**
     * @param input the text of a document
     * @param name the name of the document
     * @param key a key of the document
     * @return the text under it; empty if there is none, or if there is a fault before it
     */
    static std::string FindText(std::istream& input,
                                const std::string& name,
                                const std::string& key);

  private:
    /**
     * Read the text.
     *
     * @param input the text
     * @param visit takes the elements of the lists
     * @param maxBytes the most bytes of the text
     * @param beginning the beginning of such a document, for sentences
     */
    void Read(std::istream& input,
              const Visitor& visit,
              uint64_t maxBytes,
              const std::string& beginning);

    std::string m_name;                                   //!< Name of the document
    std::shared_ptr<const nlohmann::ordered_json> m_json; //!< The document
};

} // namespace lightpath
} // namespace ns3

#endif /* JSON_DOCUMENT_H */
