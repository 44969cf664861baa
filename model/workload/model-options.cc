/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model-options.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The largest number: products of a few of them, and sums over layers, have 64 bits.
constexpr uint64_t MOST = 1000000000;

/**
 * @param text a value
 * @return the whole number that it is, or UINT64_MAX if it is no possible number
 */
uint64_t
ToNumber(const std::string& text)
{
    const bool digits = !text.empty() && text.size() <= 10 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    const uint64_t number = digits ? std::stoull(text) : UINT64_MAX;
    return number <= MOST ? number : UINT64_MAX;
}

} // namespace

ModelOptions::ModelOptions(std::string model)
    : m_model(std::move(model))
{
}

void
ModelOptions::Declare(const std::string& name,
                      uint64_t value,
                      const std::string& description,
                      uint64_t least)
{
    m_options.push_back({name, std::to_string(value), description, {}, least});
}

void
ModelOptions::Declare(const std::string& name,
                      const std::string& value,
                      const std::string& description,
                      std::vector<std::string> choices)
{
    m_options.push_back({name, value, description, std::move(choices), 0});
}

void
ModelOptions::Set(const std::string& name, const std::string& value)
{
    Option& option = m_options[Find(name)];
    std::string possible;
    if (option.choices.empty())
    {
        const uint64_t number = ToNumber(value);
        if (number < option.least || number > MOST)
        {
            possible = "a whole number from " + std::to_string(option.least) + " to " +
                       std::to_string(MOST);
        }
    }
    else if (std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end())
    {
        possible = "one of";
        for (const auto& choice : option.choices)
        {
            possible += (choice == option.choices.front() ? " " : ", ") + choice;
        }
    }
    if (!possible.empty())
    {
        throw std::invalid_argument("Option " + name + " of model \"" + m_model +
                                    "\" cannot be \"" + value + "\": it must be " + possible);
    }
    option.value = value;
}

void
ModelOptions::Parse(const std::string& text)
{
    std::istringstream stream(text);
    std::string part;
    while (std::getline(stream, part, ','))
    {
        const auto equals = part.find('=');
        if (equals == std::string::npos)
        {
            throw std::invalid_argument("\"" + part + "\" is no option of model \"" + m_model +
                                        "\": options are written like name=value,name=value");
        }
        Set(part.substr(0, equals), part.substr(equals + 1));
    }
}

uint64_t
ModelOptions::GetNumber(const std::string& name) const
{
    return ToNumber(Get(name));
}

const std::string&
ModelOptions::Get(const std::string& name) const
{
    return m_options[Find(name)].value;
}

const std::vector<ModelOptions::Option>&
ModelOptions::GetOptions() const
{
    return m_options;
}

const std::string&
ModelOptions::GetModel() const
{
    return m_model;
}

std::size_t
ModelOptions::Find(const std::string& name) const
{
    std::string known;
    for (std::size_t index = 0; index < m_options.size(); ++index)
    {
        if (m_options[index].name == name)
        {
            return index;
        }
        known += (index == 0 ? "" : ", ") + m_options[index].name;
    }
    throw std::invalid_argument("Model \"" + m_model + "\" has no option \"" + name +
                                "\"; it has " + (known.empty() ? "none" : known));
}

} // namespace lightpath
} // namespace ns3
