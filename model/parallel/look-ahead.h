/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOOK_AHEAD_H
#define LOOK_AHEAD_H

#include "ns3/nstime.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Tells a simulation of several processes how far one of them may be ahead.
 */
class LookAhead
{
  public:
    /**
     * Bound the time that a process simulates on its own, before Simulator::Run(). ns-3 takes it
     * from point-to-point links between processes, so this adds one between nodes of their own.
     *
     * @param delay the least time from the beginning of anything in one process until it has an
     *        effect in another, above 0
     */
    static void Bound(const Time& delay);

    /**
     * Note the delay of a point-to-point link between processes.
     *
     * @param delay the delay
     */
    static void Note(const Time& delay);

    /**
     * @return the least of these times; the largest time if there are none
     */
    static Time Get();
};

} // namespace lightpath
} // namespace ns3

#endif /* LOOK_AHEAD_H */
