/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "value-range.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// An integer with room for the product of two numbers.
__extension__ using Wide = __int128;

/// Digits of a number that is given.
constexpr std::size_t MOST_DIGITS = 15;

/// Digits of the values of a geometric range.
constexpr int ROUNDED_DIGITS = 12;

/// A unit, and the power of ten by which it exceeds the base unit.
using Unit = std::pair<std::string, int>;

/// The kinds of units that a range may go across, each in ascending order.
const std::vector<std::vector<Unit>> KINDS{
    {{"fs", -15}, {"ps", -12}, {"ns", -9}, {"us", -6}, {"ms", -3}, {"s", 0}},
    {{"bps", 0}, {"kbps", 3}, {"Mbps", 6}, {"Gbps", 9}, {"Tbps", 12}},
    {{"b/s", 0}, {"kb/s", 3}, {"Mb/s", 6}, {"Gb/s", 9}, {"Tb/s", 12}},
    {{"B", 0}, {"kB", 3}, {"MB", 6}, {"GB", 9}, {"TB", 12}},
};

/// A decimal number: mantissa times a power of ten, with a unit.
struct Quantity
{
    Wide mantissa{0}; //!< The digits
    int exponent{0};  //!< The power of ten
    std::string unit; //!< The unit, empty for none
};

/**
 * Refuse a range.
 *
 * @param text the range
 * @param reason why, with what would be right
 */
[[noreturn]] void
Refuse(const std::string& text, const std::string& reason)
{
    throw std::invalid_argument("'{" + text + "}' " + reason);
}

/**
 * Refuse what is not written as a range.
 *
 * @param text what is not
 */
[[noreturn]] void
RefuseForm(const std::string& text)
{
    Refuse(text,
           "is not a range: write it like {9..20}, {9..20+2}, {64..1024*2} or "
           "{1us..10ms*10}");
}

/**
 * Read a number and its unit.
 *
 * @param text the range
 * @param [in,out] at where it begins, then the character after it
 * @return the quantity
 */
Quantity
Read(const std::string& text, std::size_t& at)
{
    Quantity quantity;
    const bool isNegative = at < text.size() && text[at] == '-';
    at += isNegative ? 1 : 0;
    std::size_t digits = 0;
    bool hasPoint = false;
    for (; at < text.size(); ++at)
    {
        const bool isPoint = text[at] == '.' && !hasPoint && text.compare(at, 2, "..") != 0;
        if (!isPoint && std::isdigit(static_cast<unsigned char>(text[at])) == 0)
        {
            break;
        }
        hasPoint = hasPoint || isPoint;
        if (!isPoint)
        {
            quantity.mantissa = 10 * quantity.mantissa + (text[at] - '0');
            quantity.exponent -= hasPoint ? 1 : 0;
            if (++digits > MOST_DIGITS)
            {
                Refuse(text,
                       "has a number of more than " + std::to_string(MOST_DIGITS) +
                           " digits: write fewer");
            }
        }
    }
    if (digits == 0)
    {
        RefuseForm(text);
    }
    quantity.mantissa *= isNegative ? -1 : 1;
    for (; at < text.size() && (std::isalpha(static_cast<unsigned char>(text[at])) != 0 ||
                                text[at] == '/' || text[at] == '%');
         ++at)
    {
        quantity.unit += text[at];
    }
    return quantity;
}

/**
 * @param unit a unit
 * @param kind a kind of units
 * @return its place among them, or their number if it is of another kind
 */
std::size_t
FindUnit(const std::string& unit, const std::vector<Unit>& kind)
{
    const auto found = std::find_if(kind.begin(), kind.end(), [&unit](const Unit& each) {
        return each.first == unit;
    });
    return found - kind.begin();
}

/**
 * @param [in,out] quantity a quantity, then the nearest of ROUNDED_DIGITS
 */
void
Round(Quantity& quantity)
{
    Wide limit = 1;
    for (int i = 0; i < ROUNDED_DIGITS; ++i)
    {
        limit *= 10;
    }
    while (quantity.mantissa >= limit)
    {
        // Two steps at most would round twice: all digits but the last to go are cut off
        const bool isLast = quantity.mantissa / 10 < limit;
        quantity.mantissa = (quantity.mantissa + (isLast ? 5 : 0)) / 10;
        ++quantity.exponent;
    }
    while (quantity.mantissa != 0 && quantity.mantissa % 10 == 0)
    {
        quantity.mantissa /= 10;
        ++quantity.exponent;
    }
}

/**
 * @param text the range
 * @param quantity a quantity
 * @param exponent a power of ten, not above its own
 * @return its mantissa for that power
 */
Wide
Align(const std::string& text, const Quantity& quantity, int exponent)
{
    Wide mantissa = quantity.mantissa;
    for (int i = quantity.exponent; i > exponent; --i)
    {
        if (__builtin_mul_overflow(mantissa, static_cast<Wide>(10), &mantissa))
        {
            Refuse(text, "has numbers that differ too much: write ranges for parts of it");
        }
    }
    return mantissa;
}

/**
 * @param text the range
 * @param a a quantity
 * @param b another
 * @return a number below, equal to or above 0 as a is below, equal to or above b
 */
int
Compare(const std::string& text, const Quantity& a, const Quantity& b)
{
    const int exponent = std::min(a.exponent, b.exponent);
    const Wide left = Align(text, a, exponent);
    const Wide right = Align(text, b, exponent);
    return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * @param quantity a quantity
 * @return it as text
 */
std::string
Format(const Quantity& quantity)
{
    Wide rest = quantity.mantissa < 0 ? -quantity.mantissa : quantity.mantissa;
    std::string digits(quantity.exponent > 0 && rest > 0 ? quantity.exponent : 0, '0');
    for (; rest > 0; rest /= 10)
    {
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    }
    const std::size_t decimals = quantity.exponent < 0 ? -quantity.exponent : 0;
    if (digits.size() <= decimals)
    {
        digits.insert(0, decimals + 1 - digits.size(), '0');
    }
    digits = digits.empty() ? "0" : digits;
    if (decimals > 0)
    {
        digits.insert(digits.size() - decimals, ".");
        digits.erase(digits.find_last_not_of('0') + 1);
        digits.erase(digits.find_last_not_of('.') + 1);
    }
    return (quantity.mantissa < 0 ? "-" : "") + digits + quantity.unit;
}

/// The ends of a range and its step.
struct Parts
{
    std::string text;         //!< The range as it was written
    Quantity first;           //!< Its beginning, in the base unit if units differ
    Quantity last;            //!< Its end, likewise
    Quantity step;            //!< What is added, or multiplied with
    bool isGeometric{false};  //!< Whether it is multiplied with
    std::vector<Unit> kind;   //!< The units of values, empty if all have the same one
    std::size_t firstUnit{0}; //!< The place of the beginning's unit among them
    std::size_t lastUnit{0};  //!< The place of the end's unit among them
};

/**
 * @param parts a range
 * @param value one of its values
 * @return it as text, with a unit that suits
 */
std::string
FormatValue(const Parts& parts, Quantity value)
{
    if (parts.kind.empty())
    {
        value.unit = parts.first.unit;
        return Format(value);
    }
    std::size_t unit = parts.firstUnit;
    const auto isBelow = [&](Wide number) {
        Quantity limit{number, parts.kind[unit].second, ""};
        Quantity size = value;
        size.mantissa = size.mantissa < 0 ? -size.mantissa : size.mantissa;
        return Compare(parts.text, size, limit) < 0;
    };
    while (unit + 1 < parts.kind.size() && !isBelow(1000))
    {
        ++unit;
    }
    while (unit > parts.lastUnit && value.mantissa != 0 && isBelow(1))
    {
        --unit;
    }
    value.exponent -= parts.kind[unit].second;
    value.unit = parts.kind[unit].first;
    return Format(value);
}

/**
 * Find the units that all quantities of a range can be told in, and count in their base.
 *
 * @param [in,out] parts the range
 */
void
UnifyUnits(Parts& parts)
{
    if (parts.step.unit.empty() && !parts.isGeometric)
    {
        parts.step.unit = parts.first.unit;
    }
    const bool isSame = parts.first.unit == parts.last.unit &&
                        (parts.isGeometric || parts.step.unit == parts.first.unit);
    if (isSame)
    {
        return;
    }
    for (const auto& kind : KINDS)
    {
        parts.firstUnit = FindUnit(parts.first.unit, kind);
        parts.lastUnit = FindUnit(parts.last.unit, kind);
        const std::size_t stepUnit = parts.isGeometric ? 0 : FindUnit(parts.step.unit, kind);
        if (std::max({parts.firstUnit, parts.lastUnit, stepUnit}) < kind.size())
        {
            parts.kind = kind;
            parts.first.exponent += kind[parts.firstUnit].second;
            parts.last.exponent += kind[parts.lastUnit].second;
            parts.step.exponent += parts.isGeometric ? 0 : kind[stepUnit].second;
            return;
        }
    }
    Refuse(parts.text, "has units that are not of one kind: give all of its numbers the same unit");
}

/**
 * @param text a range
 * @return its parts
 */
Parts
Parse(const std::string& text)
{
    Parts parts;
    parts.text = text;
    std::size_t at = 0;
    parts.first = Read(text, at);
    if (text.compare(at, 2, "..") != 0)
    {
        RefuseForm(text);
    }
    at += 2;
    parts.last = Read(text, at);
    parts.step.mantissa = 1;
    char sign = 0;
    if (at < text.size())
    {
        sign = text[at++];
        if ((sign != '+' && sign != '-' && sign != '*') || (at < text.size() && text[at] == '-'))
        {
            RefuseForm(text);
        }
        parts.step = Read(text, at);
    }
    parts.isGeometric = sign == '*';
    if (at < text.size() || (parts.isGeometric && !parts.step.unit.empty()))
    {
        RefuseForm(text);
    }
    UnifyUnits(parts);
    const int direction = Compare(text, parts.last, parts.first);
    if (sign == '-' || (sign == 0 && direction < 0))
    {
        parts.step.mantissa *= -1;
    }
    return parts;
}

/**
 * Refuse a range that does not get to its end.
 *
 * @param parts the range
 */
void
CheckEnds(const Parts& parts)
{
    const int direction = Compare(parts.text, parts.last, parts.first);
    const int step = Compare(parts.text, parts.step, {parts.isGeometric ? 1 : 0, 0, ""});
    if (parts.isGeometric &&
        (parts.first.mantissa <= 0 || parts.last.mantissa <= 0 || parts.step.mantissa <= 0))
    {
        Refuse(parts.text, "multiplies, for which its ends and its factor must be above 0");
    }
    if (step == 0 || (direction != 0 && (direction > 0) != (step > 0)))
    {
        Refuse(parts.text,
               "never ends: its step does not lead from " + FormatValue(parts, parts.first) +
                   " to " + FormatValue(parts, parts.last));
    }
}

} // namespace

bool
ValueRange::IsRange(const std::string& text)
{
    if (text.find("..") == std::string::npos)
    {
        return false;
    }
    const bool isNumber = std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-';
    return isNumber || text.find('/') == std::string::npos;
}

std::vector<std::string>
ValueRange::Expand(const std::string& text)
{
    const Parts parts = Parse(text);
    CheckEnds(parts);
    std::vector<std::string> values;
    const bool isDown = Compare(text, parts.last, parts.first) < 0;
    for (Quantity value = parts.first;;)
    {
        const int toLast = Compare(text, value, parts.last);
        if (isDown ? toLast < 0 : toLast > 0)
        {
            return values;
        }
        if (values.size() == MOST_VALUES)
        {
            Refuse(text, "has more than " + std::to_string(MOST_VALUES) + " values");
        }
        values.push_back(FormatValue(parts, value));
        if (parts.isGeometric)
        {
            Round(value);
            value.mantissa *= parts.step.mantissa;
            value.exponent += parts.step.exponent;
            Round(value);
        }
        else
        {
            const int exponent = std::min(value.exponent, parts.step.exponent);
            value.mantissa = Align(text, value, exponent) + Align(text, parts.step, exponent);
            value.exponent = exponent;
        }
    }
}

} // namespace lightpath
} // namespace ns3
