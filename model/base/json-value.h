/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_VALUE_H
#define JSON_VALUE_H

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A value of a JSON document, which knows its path.
 *
 * An invalid value is refused by std::invalid_argument, in one sentence that names the document,
 * the path of the value (a JSON pointer, such as /operators/3/flops), the value and the values
 * allowed. The document must outlive its values.
 */
class JsonValue
{
  public:
    /// The most bytes of a text.
    static constexpr uint32_t MAX_TEXT = 256;

    /**
     * @param json the value
     * @param document the name of the document in sentences, such as that of its file
     * @param path the path of the value; empty for the whole document
     */
    JsonValue(const nlohmann::ordered_json& json, const std::string& document, std::string path);

    /**
     * Refuse the document.
     *
     * @param sentence the fault at this value, and its remedy
     */
    [[noreturn]] void Fail(const std::string& sentence) const;

    /**
     * @param least the least number allowed
     * @param most the largest number allowed, at most 2^53
     * @return the whole number that the value is; 2e9 is one as well
     */
    uint64_t GetWhole(uint64_t least, uint64_t most) const;

    /**
     * @param most the largest number allowed
     * @return the number that the value is, at least 0
     */
    double GetNumber(double most) const;

    /**
     * @return the truth value
     */
    bool GetBoolean() const;

    /**
     * @return true if the value is null
     */
    bool IsNull() const;

    /**
     * @return true if the value is a text
     */
    bool IsText() const;

    /**
     * @return the text: 1 to MAX_TEXT bytes without control characters
     */
    const std::string& GetText() const;

    /**
     * @param words the texts allowed
     * @return the index of the text that the value is
     */
    std::size_t GetWord(const std::vector<std::string>& words) const;

    /**
     * @param key a key
     * @return the value under it; none if this object does not have the key
     */
    std::optional<JsonValue> Find(const std::string& key) const;

    /**
     * @param key a key that this object must have
     * @return the value under it
     */
    JsonValue Get(const std::string& key) const;

    /**
     * @return the number of elements of this list
     */
    std::size_t GetSize() const;

    /**
     * @param index the index of an element of this list
     * @return the element
     */
    JsonValue GetElement(std::size_t index) const;

    /**
     * Visit the members of this object in the order of the text.
     *
     * @param visit takes the key and the value of each
     */
    void ForEachMember(
        const std::function<void(const std::string& key, const JsonValue& value)>& visit) const;

    /**
     * Refuse this object if it has any other key.
     *
     * @param known the keys that it may have
     */
    void CheckKeys(const std::vector<std::string>& known) const;

    /**
     * @param key a key
     * @return the key in a path, on one line and cut if it is long
     */
    static std::string Escape(const std::string& key);

    /**
     * @param text any text
     * @return the text in quotation marks, on one line and cut if it is long
     */
    static std::string Quote(const std::string& text);

    /**
     * @param document the name of the document
     * @param path the path of a value
     * @return the beginning of a sentence about the value
     */
    static std::string GetPlace(const std::string& document, const std::string& path);

  private:
    /**
     * Refuse this value.
     *
     * @param right the values allowed
     */
    [[noreturn]] void FailValue(const std::string& right) const;

    const nlohmann::ordered_json* m_json; //!< The value
    const std::string* m_document;        //!< Name of the document
    std::string m_path;                   //!< Path of the value
};

} // namespace lightpath
} // namespace ns3

#endif /* JSON_VALUE_H */
