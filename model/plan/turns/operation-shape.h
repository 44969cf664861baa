/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATION_SHAPE_H
#define OPERATION_SHAPE_H

#include "model/control/turns/operation-turns.h"

#include "ns3/collective-schedule.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

struct TurnSequence;

/**
 * @ingroup lightpath
 * @brief The circuits of a collective operation or a message on one fabric, in their order, and
 * what has to arrive before each of them is free.
 *
 * If all steps of an operation need the same circuits, one for each port at most, they are one
 * stage, and a circuit is free once all ranks that receive over it have ended the operation.
 * Otherwise each step, together with those that follow it with the same circuits, is a stage; a
 * step in which ports have several peers is a stage for each distance between ports, as its
 * messages do not wait for each other. A circuit is then free once all of its messages have
 * arrived.
 */
class OperationShape
{
  public:
    /// The ports of a message from one member to another; nothing if it does not take the fabric.
    using GetPorts = std::function<std::optional<std::pair<uint32_t, uint32_t>>(uint32_t sender,
                                                                                uint32_t receiver)>;

    /// All steps of a schedule.
    static constexpr uint32_t ALL_STEPS = UINT32_MAX;

    /// The messages of a member in a step, or in ALL_STEPS, and the number of steps.
    using GetSends =
        std::function<uint32_t(uint32_t sender, uint32_t step, std::vector<Transfer>& transfers)>;

    /**
     * A message.
     *
     * @param source its source port
     * @param destination its destination port
     */
    OperationShape(uint32_t source, uint32_t destination);

    /**
     * A collective operation.
     *
     * @param members the number of members
     * @param ports the number of ports of the fabric
     * @param getPorts the ports of messages
     * @param getSends what the members send
     */
    OperationShape(uint32_t members,
                   uint32_t ports,
                   const GetPorts& getPorts,
                   const GetSends& getSends);

    /**
     * A collective operation over topologies that are turned while it goes on. Each plane of each
     * topology is a stage, and a circuit is free once all that goes over that topology to its
     * receiver has arrived.
     *
     * @param members the number of members
     * @param planes the number of planes of the fabric; std::invalid_argument if it is another one
     *        than that of the topologies
     * @param getPorts the ports of messages: those across servers all take the fabric, or another
     *        one
     * @param sequence the topologies, among all members or across servers
     * @param schedule the messages
     */
    OperationShape(uint32_t members,
                   uint32_t planes,
                   const GetPorts& getPorts,
                   const TurnSequence& sequence,
                   const CollectiveSchedule& schedule);

    /**
     * @param turns the circuits of the fabric
     * @return true if its planes carry all of its stages, or all planes the first one if any will
     * do
     */
    bool IsCarried(const CircuitTurns& turns) const;

    /// Let all planes that work carry each stage.
    void UseAllPlanes()
    {
        m_planes.assign(m_stages->size(), {});
    }

    /**
     * @return its stages
     */
    const std::shared_ptr<const std::vector<OperationTurns::Stage>>& GetStages() const
    {
        return m_stages;
    }

    /**
     * @return the planes of each stage; empty if any will do
     */
    const std::vector<CircuitTurns::PlaneGroup>& GetPlanes() const
    {
        return m_planes;
    }

    /**
     * @param port a port
     * @return true if the port sends
     */
    bool HasSource(uint32_t port) const
    {
        return m_sources.count(port) > 0;
    }

    /**
     * @param port a port
     * @return true if the port receives
     */
    bool HasDestination(uint32_t port) const
    {
        return m_destinations.count(port) > 0;
    }

    /**
     * @return what has to arrive over each circuit, stage by stage: messages, or the last messages
     *         of ranks
     */
    const std::vector<uint32_t>& GetCounts() const
    {
        return m_counts;
    }

    /**
     * @return true if messages count, in place of ranks that have ended
     */
    bool CountsMessages() const
    {
        return m_countsMessages;
    }

    /**
     * @return the bytes of the circuits with the most of each stage, on average
     */
    double GetStageBytes() const;

    /**
     * @param receiver a member that has ended the operation
     * @return the circuits that it received over, counted through all stages
     */
    const std::vector<uint32_t>& GetCircuits(uint32_t receiver) const
    {
        return m_ofReceivers[receiver];
    }

    /**
     * @param step the step of a message that has arrived
     * @param sender the member that sent it
     * @param receiver the member that received it
     * @return its circuits, counted through all stages: none if it did not take the fabric, and
     *         several if several planes are stages of their own
     */
    std::vector<uint32_t> FindCircuits(uint32_t step, uint32_t sender, uint32_t receiver) const;

  private:
    /// A message by its two members.
    using Message = std::pair<uint32_t, uint32_t>;

    /// Messages and bytes on a circuit, by source and destination port.
    struct Load
    {
        std::vector<Message> messages; //!< The messages, in one step or in all
        uint64_t bytes{0};             //!< Their bytes
    };

    /// Loads by source and destination port.
    using Loads = std::map<std::pair<uint32_t, uint32_t>, Load>;

    /**
     * @param loads some circuits
     * @return true if no port has two of them in one direction
     */
    static bool IsMatching(const Loads& loads);

    /**
     * Append a plane of a topology.
     *
     * @param schedule the messages
     * @param first the first step on this topology
     * @param last the step after the last one
     * @param shift where circuits of the plane lead to, in members
     * @param getPorts the ports of messages
     * @return false if none of its circuits is on this fabric
     */
    bool AddPlane(const CollectiveSchedule& schedule,
                  uint32_t first,
                  uint32_t last,
                  uint32_t shift,
                  const GetPorts& getPorts);

    /**
     * Append a stage.
     *
     * @param loads its circuits
     */
    void AddStage(const Loads& loads);

    /**
     * Append the circuits of a step.
     *
     * @param step the step
     * @param loads its messages
     * @param ports the number of ports of the fabric
     */
    void AddStep(uint32_t step, const Loads& loads, uint32_t ports);

    /**
     * @param step a step
     * @param loads circuits of the last stage, and their messages in this step
     */
    void Count(uint32_t step, const Loads& loads);

    std::shared_ptr<const std::vector<OperationTurns::Stage>> m_stages; //!< The stages
    std::vector<CircuitTurns::PlaneGroup> m_planes;   //!< Planes of each stage, or empty
    std::vector<OperationTurns::Stage> m_list;        //!< The same, until they are complete
    std::vector<uint32_t> m_counts;                   //!< What has to arrive, by circuit
    std::vector<uint64_t> m_bytes;                    //!< Bytes by circuit
    std::set<uint32_t> m_sources;                     //!< Ports that send
    std::set<uint32_t> m_destinations;                //!< Ports that receive
    bool m_countsMessages{true};                      //!< Whether messages count
    std::vector<std::vector<uint32_t>> m_ofReceivers; //!< Circuits by receiver
    /// Circuit by step, sender and receiver
    std::multimap<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> m_ofMessages;
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATION_SHAPE_H */
