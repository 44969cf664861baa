/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_PROBLEM_H
#define TURN_PROBLEM_H

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The collective operations that circuits can turn in.
enum class TurnKind : uint8_t
{
    ALL_REDUCE,     //!< Each port ends with the sum of all buffers
    REDUCE_SCATTER, //!< Each port ends with its n-th of the sum
    ALL_GATHER,     //!< Each port ends with the n-ths of all
    ALL_TO_ALL,     //!< Each port sends an n-th of its buffer to each other port
};

/**
 * @ingroup lightpath
 * @brief A collective operation on a fabric of parallel circuit switches that may turn while it
 * goes on.
 *
 * All n ports do the same: port r sends what port 0 sends, r ports further on. A chunk is an n-th
 * of the buffer, rounded up; times are exact where n divides the bytes, and else from above.
 */
struct TurnProblem
{
    TurnKind kind{TurnKind::ALL_TO_ALL}; //!< The operation
    uint32_t ports{2};                   //!< The number n of ports
    uint64_t bytes{0};                   //!< The size of the buffer of a port, bytes
    uint32_t planes{1};                  //!< Parallel switches: circuits that a port has
    uint64_t laneRate{100000000000};     //!< Rate of a circuit of one plane, bit/s
    Time delay;                          //!< Darkness of a circuit that is turned
    Time latency;                        //!< Time of a message over a hop besides its bytes
    uint32_t headers{0};                 //!< Bytes that are sent with each message
    bool pausesAll{false};               //!< All circuits are dark while some are turned
    bool listsItems{false};              //!< Solutions list what is in each message

    /**
     * @return the bytes of a chunk
     */
    uint64_t GetChunkBytes() const
    {
        return (bytes + ports - 1) / ports;
    }
};

/**
 * @ingroup lightpath
 * @brief A chunk in a message, as seen from the port r that sends it.
 */
struct TurnItem
{
    uint32_t back{0};  //!< It comes from port r - back (mod n); of sums, not used
    uint32_t ahead{0}; //!< It is for port r + ahead (mod n); of all-gather, not used
};

/**
 * @ingroup lightpath
 * @brief The messages of all ports over as many circuits.
 */
struct TurnMove
{
    uint32_t shift{0};           //!< Each port r sends to port r + shift (mod n)
    uint64_t chunks{0};          //!< The chunks of a message
    std::vector<TurnItem> items; //!< The same one by one, if TurnProblem::listsItems
};

/// Messages sent at once; a port begins the next round when all of these have come in.
using TurnRound = std::vector<TurnMove>;

/**
 * @ingroup lightpath
 * @brief A topology and what goes over it, hop by hop.
 */
struct TurnPhase
{
    std::vector<uint32_t> shifts; //!< Where the circuits of each plane lead to; 0: not used
    std::shared_ptr<const std::vector<TurnRound>> rounds; //!< What is sent
};

/**
 * @ingroup lightpath
 * @brief A way to carry an operation out: one topology after the other.
 *
 * The circuits of the planes of a phase are turned for the next phase that uses them as soon as all
 * messages of the phase have arrived; planes that are not used turn while others send.
 */
struct TurnSequence
{
    uint32_t ports{0}; //!< The number of ports
    std::vector<TurnPhase>
        phases;        //!< The phases in their order; all-reduce gathers in the last half
    std::string words; //!< The topologies in words
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_PROBLEM_H */
