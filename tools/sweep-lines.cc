/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep-lines.h"

#include "helper/shell-words.h"

#include <fstream>
#include <stdexcept>

using namespace ns3::lightpath;

namespace
{

/**
 * @param [in,out] words the words of a line, then those after its label
 * @return the label, empty if there is none
 */
std::string
TakeLabel(std::vector<std::string>& words)
{
    const std::string& first = words.front();
    if (first.size() < 2 || first.back() != ':' || first.compare(0, 2, "--") == 0)
    {
        return "";
    }
    const std::string label = first.substr(0, first.size() - 1);
    words.erase(words.begin());
    return label;
}

} // namespace

std::vector<SweepLine>
ReadSweepLines(const std::string& name, const std::vector<std::string>& common)
{
    std::ifstream file(name);
    std::vector<SweepLine> lines;
    std::string text;
    std::size_t number = 0;
    for (std::string part; std::getline(file, part);)
    {
        ++number;
        const bool continues = !part.empty() && part.back() == '\\';
        text += part.substr(0, part.size() - (continues ? 1 : 0));
        if (continues && file.peek() != std::ifstream::traits_type::eof())
        {
            continue;
        }
        try
        {
            auto words = ShellWords::Split(text);
            if (!words.empty())
            {
                const std::string label = TakeLabel(words);
                lines.push_back({label, SweepGrid(words, common)});
            }
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(name + ", line " + std::to_string(number) + ": " +
                                        error.what());
        }
        text.clear();
    }
    if (number == 0)
    {
        throw std::invalid_argument("The file '" + name + "' cannot be read or is empty");
    }
    if (lines.empty())
    {
        throw std::invalid_argument("The file '" + name +
                                    "' has no sweep: write the options of one on a line");
    }
    return lines;
}
