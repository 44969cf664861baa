/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATION_REQUESTS_H
#define OPERATION_REQUESTS_H

#include "operation-shape.h"

#include "ns3/message-tag.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Asks for the circuits of the operations of a plan on one fabric (OperationTurns).
 *
 * A message begins as it is handed over, a collective operation once all members have begun it, so
 * that nothing else than its own messages holds it up while it has circuits. The owner tells what
 * begins, arrives and ends, in a simulation or for the price of a plan.
 */
class OperationRequests
{
  public:
    /// The fabric, and the job on it (abstract).
    class Fabric
    {
      public:
        virtual ~Fabric() = default;

        /**
         * @param source a rank
         * @param destination another rank
         * @return the ports of messages between them; nothing if they do not take the fabric
         */
        virtual std::optional<std::pair<uint32_t, uint32_t>> GetPorts(
            uint32_t source,
            uint32_t destination) const = 0;

        /**
         * @param task a collective operation
         * @param rank a rank that takes part
         * @param iteration the iteration of which the load of experts is drawn; nothing for an even
         *        one
         * @param size the number of members
         * @return the schedule of the operation as the rank knows it
         */
        virtual std::shared_ptr<const CollectiveSchedule> GetSchedule(
            const Task& task,
            uint32_t rank,
            std::optional<uint32_t> iteration,
            uint32_t size) = 0;

        /**
         * @return the rate of a circuit, bytes/s
         */
        virtual double GetByteRate() const = 0;

        /**
         * @return the time for which a circuit that changes is dark, seconds
         */
        virtual double GetDarkSeconds() const = 0;

        /// Call Settle() after all that happens at this instant.
        virtual void NotifyChange() = 0;
    };

    /**
     * @param plan the plan
     * @param turns the circuits
     * @param ports the number of ports
     * @param iterations the number of iterations
     * @param fabric the fabric; all must outlive this object
     */
    OperationRequests(const TrainingPlan& plan,
                      CircuitTurns& turns,
                      uint32_t ports,
                      uint32_t iterations,
                      Fabric& fabric);

    /**
     * @param rank a rank
     * @return true if some of its tasks ask for circuits
     */
    bool Has(uint32_t rank) const
    {
        return !m_ofTasks[rank].empty();
    }

    /**
     * @return true if Arrive() must be called for each message
     */
    bool CountsMessages() const
    {
        return m_countsMessages;
    }

    /**
     * @param rank a rank
     * @param task a message, or a collective operation, that it begins
     * @param iteration the iteration
     */
    void Begin(uint32_t rank, uint32_t task, uint32_t iteration);

    /**
     * @param rank a rank
     * @param task a collective operation that has ended there
     * @param iteration the iteration
     */
    void End(uint32_t rank, uint32_t task, uint32_t iteration);

    /**
     * @param rank the rank that a message has arrived at
     * @param source the rank that sent it
     * @param tag its tag
     */
    void Arrive(uint32_t rank, uint32_t source, const MessageTag& tag);

    /// Let operations go on over all planes that work whose stages need one that does not.
    void NotifyGeometry();

    /// Ask for circuits and set idle ports.
    void Settle();

  private:
    /// Stands for no operation.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// Iterations in the tag of a message.
    static constexpr uint32_t TAG_ITERATIONS = 1 << 14;

    /// An operation: kind of group, first member or sender, receiver or NONE, number.
    using Name = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    /// A shape.
    using Shape = std::shared_ptr<const OperationShape>;

    /// An operation that a member has begun.
    struct Running
    {
        Shape shape;                //!< Its shape
        uint32_t rank{0};           //!< A member
        uint32_t task{0};           //!< Its task
        uint32_t iteration{0};      //!< The iteration
        bool isGiven{false};        //!< Whether its topologies are given and planes carry them
        uint32_t joined{0};         //!< Members that have begun it
        uint64_t first{0};          //!< Its first request; 0 before all members have begun it
        std::vector<uint32_t> left; //!< What has to arrive, by circuit
        std::size_t nLeft{0};       //!< Circuits over which something has to arrive
        bool isBound{false};        //!< Whether some stages need planes of their own
        /// Step, sender and receiver of what has arrived, if topologies are given
        std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> arrived;
        std::vector<uint32_t> ended; //!< Members that have ended it, if topologies are given
    };

    /// An iteration and an operation.
    using Key = std::pair<uint32_t, uint32_t>;

    /// Find the operations of all ranks, and their order.
    void FindOperations();

    /// Task, rank and number of operations, by port and side.
    using Orders = std::map<std::pair<uint32_t, OperationTurns::Side>,
                            std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>>;

    /**
     * Add a task of a rank to the orders of the ports of the rank.
     *
     * @param rank the rank
     * @param index the task, whose operation is known
     * @param shape the shape of the operation
     * @param [in,out] orders the operations of each port
     */
    void AddOrders(uint32_t rank,
                   uint32_t index,
                   const OperationShape& shape,
                   Orders& orders) const;

    /**
     * Tell the turns in which order ports take part in operations.
     *
     * @param [in,out] orders the operations of each port; sorted
     */
    void SetOrders(Orders& orders);

    /**
     * @param rank a rank
     * @param task a communication task of it
     * @return its name
     */
    Name GetName(uint32_t rank, const Task& task) const;

    /**
     * @param rank a rank
     * @param task a communication task of it
     * @param iteration the iteration, of which loads are drawn; nothing for even ones
     * @param onAnyPlane whether topologies that are given do not count, as some plane has failed
     * @return its shape
     */
    Shape GetShape(uint32_t rank,
                   const Task& task,
                   std::optional<uint32_t> iteration,
                   bool onAnyPlane = false);

    /**
     * @param shape a shape
     * @return the operation
     */
    OperationTurns::Operation MakeOperation(const OperationShape& shape) const;

    /**
     * Plan the messages of an operation anew that are still to arrive: one shift after the other,
     * over all planes that work.
     *
     * @param [in,out] running the operation
     */
    void Replan(Running& running);

    /**
     * Ask for the circuits of an operation.
     *
     * @param key the operation
     */
    void Ask(const Key& key);

    /**
     * Note that something has arrived.
     *
     * @param key the operation
     * @param circuit the circuit
     */
    void Note(const Key& key, uint32_t circuit);

    const TrainingPlan& m_plan;         //!< The plan
    CircuitTurns& m_circuits;           //!< The circuits
    uint32_t m_nPorts;                  //!< Ports of the fabric
    Fabric& m_fabric;                   //!< The fabric
    std::vector<RankGroups> m_groups;   //!< Ranks of operations, by kind of group
    OperationTurns m_turns;             //!< Who has its turn
    std::map<Name, uint32_t> m_numbers; //!< The operations by name
    std::vector<Shape> m_shapes;        //!< Their shapes
    bool m_countsMessages{false};       //!< Whether Arrive() must be called
    /// Operation by rank and task, or NONE
    std::vector<std::vector<uint32_t>> m_ofTasks;
    /// Shapes by kind of group, first member, operation, bytes and options
    std::map<std::tuple<uint32_t, uint32_t, CollectiveKind, uint64_t, CollectiveOptions>, Shape>
        m_known;
    std::map<std::pair<uint32_t, uint32_t>, Shape> m_single; //!< Those of messages, by ports
    std::map<Key, Running> m_running;                        //!< Operations that go on
    /// Whether an operation is a collective one, and the least place of its tasks in programs
    std::vector<std::pair<bool, uint32_t>> m_places;
    std::vector<Key> m_asking; //!< Operations that are to ask for circuits at this instant
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATION_REQUESTS_H */
