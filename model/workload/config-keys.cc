/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "config-keys.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/// The largest number: products of two of them have 64 bits; TransformerShape::Check() bounds the
/// rest.
constexpr uint64_t LARGEST_SIZE = 1000000000;

} // namespace

ConfigKeys::ConfigKeys(const JsonValue& root, const Defaults& defaults)
    : m_root(root),
      m_defaults(defaults)
{
}

std::optional<JsonValue>
ConfigKeys::Find(const std::vector<std::string>& keys) const
{
    for (const auto& key : keys)
    {
        const auto value = m_root.Find(key);
        if (value && !value->IsNull())
        {
            return value;
        }
    }
    return std::nullopt;
}

uint64_t
ConfigKeys::Get(const std::vector<std::string>& keys) const
{
    const auto value = Find(keys);
    const auto usual = m_defaults.find(keys[0]);
    if (!value && usual != m_defaults.end())
    {
        return usual->second;
    }
    // The first one is refused by name if it has no value
    return (value ? *value : m_root.Get(keys[0])).GetWhole(1, LARGEST_SIZE);
}

uint64_t
ConfigKeys::Get(const std::string& key, uint64_t usual, uint64_t least) const
{
    const auto value = Find({key});
    const auto known = m_defaults.find(key);
    return value                       ? value->GetWhole(least, LARGEST_SIZE)
           : known != m_defaults.end() ? known->second
                                       : usual;
}

bool
ConfigKeys::Is(const std::string& key, bool usual) const
{
    const auto value = Find({key});
    return value ? value->GetBoolean() : usual;
}

void
ConfigKeys::Require(const std::string& key, bool condition, const std::string& right) const
{
    if (!condition)
    {
        m_root.Get(key).Fail("there are no operators for this value: it must be " + right);
    }
}

void
ConfigKeys::RequireAnswer(const std::string& key, bool right) const
{
    Require(key, Is(key, right) == right, right ? "true" : "false");
}

void
ConfigKeys::RequireWord(const std::string& key, const std::vector<std::string>& words) const
{
    if (const auto value = Find({key}))
    {
        value->GetWord(words);
    }
}

void
ConfigKeys::RequireGelu(const std::string& key, const std::vector<std::string>& others) const
{
    std::vector<std::string> words{"gelu",
                                   "gelu_new",
                                   "gelu_fast",
                                   "gelu_python",
                                   "gelu_pytorch_tanh"};
    words.insert(words.end(), others.begin(), others.end());
    RequireWord(key, words);
}

} // namespace lightpath
} // namespace ns3
