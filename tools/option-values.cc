/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-values.h"

#include "model/base/nearest-name.h"
#include "model/training/transport/message-header.h"

#include "ns3/object.h"
#include "ns3/string.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace ns3;

namespace
{

/**
 * @param type a type
 * @return the names of its attributes, separated by commas
 */
std::string
ListAttributes(TypeId type)
{
    std::vector<std::string> names;
    for (; type != Object::GetTypeId(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            names.push_back(type.GetAttribute(i).name);
        }
    }
    return names.empty() ? "none" : JoinList(names);
}

} // namespace

std::vector<std::string>
SplitList(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream stream(text);
    for (std::string name; std::getline(stream, name, ',');)
    {
        names.push_back(name);
    }
    return names;
}

std::string
JoinList(const std::vector<std::string>& names, const std::string& last)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        list += (i == 0 ? "" : i + 1 < names.size() ? ", " : last) + names[i];
    }
    return list;
}

void
Require(const std::string& refusal)
{
    if (!refusal.empty())
    {
        throw std::invalid_argument(refusal);
    }
}

std::string
ParseWord(const std::string& option,
          const std::string& word,
          const std::vector<std::pair<std::string, std::string>>& known)
{
    std::vector<std::string> words;
    for (const auto& [name, meaning] : known)
    {
        if (name == word)
        {
            return meaning;
        }
        words.push_back(name);
    }
    throw std::invalid_argument("--" + option + "=" + word +
                                " is unknown: " + ns3::lightpath::ListKnown(word, words));
}

void
CheckRange(const std::string& option, int64_t value, int64_t least, int64_t most)
{
    if (value < least || value > most)
    {
        throw std::invalid_argument("--" + option + "=" + std::to_string(value) +
                                    " must be a number from " + std::to_string(least) + " to " +
                                    std::to_string(most));
    }
}

int64_t
ParseNumber(const std::string& option, const std::string& text, int64_t least, int64_t most)
{
    std::istringstream words(text);
    int64_t value = 0;
    if (!(words >> value) || words.peek() != std::char_traits<char>::eof())
    {
        throw std::invalid_argument("--" + option + "=" + text + " must be a number, like 64");
    }
    CheckRange(option, value, least, most);
    return value;
}

Time
ParseTime(const std::string& text)
{
    static const std::set<std::string> units = {"h", "min", "s", "ms", "us", "ns", "ps", "fs"};
    std::istringstream words(text);
    double value = 0;
    std::string unit;
    std::string rest;
    if (!(words >> value >> unit) || words >> rest || units.count(unit) == 0 || value < 0)
    {
        throw std::invalid_argument("'" + text + "' is not a time: write it like 25us or 10ms");
    }
    // Far from the longest time that ns-3 can represent, so that the next line cannot overflow
    const bool isHuge =
        value > 1e4 && (unit == "s" || unit == "min" || unit == "h" || value > 1e12);
    if (isHuge || Time(text) > Seconds(10000))
    {
        throw std::invalid_argument("A time of " + text + " is too long: 10000s is the limit");
    }
    return Time(text);
}

DataRate
ParseRate(std::string text)
{
    std::istringstream words(text);
    double value = 0;
    std::string unit;
    if (words >> value >> unit && (unit == "Tbps" || unit == "Tb/s") && value > 0)
    {
        text = std::to_string(value * 1e3) + "Gbps";
    }
    DataRateValue rate;
    const bool isRate = rate.DeserializeFromString(text, MakeDataRateChecker());
    if (!isRate || rate.Get().GetBitRate() < 1000000 || rate.Get().GetBitRate() > 1000000000000000)
    {
        throw std::invalid_argument("'" + text +
                                    "' is not a bandwidth from 1Mbps to 1000Tbps: write it like "
                                    "400Gbps or 2Tbps");
    }
    return rate.Get();
}

uint64_t
ParseBytes(const std::string& text)
{
    static const std::vector<std::pair<std::string, double>> units = {
        {"", 1},
        {"B", 1},
        {"kB", 1e3},
        {"KB", 1e3},
        {"MB", 1e6},
        {"GB", 1e9},
        {"TB", 1e12},
        {"KiB", 1024.0},
        {"MiB", 1048576.0},
        {"GiB", 1073741824.0},
    };
    std::istringstream words(text);
    double value = 0;
    std::string unit;
    if (words >> value)
    {
        words >> unit;
        for (const auto& known : units)
        {
            if (unit == known.first && value * known.second >= 1 && value * known.second < 4e18)
            {
                return static_cast<uint64_t>(value * known.second);
            }
        }
    }
    throw std::invalid_argument("'" + text + "' is not a size: write it like 9000, 1MB or 1MiB");
}

uint64_t
ParseMemory(const std::string& text)
{
    if (text == "unlimited")
    {
        return std::numeric_limits<uint64_t>::max();
    }
    const uint64_t bytes = ParseBytes(text);
    if (std::isalpha(static_cast<unsigned char>(text.back())) == 0)
    {
        // A small number counts gigabytes, a large one bytes
        std::ostringstream number;
        number << (bytes < 1000000 ? bytes : static_cast<double>(bytes) / 1e9);
        throw std::invalid_argument("A memory of " + text + " has no unit: write it like " +
                                    number.str() + "GB or " + number.str() + "GiB, or 'unlimited'");
    }
    return bytes;
}

uint64_t
ParseFrameSize(const std::string& text)
{
    if (text == "burst")
    {
        return 0;
    }
    const uint64_t bytes = ParseBytes(text);
    constexpr uint64_t header = lightpath::MessageHeader::SIZE;
    if (bytes <= header)
    {
        throw std::invalid_argument("A frame of " + text +
                                    " bytes leaves no room for data: it must be larger than " +
                                    std::to_string(header) + " bytes, or 'burst'");
    }
    return bytes;
}

std::string
GetKind(Ptr<const AttributeChecker> checker)
{
    // Versions of ns-3 write the name with its namespace or without
    const std::string name = checker->GetValueTypeName();
    const auto begin = name.find("ns3::") == 0 ? 5 : 0;
    return name.substr(begin, name.find("Value") - begin);
}

Ptr<AttributeValue>
MakeValue(Ptr<const AttributeChecker> checker, const std::string& text)
{
    const std::string kind = GetKind(checker);
    std::istringstream words(text);
    double number = 0;
    const bool isNumber = words >> number && words.peek() == std::char_traits<char>::eof();
    const bool isWhole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    if ((kind == "Uinteger" && !isWhole) || ((kind == "Integer" || kind == "Double") && !isNumber))
    {
        return nullptr;
    }
    if (kind == "Time")
    {
        ParseTime(text);
    }
    if (kind == "Pointer")
    {
        CheckObject(text);
    }
    return checker->CreateValidValue(StringValue(text));
}

bool
HasAttribute(TypeId type, const std::string& setting)
{
    TypeId::AttributeInformation attribute;
    return type.LookupAttributeByName(setting.substr(0, setting.find('=')), &attribute);
}

std::pair<std::string, std::string>
ParseAttribute(TypeId type, const std::string& setting)
{
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string name = setting.substr(0, equals);
    TypeId::AttributeInformation attribute;
    if (equals == setting.size())
    {
        throw std::invalid_argument("'" + setting +
                                    "' does not set an attribute: write it like Name=Value");
    }
    if (!type.LookupAttributeByName(name, &attribute))
    {
        throw std::invalid_argument("A " + type.GetName() + " has no attribute '" + name +
                                    "': the known ones are " + ListAttributes(type));
    }
    const std::string value = setting.substr(equals + 1);
    if (!MakeValue(attribute.checker, value))
    {
        throw std::invalid_argument("'" + value + "' is no value of the attribute " + name +
                                    " of a " + type.GetName());
    }
    return {name, value};
}

void
CheckObject(const std::string& text)
{
    const auto bracket = std::min(text.find('['), text.size());
    const bool hasAttributes = bracket < text.size();
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(text.substr(0, bracket), &type) || !type.HasConstructor() ||
        (hasAttributes && text.back() != ']'))
    {
        throw std::invalid_argument("'" + text +
                                    "' is not an object with its attributes: write it like "
                                    "ns3::NormalRandomVariable[Mean=1|Bound=0.2]");
    }
    std::istringstream settings(hasAttributes ? text.substr(bracket + 1, text.size() - bracket - 2)
                                              : "");
    for (std::string setting; std::getline(settings, setting, '|');)
    {
        ParseAttribute(type, setting);
    }
}
