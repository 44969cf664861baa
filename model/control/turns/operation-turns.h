/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATION_TURNS_H
#define OPERATION_TURNS_H

#include "circuit-turns.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Lets the circuits of a fabric follow the messages and collective operations of a training
 * job, as photonic rails do.
 *
 * An operation has stages, each of which needs one circuit for each of its ports at most. As soon
 * as it begins, it asks for the circuits of all stages, stage by stage; planes in several groups
 * then serve stages in turn, so that one is set up while another one sends (SWOT). A circuit is
 * released when what goes over it has arrived.
 *
 * The order of the operations of each port is known from the programs. A port that nobody asks for
 * is set for its next operation if that is also the next one of the port at the other end.
 */
class OperationTurns
{
  public:
    /// The circuits of a stage: a matching, in ascending order of sources.
    using Stage = std::vector<CircuitTurns::Circuit>;

    /// An operation.
    struct Operation
    {
        std::shared_ptr<const std::vector<Stage>> stages; //!< Its stages
        uint32_t groups{1}; //!< Groups of planes that serve them in turn
        /// The planes of each stage, of which each two are the same or have none in common; empty
        /// if groups serve them in turn
        std::vector<CircuitTurns::PlaneGroup> planes{};

        /**
         * @param stage the number of a stage
         * @return its planes
         */
        CircuitTurns::PlaneGroup GetPlanes(std::size_t stage) const
        {
            return planes.empty()
                       ? CircuitTurns::PlaneGroup{static_cast<uint32_t>(stage % groups), groups}
                       : planes[stage];
        }
    };

    /// The directions of a port.
    enum Side : uint32_t
    {
        SENDS,    //!< What the port sends
        RECEIVES, //!< What the port receives
    };

    /// The ports of an operation in ascending order, by direction.
    using Ports = std::array<std::vector<uint32_t>, 2>;

    /**
     * @param turns the circuits; must outlive this object
     * @param ports the number of ports
     * @param iterations the number of iterations of the job
     */
    OperationTurns(CircuitTurns& turns, uint32_t ports, uint32_t iterations);

    /**
     * @param operation an operation that takes place in each iteration
     * @return its number
     */
    uint32_t Add(Operation operation);

    /**
     * Set the order of the operations of a port in an iteration.
     *
     * @param port the port
     * @param side the direction
     * @param operations their numbers
     */
    void SetOrder(uint32_t port, Side side, std::vector<uint32_t> operations);

    /**
     * Begin an operation.
     *
     * @param number its number
     * @param iteration the iteration, from 0
     * @param operation the operation as it is in this iteration
     * @return the number of the request of the first circuit; those of others follow, stage by
     *         stage
     */
    uint64_t Begin(uint32_t number, uint32_t iteration, const Operation& operation);

    /**
     * @param number the number of an operation
     * @return the operation
     */
    const Operation& Get(uint32_t number) const
    {
        return m_operations[number];
    }

    /**
     * @param number the number of an operation
     * @return its ports
     */
    const Ports& GetPorts(uint32_t number) const
    {
        return *m_ports[number];
    }

    /**
     * @param request the request of a circuit whose messages have arrived
     */
    void End(uint64_t request);

    /// Set idle ports for their next operations, after all that happens at an instant.
    void Settle();

  private:
    /// Iteration and number of an operation.
    using Key = std::pair<uint32_t, uint32_t>;

    /// The operations of a port in one direction.
    struct Agenda
    {
        std::vector<uint32_t> order; //!< Operations of an iteration
        std::deque<Key> next;        //!< Operations that have not begun
        uint32_t iteration{0};       //!< The iteration that follows these
    };

    /**
     * Remove an operation that begins.
     *
     * @param agenda what a port does
     * @param key the operation
     */
    void Take(Agenda& agenda, const Key& key) const;

    /**
     * Append iterations until there is something to do, or no iteration left.
     *
     * @param agenda what a port does
     */
    void Refill(Agenda& agenda) const;

    /**
     * Set a port for what it sends next.
     *
     * @param source the port
     */
    void Expect(uint32_t source);

    CircuitTurns& m_turns;                             //!< The circuits
    uint32_t m_nIterations;                            //!< Iterations of the job
    std::vector<Operation> m_operations;               //!< The operations
    std::vector<std::array<Agenda, 2>> m_agendas;      //!< By port and side
    std::vector<std::shared_ptr<const Ports>> m_ports; //!< The ports of each operation
    /// Ports by stages, which operations may have in common; looked up only
    std::map<std::shared_ptr<const std::vector<Stage>>, std::shared_ptr<const Ports>> m_known;
    std::set<uint32_t> m_touched; //!< Ports that may have become idle
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATION_TURNS_H */
