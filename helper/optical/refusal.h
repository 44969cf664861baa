/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REFUSAL_H
#define REFUSAL_H

#include "model/base/nearest-name.h"

#include <algorithm>
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
    return std::find(known.begin(), known.end(), name) != known.end()
               ? ""
               : "There is no " + what + " '" + name + "'" + where + ": " + ListKnown(name, known);
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
