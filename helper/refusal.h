/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REFUSAL_H
#define REFUSAL_H

#include <exception>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @param what the kind of thing that is named, like "fabric"
 * @param name the name
 * @param known the known names
 * @param where what the known ones belong to, like " for this fabric"
 * @return empty if the name is known; otherwise the sentence that lists the known ones
 */
inline std::string
CheckKnown(const std::string& what,
           const std::string& name,
           const std::vector<std::string>& known,
           const std::string& where = "")
{
    std::string list;
    for (const auto& each : known)
    {
        if (each == name)
        {
            return "";
        }
        list += (list.empty() ? "" : ", ") + each;
    }
    return "There is no " + what + " '" + name + "'" + where + ": the known ones are " +
           (list.empty() ? "none" : list);
}

/**
 * @ingroup lightpath
 * @tparam F the type of the function
 * @param call a function that refuses by an exception
 * @return the sentence of the exception; empty if there was none
 */
template <typename F>
std::string
GetRefusal(F call)
{
    try
    {
        call();
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
    return "";
}

} // namespace lightpath
} // namespace ns3

#endif /* REFUSAL_H */
