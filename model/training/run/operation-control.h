/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATION_CONTROL_H
#define OPERATION_CONTROL_H

#include "model/control/turns/operation-turns.h"
#include "operation-shape.h"

#include "ns3/ptr.h"
#include "ns3/rank-program.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <deque>
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

class CircuitController;
class CircuitTurner;
class JobPorts;
class TrainingJob;
struct TaskEvent;

/**
 * @ingroup lightpath
 * @brief Lets the circuits of one fabric follow the operations of a job (OperationTurns).
 *
 * A message begins as it is handed over, a collective operation once all members have begun it, so
 * that nothing else than its own messages holds it up while it has circuits.
 */
class OperationControl
{
  public:
    /**
     * Announce operations to a controller whose Trigger is Operation; before the job starts.
     *
     * @param job the job
     * @param controller decides on the circuits of the fabric
     * @param rail the fabric between servers; 0 without rails
     */
    static void Install(TrainingJob& job, Ptr<CircuitController> controller, uint32_t rail);

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

    /**
     * @param job the job
     * @param turner switches the circuits
     * @param ports the number of ports of the fabric
     * @param rail the fabric between servers
     */
    OperationControl(TrainingJob& job, Ptr<CircuitTurner> turner, uint32_t ports, uint32_t rail);

    /**
     * @param source a rank
     * @param destination another rank
     * @return the ports of messages between them; nothing if they do not take the fabric
     */
    std::optional<std::pair<uint32_t, uint32_t>> GetPorts(uint32_t source,
                                                          uint32_t destination) const;

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
     * @param event a task that begins: a message, or a collective operation
     */
    void NotifyBegin(const TaskEvent& event);

    /**
     * @param event a collective operation that has ended
     */
    void NotifyEnd(const TaskEvent& event);

    /**
     * @param rank the rank that a message has arrived at
     * @param source the rank that sent it
     * @param tag its tag
     */
    void NotifyArrival(uint32_t rank, uint32_t source, uint64_t tag);

    /// Let operations go on over all planes that work whose stages need one that does not.
    void NotifyGeometry();

    /**
     * Plan the rest of an operation again: messages that have not arrived take one shift after the
     * other, over all planes that work.
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
    void Arrive(const Key& key, uint32_t circuit);

    /// Ask for circuits, set idle ports and switch circuits after all that happens at this instant.
    void NotifyChange();

    /// Do so now.
    void Settle();

    TrainingJob& m_job;                      //!< The job
    Ptr<CircuitTurner> m_turner;             //!< Switches the circuits
    uint32_t m_nPorts;                       //!< Ports of the fabric
    uint32_t m_rail;                         //!< The fabric between servers
    std::shared_ptr<const JobPorts> m_ports; //!< Ports of ranks of one of several jobs, or null
    std::vector<RankGroups> m_groups;        //!< Ranks of operations, by kind of group
    OperationTurns m_turns;                  //!< Who has its turn
    std::map<Name, uint32_t> m_numbers;      //!< The operations by name
    std::vector<Shape> m_shapes;             //!< Their shapes
    bool m_countsMessages{false};            //!< Whether messages have to be seen
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
    bool m_isChanging{false};  //!< Whether a change is noted
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATION_CONTROL_H */
