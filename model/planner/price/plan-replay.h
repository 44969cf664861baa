/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_REPLAY_H
#define PLAN_REPLAY_H

#include "collective-shapes.h"
#include "exchange-light.h"
#include "flow-network.h"
#include "group-meter.h"
#include "message-replay.h"
#include "model/plan/rank-classes.h"
#include "phase-switch.h"
#include "plan-paths.h"
#include "plan-turns.h"
#include "task-partners.h"

#include "ns3/collective-schedule.h"
#include "ns3/plan-cost.h"
#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Replays the programs of a plan in the order of time, one rank for each class.
 *
 * A GPU computes one task at a time: of those that are ready, the one with the lowest index.
 * Communication goes on meanwhile, as FlowNetwork says. A collective begins once all its members
 * are ready and it is launched. A rank begins its next iteration once all its tasks are done.
 */
class PlanReplay
{
  public:
    /**
     * @param plan the plan
     * @param fabric the fabric; both must outlive this object
     * @param mostFollowed the most events of messages of two iterations, if each message of each
     *        rank is followed; 0 if none is
     */
    PlanReplay(const TrainingPlan& plan, const FabricLimits& fabric, uint64_t mostFollowed = 0);

    /**
     * Replay as many iterations as a steady iteration time takes: one if all ranks end at the same
     * time, otherwise two, or three, of which the last two count, if messages are followed. Throws
     * PricingError if the programs come to a standstill, or if that takes too many events. To be
     * called once.
     *
     * @param limit the time of an iteration in seconds beyond which it need not be exact
     * @param mostEvents the most events (CountEvents())
     * @return the price; if each message should have been followed and there were too many, only
     *         its seconds count: what the tasks of the first iteration that have ended took,
     *         without the first setting of switches
     */
    PlanCost Run(double limit, uint64_t mostEvents);

    /**
     * @return the share of the tasks of the first iteration that have ended
     */
    double GetProgress() const
    {
        return m_nEndedTasks / m_nTasks;
    }

    /**
     * Note when a share of the tasks of the first iteration have ended. To be called before Run().
     *
     * @param share the share
     */
    void NoteProgress(double share)
    {
        m_notedTasks = share * m_nTasks;
    }

    /**
     * @return the first iteration as a multiple of the time noted; 1 if none was
     */
    double GetRest() const
    {
        return m_notedAt > 0 ? std::max(m_ends[0] / m_notedAt, 1.0) : 1;
    }

  private:
    /// Marks the tags of collectives.
    static constexpr uint64_t COLLECTIVE = uint64_t{1} << 32;

    /// Marks the tags of messages of members of collectives that wait for others.
    static constexpr uint64_t EARLY = uint64_t{1} << 33;

    /// Marks the tags of messages over shared links that are followed.
    static constexpr uint64_t FLOW = uint64_t{1} << 63;

    /// The lowest bit of the part in the tag of a collective, or of the path in that of a message
    /// that is followed.
    static constexpr uint32_t PART_SHIFT = 34;

    /// A class of ranks.
    struct Rank
    {
        /// Compute tasks that are ready, the lowest index first.
        using Ready = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>>;

        const RankProgram* program{nullptr}; //!< Their program
        uint32_t first{0};                   //!< Number of their first task
        double nRanks{0};                    //!< Number of ranks
        std::vector<uint32_t> waiting;       //!< Number of tasks that each task waits for
        Ready ready;                         //!< Compute tasks that are ready
        bool isBusy{false};                  //!< Whether it computes
        bool isTouched{false};               //!< Whether it may have something to compute
        double left{0};                      //!< Time of the compute tasks not begun, seconds
        std::size_t nLeft{0};                //!< Number of tasks that have not ended
        uint32_t iteration{0};               //!< Number of iterations that have ended
        double begin{0};                     //!< Begin of the current one, seconds
    };

    /// The kinds of events.
    enum class EventKind : uint8_t
    {
        COMPUTED, //!< A compute task ends
        ARRIVED,  //!< A message comes in
        LAUNCHED, //!< A collective is launched
        LIT,      //!< Circuits carry light
        TURNED,   //!< A message has arrived whose circuit was its turn
        REACHED,  //!< A message that is followed has arrived inside a server
        CAME,     //!< A message that is followed has arrived over a shared network
    };

    /// An event.
    struct Event
    {
        double seconds{0};                   //!< When
        uint64_t order{0};                   //!< Number of events made before it
        EventKind kind{EventKind::COMPUTED}; //!< Its kind
        uint32_t index{0};                   //!< The task, operation or change of circuits

        /**
         * @param other the event compared with
         * @return true if this event is later
         */
        bool operator>(const Event& other) const
        {
            return seconds != other.seconds ? seconds > other.seconds : order > other.order;
        }
    };

    /// How far a collective is.
    struct Progress
    {
        uint32_t arrived{0};                           //!< Members that are ready
        uint32_t next{0};                              //!< The part behind those under way
        uint32_t nLeft{0};                             //!< Parts under way
        uint64_t request{0};                           //!< First request for circuits in turn
        const CollectiveShapes::Parts* parts{nullptr}; //!< Its parts
    };

    /// Let circuits follow the phases of the plan.
    void FollowPhases();

    /**
     * Begin the next iteration of a class.
     *
     * @param rank the class
     */
    void BeginIteration(Rank& rank);

    /**
     * @param task a task that waits for nothing any more
     */
    void Begin(uint32_t task);

    /// Something that waits for its circuits.
    struct Held
    {
        uint32_t index{0};     //!< The send or operation
        bool isSend{false};    //!< Whether it is a send
        uint32_t iteration{0}; //!< Its iteration
        uint32_t place{0};     //!< The least place of its tasks in their programs
        uint64_t request{0};   //!< Its first request
        uint32_t part{0};      //!< Its part
    };

    /**
     * Let what waits for circuits go on, if they carry light, and switch others.
     */
    void TakeTurns();

    /**
     * Begin the next part of a collective, or the next ones that go on together, once it has its
     * circuits.
     *
     * @param operation the collective
     */
    void BeginNext(uint32_t operation);

    /**
     * Let something go on that has its turn, if its circuits carry light.
     *
     * @param held what has asked for circuits
     * @return false if it still waits
     */
    bool GoOn(const Held& held);

    /**
     * @param held what has asked for circuits
     * @return its item
     */
    uint32_t GetItem(const Held& held) const
    {
        return held.isSend ? m_turns->GetSendItem(held.index) : m_turns->GetItem(held.index);
    }

    /**
     * Put a message on its path.
     *
     * @param task its send
     */
    void Send(uint32_t task);

    /**
     * Put a message that is followed on its path over shared links.
     *
     * @param source the rank that sends it
     * @param destination the rank that it is for
     * @param bytes its size
     * @param number its number
     */
    void SendFlow(uint32_t source, uint32_t destination, double bytes, uint32_t number);

    /**
     * A member of a collective is ready.
     *
     * @param task its task
     */
    void Join(uint32_t task);

    /**
     * @param operation a collective
     * @return the time until circuits carry light for it, seconds; not positive if they do
     */
    double GetDark(uint32_t operation) const;

    /**
     * Note that a member of a collective, all of whose messages are followed, has ended it.
     *
     * @param task its task
     */
    void EndExactly(uint32_t task);

    /**
     * @param task the task of a member of a collective that is launched, all of whose messages are
     *        followed
     */
    void CollectExactly(uint32_t task);

    /**
     * @param operation a collective that is launched
     */
    void Collect(uint32_t operation);

    /**
     * @param operation a collective of which a part is over
     * @param part the part
     */
    void Continue(uint32_t operation, uint32_t part);

    /**
     * @param receive a receive whose message has come in
     */
    void Arrive(uint32_t receive);

    /**
     * @param send a send whose message has left, or a followed collective whose part is done
     */
    void Leave(uint32_t send);

    /**
     * Let the tasks that have ended start their successors.
     */
    void Settle();

    /**
     * Process all events of the current time.
     */
    void Happen();

    /**
     * Let an event happen that no flow ends.
     *
     * @param event the event
     */
    void Handle(const Event& event);

    /**
     * Let a class compute, if it is idle and a task is ready.
     *
     * @param rank the class
     */
    void Compute(Rank& rank);

    /**
     * @param rank a class
     * @return the time in seconds that the last iteration takes at least, as far as is known
     */
    double GetBound(const Rank& rank) const;

    /**
     * @param seconds the time of an iteration at least
     * @param isLong whether there are too many messages to follow
     * @return the price of a plan that is not replayed to its end
     */
    PlanCost MakeCutCost(double seconds, bool isLong) const;

    /**
     * @return the error of programs that wait for each other
     */
    PricingError MakeError() const;

    /**
     * @return true if all iterations that begin at once everywhere take the same time: not if
     *         messages are followed, the first of which may wait until switches are set, or
     *         circuits follow a schedule
     */
    bool AreAlike() const
    {
        return !m_messages && !m_turns && !m_paths.GetCircuits().IsPhased();
    }

    /**
     * @return true if all iterations have ended that are needed
     */
    bool IsOver();

    /**
     * @param nEnded the number of iterations that have ended, at least one
     * @return the time of a steady one, from the end of the first to that of the last, in seconds;
     *         that of the first if no other has ended
     */
    double GetSteadySeconds(uint32_t nEnded) const;

    /**
     * @param seconds the time of the event
     * @param kind the kind of event
     * @param index the task, operation or change of circuits
     */
    void Schedule(double seconds, EventKind kind, uint32_t index);

    /**
     * @param task the number of a task
     * @return the task
     */
    const Task& GetTask(uint32_t task) const;

    /**
     * @param task the task of a collective
     * @return the time to launch it, in seconds
     */
    double GetLaunch(uint32_t task) const
    {
        return m_fabric.collectiveLatency + m_plan.protocols.Get(GetTask(task).bytes).latency;
    }

    /**
     * @return the events so far, and all other work in as many events
     */
    uint64_t CountEvents() const;

    /**
     * Throw PricingError for too many events.
     *
     * @param most the most events
     */
    void CheckEvents(uint64_t most) const;

    /**
     * @param seconds the time of an iteration
     * @return its price
     */
    PlanCost MakeCost(double seconds) const;

    const TrainingPlan& m_plan;              //!< The plan
    const FabricLimits& m_fabric;            //!< The fabric
    const uint64_t m_mostFollowed;           //!< The most events of messages
    RankClasses m_classes;                   //!< The classes of its ranks
    TaskPartners m_partners;                 //!< Which tasks belong together
    GroupMeter m_meter;                      //!< Measures communication by kind of group
    FlowNetwork m_network;                   //!< Messages and collectives in progress
    PlanPaths m_paths;                       //!< The paths
    std::optional<MessageReplay> m_messages; //!< Messages that are followed on their fabric
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_flows; //!< Their paths over shared links
    std::vector<PlanPaths::Path> m_flowPaths;                  //!< These, by number
    CollectiveShapes m_shapes;                                 //!< The load of collectives
    std::vector<Rank> m_ranks;                                 //!< The classes
    std::vector<Progress> m_progress;                          //!< How far the collectives are
    std::vector<uint32_t> m_arrived;            //!< Messages that have come in, by receive
    std::vector<char> m_isWaiting;              //!< Whether a receive waits
    std::vector<const PlanPaths::Path*> m_ways; //!< By send
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events; //!< To come
    std::vector<uint32_t> m_ended;            //!< Ended tasks whose successors have not started
    std::vector<Rank*> m_touched;             //!< Classes that may have something to compute
    std::vector<uint64_t> m_tags;             //!< Flows that end
    double m_nTasks{0};                       //!< Tasks of an iteration of all ranks
    double m_nEndedTasks{0};                  //!< Those of the first iteration that have ended
    double m_lastEnd{0};                      //!< When the last of these has ended, seconds
    double m_notedTasks{0};                   //!< As many as are to be noted; 0 for none
    double m_notedAt{0};                      //!< When as many had ended, seconds
    std::vector<uint32_t> m_nEnded;           //!< Classes that have ended, by iteration
    std::vector<double> m_ends;               //!< Ends of the iterations, seconds
    uint32_t m_nIterations;                   //!< Iterations that are replayed
    double m_now{0};                          //!< The time, seconds
    uint64_t m_nEvents{0};                    //!< Made so far
    uint64_t m_nLooks{0};                     //!< Looks at what waits for light
    std::optional<PhaseSwitch> m_switch;      //!< The circuits, if they follow phases
    std::optional<ExchangeLight> m_exchanges; //!< When experts have light, if circuits follow them
    std::optional<PlanTurns> m_turns;         //!< The circuits, if they follow operations
    std::vector<Held> m_asking;               //!< What is to ask for circuits at this instant
    std::vector<Held> m_held;                 //!< What waits for circuits, in its order
    std::vector<Held> m_dim;                  //!< Parts under way that not all planes carry yet
    std::map<std::tuple<CollectiveKind, std::size_t, uint64_t, CollectiveOptions>,
             std::shared_ptr<const CollectiveSchedule>>
        m_schedules; //!< Those of collectives that are followed, by what makes them
    /// First requests of messages on their way, by send
    std::map<uint32_t, std::deque<uint64_t>> m_sent;
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_REPLAY_H */
