/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONFIG_KEYS_H
#define CONFIG_KEYS_H

#include "model/base/json-value.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The keys of a "config.json", with the values that a family of models has without them.
 */
class ConfigKeys
{
  public:
    /// Values of keys that a file need not have.
    using Defaults = std::map<std::string, uint64_t>;

    /**
     * @param root the object with the keys
     * @param defaults the values without them
     */
    ConfigKeys(const JsonValue& root, const Defaults& defaults);

    /**
     * @param keys keys with the same meaning
     * @return the value of the first one that has a value, which is not null
     */
    std::optional<JsonValue> Find(const std::vector<std::string>& keys) const;

    /**
     * @param keys keys with the same meaning, of which one must have a value
     * @return the number, above 0
     */
    uint64_t Get(const std::vector<std::string>& keys) const;

    /**
     * @param key a key
     * @param usual the number without it
     * @param least the least that it can be
     * @return the number
     */
    uint64_t Get(const std::string& key, uint64_t usual, uint64_t least = 0) const;

    /**
     * @param key a key
     * @param usual the answer without it
     * @return the answer
     */
    bool Is(const std::string& key, bool usual) const;

    /**
     * Refuse another value of a key than the one that the zoo has operators for.
     *
     * @param key the key
     * @param condition whether the value is possible
     * @param right the values that are
     */
    void Require(const std::string& key, bool condition, const std::string& right) const;

    /**
     * Refuse another answer than the one that the zoo has operators for.
     *
     * @param key the key
     * @param right that answer, also without the key
     */
    void RequireAnswer(const std::string& key, bool right) const;

    /**
     * Refuse another word than those that mean what the zoo has operators for.
     *
     * @param key the key
     * @param words the words
     */
    void RequireWord(const std::string& key, const std::vector<std::string>& words) const;

    /**
     * Refuse another activation function than GELU, which may be computed nearly.
     *
     * @param key the key
     * @param others further functions that cost about the same
     */
    void RequireGelu(const std::string& key, const std::vector<std::string>& others = {}) const;

  private:
    JsonValue m_root;    //!< The object
    Defaults m_defaults; //!< Values without keys
};

} // namespace lightpath
} // namespace ns3

#endif /* CONFIG_KEYS_H */
