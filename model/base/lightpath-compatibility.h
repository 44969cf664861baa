/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COMPATIBILITY_H
#define LIGHTPATH_COMPATIBILITY_H

#include "ns3/enum.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Make the accessor of an enum attribute where MakeEnumAccessor() names the enum (ns-3.41
 * and later).
 *
 * @tparam E the enum
 * @tparam A the types of the members
 * @param members the member, or the setter and the getter
 * @return the accessor
 */
template <typename E, typename... A>
auto
MakeEnumAccessorFor(int, A... members) -> decltype(MakeEnumAccessor<E>(members...))
{
    return MakeEnumAccessor<E>(members...);
}

/**
 * @ingroup lightpath
 * @brief Make the accessor of an enum attribute where MakeEnumAccessor() takes any enum (up to
 * ns-3.40).
 *
 * @tparam E the enum
 * @tparam A the types of the members
 * @param members the member, or the setter and the getter
 * @return the accessor
 */
template <typename E, typename... A>
auto
MakeEnumAccessorFor(long, A... members) -> decltype(MakeEnumAccessor(members...))
{
    return MakeEnumAccessor(members...);
}

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_COMPATIBILITY_H */
