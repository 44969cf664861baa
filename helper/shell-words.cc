/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shell-words.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

std::vector<std::string>
ShellWords::Split(const std::string& line)
{
    std::vector<std::string> words;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        const char next = line[i];
        const bool isBlank = next == ' ' || next == '\t' || next == '\r';
        if (quote == 0 && (isBlank || (next == '#' && !inWord)))
        {
            if (next == '#')
            {
                break;
            }
            inWord = false;
            continue;
        }
        if (!inWord)
        {
            words.emplace_back();
            inWord = true;
        }
        const bool hasNext = i + 1 < line.size();
        const bool escapes =
            next == '\\' && hasNext &&
            (quote == 0 || (quote == '"' && (line[i + 1] == '"' || line[i + 1] == '\\')));
        if (escapes)
        {
            words.back() += line[++i];
        }
        else if (next == quote)
        {
            quote = 0;
        }
        else if (quote == 0 && (next == '\'' || next == '"'))
        {
            quote = next;
        }
        else
        {
            words.back() += next;
        }
    }
    if (quote != 0)
    {
        throw std::invalid_argument("'" + line + "' has a quote that is not closed");
    }
    return words;
}

std::string
ShellWords::Quote(const std::string& word)
{
    const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    {
        return word;
    }
    std::string quoted = "'";
    for (const char each : word)
    {
        quoted += each == '\'' ? "'\\''" : std::string(1, each);
    }
    return quoted + "'";
}

} // namespace lightpath
} // namespace ns3
