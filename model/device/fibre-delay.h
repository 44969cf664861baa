/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIBRE_DELAY_H
#define FIBRE_DELAY_H

#include "ns3/nstime.h"

namespace ns3
{
namespace lightpath
{

/// Group index of standard single-mode fibre (ITU-T G.652) at 1310 nm to 1550 nm.
constexpr double FIBRE_GROUP_INDEX = 1.468;

/**
 * @ingroup lightpath
 * @param metres the length of a fibre, in metres
 * @return the time that light takes through it
 */
inline Time
GetFibreDelay(double metres)
{
    constexpr double lightSpeed = 299792458;
    return Seconds(metres * FIBRE_GROUP_INDEX / lightSpeed);
}

} // namespace lightpath
} // namespace ns3

#endif /* FIBRE_DELAY_H */
