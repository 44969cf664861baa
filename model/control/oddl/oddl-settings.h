/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_SETTINGS_H
#define ODDL_SETTINGS_H

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The settings of a control unit of ODDL. Times are in ticks.
 */
struct OddlSettings
{
    /// Which corner forwards between two ports that share no switch.
    enum RelayPolicy
    {
        X_FIRST,      //!< That in the row of the source
        Y_FIRST,      //!< That in the column of the source
        LEAST_LOADED, //!< That in the row, or that in the column if the transmitter there is idle
        FORBID,       //!< None: such a pair is refused
    };

    /// The waiting request that a receiver grants next.
    enum GrantPolicy
    {
        FCFS,              //!< The one that came first
        SMALLEST_FIRST,    //!< The one of the smallest flow
        OLDEST_STEP_FIRST, //!< The one whose data has been ready longest
    };

    /// A time at which nothing happens any more.
    static constexpr int64_t NEVER = INT64_MAX / 16;

    RelayPolicy relayPolicy{X_FIRST}; //!< Which corner forwards
    GrantPolicy grantPolicy{FCFS};    //!< Which request is granted next
    bool isReliable{false};           //!< Whether ends are reported
    uint32_t maxRequests{1};          //!< Most requests outstanding of a transmitter
    int64_t processingTime{0};        //!< From a message to its effect
    int64_t retryInterval{NEVER};     //!< After which a request is sent again
    int64_t maxRetryInterval{NEVER};  //!< The longest such time
    int64_t expiry{NEVER};            //!< From a grant to light
    int64_t lookAhead{0}; //!< Before the end of a flow, to request the next; 0: after it
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_SETTINGS_H */
