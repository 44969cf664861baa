/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_TURNS_H
#define PLAN_TURNS_H

#include "collective-shapes.h"
#include "model/control/turns/operation-turns.h"
#include "model/plan/rank-classes.h"
#include "plan-paths.h"
#include "task-partners.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief When the messages and collectives of a plan get their circuits, if these follow
 * operations.
 *
 * A class of ranks stands for the ports of all of its ranks, or of the servers that they share.
 * Each item, a send or a collective of TaskPartners, has the same stages, turns and expectations as
 * in a simulation.
 */
class PlanTurns
{
  public:
    /// No item.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param plan the plan
     * @param classes the classes of its ranks
     * @param partners which tasks belong together
     * @param [in,out] shapes the load of collectives
     * @param [in,out] paths the paths
     * @param [in,out] network gets a link for the light of each part where planes differ
     * @param fabric the fabric; all must outlive this object
     * @param iterations the number of iterations
     */
    PlanTurns(const TrainingPlan& plan,
              const RankClasses& classes,
              const TaskPartners& partners,
              CollectiveShapes& shapes,
              PlanPaths& paths,
              FlowNetwork& network,
              const FabricLimits& fabric,
              uint32_t iterations);

    /**
     * @param send the number of a send
     * @return its item, or NONE if it takes no circuit
     */
    uint32_t GetSendItem(uint32_t send) const;

    /**
     * @param operation a collective
     * @return its item, or NONE if it takes no circuit
     */
    uint32_t GetItem(uint32_t operation) const
    {
        return m_ofOperations[operation];
    }

    /**
     * @param operation a collective
     * @return its parts, which take as long as the light of their circuits lets them
     */
    const CollectiveShapes::Parts& GetParts(uint32_t operation) const
    {
        return *m_parts[operation];
    }

    /**
     * @param send the number of a send that takes a circuit
     * @return its path in the network, which carries messages while the circuit carries light
     */
    uint32_t GetPath(uint32_t send) const
    {
        return m_ofSends.at(send).path;
    }

    /**
     * Ask for the circuits of an item.
     *
     * @param item the item
     * @param iteration the iteration
     * @return the number of its first request
     */
    uint64_t Begin(uint32_t item, uint32_t iteration);

    /// Planes of the circuits of a part of a collective.
    struct Planes
    {
        uint32_t lit{0};   //!< Those that carry light, of the circuit with the fewest
        uint32_t asked{0}; //!< Those that were asked for

        /**
         * @return true if all carry light
         */
        bool AreAllLit() const
        {
            return lit == asked;
        }
    };

    /**
     * @param item an item that has begun
     * @param first its first request
     * @param part the part that is to go on
     * @param now the time, in seconds
     * @return the planes of its circuits
     */
    Planes GetPlanes(uint32_t item, uint64_t first, uint32_t part, double now) const;

    /**
     * Let a part of a collective have the rate of the planes that carry light.
     *
     * @param part the part
     * @param planes its planes
     */
    void Light(const CollectiveShapes::Part& part, const Planes& planes);

    /**
     * Messages of a step that go different distances, or stay in a server, do not wait for each
     * other.
     *
     * @param item the item of a collective
     * @param part a part
     * @return the part behind those that begin together with this one
     */
    uint32_t GetNext(uint32_t item, uint32_t part) const
    {
        return m_items[item]->parts[part].next;
    }

    /**
     * Release the circuits of a part that is over: those of given topologies with the last one of
     * the parts that began together.
     *
     * @param item the item
     * @param first its first request
     * @param part the part
     * @param isLast whether all parts that began together are over
     */
    void End(uint32_t item, uint64_t first, uint32_t part, bool isLast);

    /**
     * Switch circuits after all that happens at an instant.
     *
     * @param now the time, in seconds
     * @return true if some will carry light after the darkness of a reconfiguration
     */
    bool Settle(double now);

  private:
    /// A part of an item.
    struct Part
    {
        uint32_t step{NONE};            //!< The step whose circuits it needs, or NONE
        uint32_t next{1};               //!< The part behind those that begin together with it
        std::vector<uint32_t> requests; //!< Its requests, those of a circuit after each other
    };

    /// An item.
    struct Item
    {
        OperationTurns::Operation operation; //!< Its stages
        OperationTurns::Stage circuits;      //!< The circuits of its requests
        std::vector<uint32_t> begins;        //!< Requests before those of each step
        std::vector<Part> parts;             //!< Its parts
        bool isWhole{false};                 //!< Whether it needs the same circuits all the time
    };

    /// A send that takes a circuit.
    struct Send
    {
        uint32_t item{0}; //!< Its item
        uint32_t path{0}; //!< Its path in the network
    };

    /// The circuit of messages.
    struct Beam
    {
        CircuitTurns::Circuit circuit; //!< The circuit
        uint32_t path{0};              //!< The path of its messages in the network
        uint32_t link{0};              //!< The link of the path that carries as much as the circuit
    };

    /**
     * @param rank a rank
     * @param destination another rank
     * @return the circuit between them; nothing if they share a server
     */
    std::optional<CircuitTurns::Circuit> GetCircuit(uint32_t rank, uint32_t destination);

    /**
     * Let a send have its circuit.
     *
     * @param send the number of the send
     * @param path its path on a circuit that always carries light
     */
    void AddSend(uint32_t send, uint32_t path);

    /**
     * Let the messages that leave a port have the rate of the planes that carry their circuits now.
     *
     * @param source the port
     * @param now the time, in seconds
     */
    void LightSends(uint32_t source, double now);

    /// The schedule of each class of a collective.
    using Schedules = std::vector<std::shared_ptr<const CollectiveSchedule>>;

    /**
     * @param operation a collective
     * @param task the task of one member
     * @return its schedules
     */
    Schedules MakeSchedules(const TaskPartners::Operation& operation, const Task& task) const;

    /**
     * Find the circuits of a part of a collective.
     *
     * @param operation the collective
     * @param schedules its schedules
     * @param task the task of one member
     * @param part the part
     * @return the circuits, of which no two have a port in common
     */
    OperationTurns::Stage GetStage(const TaskPartners::Operation& operation,
                                   const Schedules& schedules,
                                   const Task& task,
                                   const CollectiveShapes::Part& part);

    /**
     * @param index a collective
     */
    void AddCollective(uint32_t index);

    /**
     * Find the circuits of a collective that follow its steps.
     *
     * @param index the collective
     * @param task the task of one member
     * @param parts its parts
     */
    void AddStepwise(uint32_t index, const Task& task, const CollectiveShapes::Parts& parts);

    /**
     * Find the circuits of a collective that brings its own topologies.
     *
     * @param index the collective
     * @param task the task of one member
     * @param parts its parts
     */
    void AddTurned(uint32_t index, const Task& task, const CollectiveShapes::Parts& parts);

    /**
     * @param operation a collective that brings its own topologies
     * @param task the task of one member
     * @param shift where circuits of a plane lead to: ports further on, 0 for a plane without use
     * @return the circuits of the plane
     */
    OperationTurns::Stage GetTurnStage(const TaskPartners::Operation& operation,
                                       const Task& task,
                                       uint32_t shift);

    /**
     * Add an item whose stages are known.
     *
     * @param operation its stages
     * @param ofStages the step of each stage, in ascending order without gaps: the circuits of a
     *        step are asked for together
     * @param parts its parts, of which the step is known
     * @param isWhole whether its circuits are released with the last part
     * @return its number
     */
    uint32_t AddItem(OperationTurns::Operation operation,
                     const std::vector<uint32_t>& ofStages,
                     std::vector<Part> parts,
                     bool isWhole = false);

    /**
     * @param parts parts of a collective
     * @return the same, of which steps and requests are left to be found
     */
    static std::vector<Part> MakeParts(const CollectiveShapes::Parts& parts);

    /**
     * Where planes differ, let each part have a link with the share of its planes that carry light.
     *
     * @param index a collective
     */
    void AddLights(uint32_t index);

    /// Find what each port does, in its order.
    void SetOrders(uint32_t iterations);

    /// Of each task of a port: its place in its program, its rank and its item.
    using Entries = std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>;

    /**
     * @param entries the tasks of a port
     * @return its items in their order
     */
    static std::vector<uint32_t> GetOrder(Entries entries);

    /**
     * @param rank a rank
     * @param kind the kind of a group
     * @return the ports by which it sends to the others of its group, and receives from them
     */
    const OperationTurns::Ports& GetPorts(uint32_t rank, uint32_t kind);

    /**
     * @param task a task
     * @return the task
     */
    const Task& GetTask(uint32_t task) const;

    const TrainingPlan& m_plan;                          //!< The plan
    const RankClasses& m_classes;                        //!< The classes of its ranks
    const TaskPartners& m_partners;                      //!< Which tasks belong together
    CollectiveShapes& m_shapes;                          //!< The load of collectives
    FlowNetwork& m_network;                              //!< The network
    const FabricLimits& m_fabric;                        //!< The fabric
    std::vector<std::shared_ptr<const Item>> m_items;    //!< The items, of which many are alike
    std::vector<uint32_t> m_ofOperations;                //!< Item by collective
    std::map<uint32_t, Send> m_ofSends;                  //!< Items of sends
    std::vector<const CollectiveShapes::Parts*> m_parts; //!< Parts by collective
    /// A collective of each load; looked up only
    std::map<const CollectiveShapes::Parts*, uint32_t> m_alike;
    /// Parts with links for their light, by those without; looked up only
    std::map<const CollectiveShapes::Parts*, CollectiveShapes::Parts> m_lit;
    /// Label by rail and ports
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> m_labels;
    std::map<std::pair<uint32_t, uint32_t>, OperationTurns::Ports> m_ports; //!< By rank and kind
    std::unique_ptr<CircuitTurns> m_turns;                                  //!< The circuits
    std::unique_ptr<OperationTurns> m_agenda;                               //!< Who has its turn
    std::vector<std::vector<double>> m_lights; //!< When circuits carry light, by plane and class
    std::map<uint32_t, Beam> m_beams;          //!< Circuits of messages, by path without light
    std::vector<std::vector<uint32_t>> m_ofSources; //!< Keys of these, by the class of the source
    /// Sources whose circuits begin to carry light, and when, in this order
    std::deque<std::pair<double, uint32_t>> m_turning;
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_TURNS_H */
