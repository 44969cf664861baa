/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NAMED_ENUM_H
#define NAMED_ENUM_H

#include "ns3/enum.h"
#include "ns3/ptr.h"

#include <cctype>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Make enum attributes from a table of an enumeration: rows with a value and the name that
 * options and files give it, such as "multi-ring". The attribute calls it "MultiRing".
 */
class NamedEnum
{
  public:
    /**
     * @param name a name as in options
     * @return the name as in attributes
     */
    static std::string GetAttributeName(const std::string& name)
    {
        std::string result;
        bool isFirst = true;
        for (const char letter : name)
        {
            if (letter != '-')
            {
                result += isFirst ? static_cast<char>(std::toupper(letter)) : letter;
            }
            isFirst = letter == '-';
        }
        return result;
    }

    /**
     * @tparam R the type of the table
     * @param rows the table
     * @return the names as in options, separated by commas
     */
    template <typename R>
    static std::string ListNames(const R& rows)
    {
        std::string list;
        for (const auto& row : rows)
        {
            list += (list.empty() ? "" : ", ") + row.name;
        }
        return list;
    }

    /**
     * @tparam R the type of the table
     * @param rows the table
     * @return the names as in attributes, separated by commas
     */
    template <typename R>
    static std::string ListAttributeNames(const R& rows)
    {
        std::string list;
        for (const auto& row : rows)
        {
            list += (list.empty() ? "" : ", ") + GetAttributeName(row.name);
        }
        return list;
    }

    /**
     * Make the checker of an attribute whose member holds a value of the table. (An EnumValue of
     * ns-3.37 does not hold an enum class: then the member is an int.)
     *
     * @tparam E the type of the member
     * @tparam R the type of the table
     * @param rows the table
     * @return the checker
     */
    template <typename E = int, typename R>
    static Ptr<const AttributeChecker> MakeChecker(const R& rows)
    {
        return MakeCheckerOf<EnumChecker, E>(rows);
    }

  private:
    /**
     * @tparam C EnumChecker up to ns-3.40
     * @tparam E the type of the member
     * @tparam R the type of the table
     * @param rows the table
     * @return the checker
     */
    template <typename C, typename E, typename R>
    static Ptr<const AttributeChecker> MakeCheckerOf(const R& rows)
    {
        const auto checker = Create<C>();
        for (const auto& row : rows)
        {
            checker->Add(static_cast<E>(row.value), GetAttributeName(row.name));
        }
        return checker;
    }

    /**
     * @tparam C EnumChecker from ns-3.41 on
     * @tparam E the type of the member
     * @tparam R the type of the table
     * @param rows the table
     * @return the checker
     */
    template <template <typename> class C, typename E, typename R>
    static Ptr<const AttributeChecker> MakeCheckerOf(const R& rows)
    {
        return MakeCheckerOf<C<E>, E, R>(rows);
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* NAMED_ENUM_H */
