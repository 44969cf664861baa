/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-options.h"

#include "option-values.h"

#include "ns3/type-id.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

using namespace ns3;

namespace
{

/**
 * @param option an option
 * @return the checker of its attribute
 */
Ptr<const AttributeChecker>
GetChecker(const AttributeOption& option)
{
    const auto colons = option.attribute.find("::");
    TypeId::AttributeInformation attribute;
    TypeId::LookupByName("ns3::lightpath::" + option.attribute.substr(0, colons))
        .LookupAttributeByName(option.attribute.substr(colons + 2), &attribute);
    return attribute.checker;
}

/**
 * @param name the name of a value of an enumeration, like TwoLevel
 * @return the word for it, like two-level
 */
std::string
GetWord(const std::string& name)
{
    std::string word;
    for (const char c : name)
    {
        word += std::isupper(c) && !word.empty() ? "-" : "";
        word += static_cast<char>(std::tolower(c));
    }
    return word;
}

/**
 * @param checker the checker of an enumeration
 * @return its values: word, and name
 */
ProgramOptions::Words
GetWords(Ptr<const AttributeChecker> checker)
{
    ProgramOptions::Words words;
    std::istringstream names(checker->GetUnderlyingTypeInformation());
    for (std::string name; std::getline(names, name, '|');)
    {
        words.emplace_back(GetWord(name), name);
    }
    return words;
}

/**
 * @param option an option
 * @return its help, with the values of an enumeration unless it explains them itself
 */
std::string
GetHelp(const AttributeOption& option)
{
    const auto checker = GetChecker(option);
    std::vector<std::string> words;
    if (GetKind(checker) == "Enum" && option.help.find(':') == std::string::npos)
    {
        for (const auto& [word, name] : GetWords(checker))
        {
            words.push_back(word);
        }
    }
    return option.help + (words.empty() ? "" : ": ") + JoinList(words);
}

/**
 * @param option an option
 * @param text a value that it is given
 * @return the value of its attribute
 */
Ptr<AttributeValue>
Convert(const AttributeOption& option, const std::string& text)
{
    const auto checker = GetChecker(option);
    std::string value = text;
    if (GetKind(checker) == "Enum")
    {
        value = ParseWord(option.name, text, GetWords(checker));
    }
    const auto converted = MakeValue(checker, value);
    if (!converted)
    {
        // Of a number, ns-3 says its type and its range, like uint32_t 1:10
        std::string range = checker->GetUnderlyingTypeInformation();
        range = range.substr(range.find(' ') + 1);
        const auto colon = range.find(':');
        throw std::invalid_argument(
            "--" + option.name + "=" + text + " must be " +
            (colon == std::string::npos
                 ? "a " + GetKind(checker)
                 : "a number from " + range.substr(0, colon) + " to " + range.substr(colon + 1)));
    }
    return converted;
}

} // namespace

AttributeOptions::AttributeOptions(std::vector<AttributeOption> table)
    : m_table(std::move(table))
{
}

void
AttributeOptions::AddTo(ProgramOptions& options)
{
    for (const auto& option : m_table)
    {
        const auto checker = GetChecker(option);
        const auto colons = option.attribute.find("::");
        options.NameAttribute(option.attribute.substr(colons + 2),
                              option.name,
                              GetKind(checker) == "Enum" ? GetWords(checker)
                                                         : ProgramOptions::Words());
        options.Add({option.name,
                     GetHelp(option),
                     option.fallback,
                     option.owners,
                     GetKind(checker) == "Boolean",
                     [this, name = option.name](const std::string& text) { Set(name, text); }});
    }
}

void
AttributeOptions::Set(const std::string& name, const std::string& text)
{
    const AttributeOption& option = Find(name);
    m_values.erase(name);
    if (text != option.fallback)
    {
        m_values[name] = {text, Convert(option, text)};
    }
}

std::string
AttributeOptions::GetText(const std::string& name) const
{
    const auto value = m_values.find(name);
    return value != m_values.end() ? value->second.first : Find(name).fallback;
}

const AttributeOption&
AttributeOptions::Find(const std::string& name) const
{
    return *std::find_if(m_table.begin(), m_table.end(), [&name](const auto& option) {
        return option.name == name;
    });
}

bool
AttributeOptions::IsChanged(const std::string& name) const
{
    return m_values.count(name) > 0;
}

void
AttributeOptions::Apply(
    const std::string& type,
    const std::function<void(const std::string&, const AttributeValue&)>& set) const
{
    for (const auto& option : m_table)
    {
        if (option.attribute.find(type + "::") == 0 && IsChanged(option.name))
        {
            set(option.attribute.substr(type.size() + 2), *m_values.at(option.name).second);
        }
    }
}
