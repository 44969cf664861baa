/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_TIMING_H
#define ROTOR_TIMING_H

#include "model/base/wire-format.h"

#include "ns3/periodic-schedule.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A fabric with a periodic schedule, as its timers know it.
 */
struct RotorTiming
{
    /// A message from one port to another.
    struct Message
    {
        uint32_t source{0};      //!< The port that sends it
        uint32_t destination{0}; //!< The port that it is for
        uint64_t bytes{0};       //!< Its size

        /**
         * @param other another message
         * @return true if they are the same
         */
        bool operator==(const Message& other) const
        {
            return source == other.source && destination == other.destination &&
                   bytes == other.bytes;
        }
    };

    /// Headers of a frame that may be forwarded: those of a message, and the way (RelayPiece).
    static constexpr uint32_t HEADER_BYTES = FRAME_HEADER_BYTES + 4;

    /// Time and bytes that messages take.
    struct Result
    {
        double seconds{0}; //!< Time until all have come in
        double bytes{0};   //!< Bytes that all ports have sent, those that they forward included
    };

    /**
     * @return the turns of uplinks in a slot: all at once, or one after the other
     */
    uint32_t GetNTurns() const
    {
        return isStaggered ? schedule->GetNUplinks() : 1;
    }

    std::shared_ptr<const PeriodicSchedule> schedule; //!< Who meets whom
    double slotSeconds{0};                            //!< Time that an uplink keeps a configuration
    double darkSeconds{0};                            //!< The dark beginning of it
    double rate{0};                                   //!< Rate of an uplink, bytes/s
    bool isStaggered{false};                          //!< Whether uplinks turn one after the other
    double frameBytes{65536};                         //!< Bytes of a frame of a short message
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_TIMING_H */
