/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep-run.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

SweepOption
SweepOption::Read(const std::string& word)
{
    const bool hasHyphens = word.compare(0, 2, "--") == 0;
    const std::size_t equals = std::min(word.find('='), word.size());
    if (!hasHyphens || equals <= 2 || word.find_first_of(" \t\r\n") != std::string::npos)
    {
        throw std::invalid_argument("'" + word +
                                    "' is not an option: write --option=value, without spaces");
    }
    SweepOption option;
    option.name = word.substr(2, equals - 2);
    option.hasValue = equals < word.size();
    option.value = option.hasValue ? word.substr(equals + 1) : "";
    return option;
}

std::string
SweepOption::GetWord() const
{
    return "--" + name + (hasValue ? "=" + value : "");
}

SweepRun::SweepRun(const std::vector<SweepOption>& options)
    : m_options(options)
{
}

std::vector<std::string>
SweepRun::GetWords() const
{
    std::vector<std::string> words;
    for (const auto& option : m_options)
    {
        words.push_back(option.GetWord());
    }
    return words;
}

std::vector<std::string>
SweepRun::GetCanonicalWords() const
{
    auto options = m_options;
    std::stable_sort(options.begin(), options.end(), [](const auto& a, const auto& b) {
        return a.name < b.name;
    });
    return SweepRun(options).GetWords();
}

std::string
SweepRun::GetKey() const
{
    std::string text;
    for (const auto& word : GetCanonicalWords())
    {
        text += word + "\n";
    }
    return GetDigits(GetHash(text));
}

std::string
SweepRun::GetValue(const std::string& name) const
{
    std::string values;
    for (const auto& option : m_options)
    {
        if (option.name == name)
        {
            values += (values.empty() ? "" : ",") + (option.hasValue ? option.value : "true");
        }
    }
    return values;
}

uint64_t
SweepRun::GetHash(const std::string& text)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (const char each : text)
    {
        hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    }
    return hash;
}

std::string
SweepRun::GetDigits(uint64_t hash)
{
    std::string digits(16, '0');
    for (std::size_t i = digits.size(); i-- > 0; hash >>= 4)
    {
        digits[i] = "0123456789abcdef"[hash & 15];
    }
    return digits;
}

} // namespace lightpath
} // namespace ns3
