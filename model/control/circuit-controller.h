/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_CONTROLLER_H
#define CIRCUIT_CONTROLLER_H

#include "circuit-allocator.h"
#include "circuit-scheduler.h"
#include "traffic-matrix.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class FabricDemand;
class OpticalChannel;
class PlanChange;
class ScheduleRun;
class TrafficLedger;
struct CircuitDecision;

/**
 * @ingroup lightpath
 * @brief Decides when the circuits of a fabric are switched, and for which demand.
 *
 * The first decision is made at the start, for the planned demand. Trigger determines later
 * decisions: never, after circuits have carried light for the DecisionInterval, or at the next
 * phase of a training iteration. With the trigger Operation there are none, and circuits follow the
 * operations of training jobs. A fault of the fabric also triggers a decision (ReplanOnFault).
 *
 * A decision is for the demand at its beginning. It takes the DecisionTime, in which the previous
 * circuits stay in service; then the channel is configured. A demand equal to that of the last
 * decision needs no decision while all its circuits are up. Unchanged circuits cause no darkness.
 *
 * An allocator returns one plan for a demand, a scheduler a sequence of plans, each of which is
 * configured and carries light for its duration. A cyclic schedule is repeated. The end of any
 * other schedule triggers a decision: at once if the DemandSource is the backlog (or the bytes
 * under way) and bytes wait, otherwise after the DecisionInterval.
 *
 * Periodic decisions for the bytes under way pay for darkness only where it shortens the time until
 * the last of them has been sent, and take no lane from a pair that no other pair gets. If there
 * are not enough circuits for all pairs, operations may wait for each other, and the decision is
 * for the backlog.
 */
class CircuitController : public Object
{
  public:
    /// The event that each decision after the first waits for.
    enum Trigger
    {
        ONCE,      //!< None: there is one decision
        PERIODIC,  //!< Circuits have carried light for the DecisionInterval
        PHASE,     //!< A phase is announced by NotifyPhase()
        OPERATION, //!< There are no decisions: circuits follow operations (CircuitTurner)
    };

    /// The demand that a decision after the first is made for.
    enum DemandSource
    {
        PLANNED_DEMAND, //!< The demand given to Start()
        BACKLOG,        //!< The bytes that wait in the devices; if none do, circuits stay
        UNDERWAY,       //!< The same, and bytes that operations under way will still hand over
        PHASE_DEMAND,   //!< The demand of the phase announced last
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CircuitController();
    ~CircuitController() override;

    /**
     * @param channel the fabric
     */
    void SetChannel(Ptr<OpticalChannel> channel);

    /**
     * @return the fabric
     */
    Ptr<OpticalChannel> GetChannel() const;

    /**
     * @param allocator chooses the circuits for a demand
     */
    void SetAllocator(Ptr<CircuitAllocator> allocator);

    /**
     * @return the allocator, or null
     */
    Ptr<CircuitAllocator> GetAllocator() const
    {
        return m_allocator;
    }

    /**
     * Set a scheduler, which replaces the allocator.
     *
     * @param scheduler chooses a sequence of circuits for a demand; null to use the allocator
     */
    void SetScheduler(Ptr<CircuitScheduler> scheduler);

    /**
     * @return the scheduler, or null
     */
    Ptr<CircuitScheduler> GetScheduler() const
    {
        return m_scheduler;
    }

    /**
     * Get the account of operations, which makes Underway differ from the Backlog.
     *
     * @return what operations on the fabric fill in; null if no decision would use it
     */
    std::shared_ptr<TrafficLedger> GetLedger();

    /**
     * Make the first decision now, for the planned demand or, if decisions are for phases and a
     * phase has been announced, for this phase.
     *
     * @param planned the bytes that will be sent, by source and destination port
     */
    void Start(const TrafficMatrix& planned);

    /**
     * Make no further decision. Circuits stay as they are, or finish the switching under way. No
     * event of the controller is left that would keep the simulation going.
     */
    void Stop();

    /**
     * Announce a phase of a training iteration.
     *
     * @param demand the bytes that will be sent in it, by source and destination port
     */
    void NotifyPhase(const TrafficMatrix& demand);

    /**
     * @return the event that each decision after the first waits for
     */
    Trigger GetTrigger() const
    {
        return m_trigger;
    }

    /**
     * @return the demand that a decision after the first is made for
     */
    DemandSource GetDemandSource() const
    {
        return m_demandSource;
    }

    /**
     * @return true if decisions wait for phases or are made for phases
     */
    bool UsesPhases() const
    {
        return m_trigger == PHASE || ServesPhases();
    }

    /**
     * @return the bytes that wait in the devices, with the headers of their frames
     */
    TrafficMatrix GetBacklog() const;

    /**
     * @return the demanded pairs without a circuit after the last decision
     */
    const std::vector<PortPair>& GetUnserved() const
    {
        return m_unserved;
    }

    /**
     * @return true if further decisions may follow, other than after faults
     */
    bool IsPeriodic() const;

    /**
     * @return an estimate of the time from one decision to the next: the time of the last decision,
     *         of its darkness and of its schedule, and the DecisionInterval
     */
    Time GetDecisionPeriod() const;

    /**
     * TracedCallback signature for a decision of an allocator (trace source Decision).
     *
     * @param demand the demand
     * @param allocation the circuits for it
     */
    typedef void (*DecisionTracedCallback)(const TrafficMatrix& demand,
                                           const CircuitAllocation& allocation);

    /**
     * TracedCallback signature for a decision of a scheduler (trace source Schedule).
     *
     * @param demand the demand
     * @param schedule the sequence of circuits for it
     */
    typedef void (*ScheduleTracedCallback)(const TrafficMatrix& demand,
                                           const CircuitSchedule& schedule);

  protected:
    void DoDispose() override;

  private:
    /// End the program, with one sentence, if the attributes do not fit together.
    void CheckAttributes() const;

    /**
     * @return the demand that a decision made now is for
     */
    const TrafficMatrix& GetDemand();

    /**
     * @param demand a demand
     * @return true if the last decision, or the one being made, is for this demand and its circuits
     *         are still up
     */
    bool IsAnswered(const TrafficMatrix& demand) const;

    /**
     * @return true if decisions are for the phase announced last
     */
    bool ServesPhases() const;

    /**
     * @return true if decisions are for bytes that wait or are under way
     */
    bool FollowsTraffic() const
    {
        return m_demandSource == BACKLOG || m_demandSource == UNDERWAY;
    }

    /// Make a decision for the present demand, or wait for another interval.
    void Decide();

    /// Wait for the interval, if decisions wait for it.
    void Wait();

    /// Make a decision after the fabric has changed.
    void Replan();

    /**
     * Begin a decision, in place of one that is being made.
     *
     * @param demand the demand
     * @return false if none is needed
     */
    bool BeginDecision(const TrafficMatrix& demand);

    /// Carry out the decision that has been made.
    void EndDecision();

    /**
     * Switch to other circuits.
     *
     * @param plan the circuits
     */
    void Switch(const CircuitPlan& plan);

    /// Switch to the circuits of the present slot of the schedule.
    void BeginSlot();

    /// Go on to the next slot of the schedule, or to the next decision.
    void EndSlot();

    /// All circuits carry light: wait for the end of the slot or for the next decision.
    void Serve();

    /**
     * Note that a component of the fabric has failed or has been repaired.
     *
     * @param component its name
     * @param failed true if it has failed
     */
    void NotifyFault(const std::string& component, bool failed);

    /// Ignore the events that wait.
    void Halt();

    /// Let go of the channel.
    void Disconnect();

    Ptr<OpticalChannel> m_channel;     //!< The fabric
    Ptr<CircuitAllocator> m_allocator; //!< Chooses the circuits for a demand
    Ptr<CircuitScheduler> m_scheduler; //!< Chooses sequences of circuits, or null
    Trigger m_trigger;                 //!< The trigger of decisions
    DemandSource m_demandSource;       //!< The demand of decisions
    Time m_decisionInterval;           //!< Time that circuits serve between decisions
    Time m_decisionTime;               //!< Time that a decision takes
    bool m_measureDecisionTime;        //!< Decisions also take their computation time
    bool m_fibreByFibre;               //!< The circuits of one fibre change at a time
    bool m_replanOnFault;              //!< A fault leads to a decision

    bool m_running{false};                       //!< Decisions are made
    std::unique_ptr<FabricDemand> m_demands;     //!< The demands that decisions may be for
    TrafficMatrix m_served;                      //!< The demand of the last decision
    std::unique_ptr<CircuitDecision> m_decision; //!< The decision that is being made
    Time m_charge;                               //!< The time that the last decision took
    std::vector<PortPair> m_unserved;            //!< Pairs without a circuit
    std::unique_ptr<ScheduleRun> m_run;          //!< The schedule that is carried out
    std::unique_ptr<PlanChange> m_change;        //!< Switches circuits
    bool m_stale{false};                         //!< The fabric has changed since the last decision
    EventId m_next;                              //!< The next decision or the end of a slot
    EventId m_deciding;                          //!< The end of the decision that is being made
    EventId m_replan;                            //!< The decision after a fault

    /// Traced at each decision of the allocator
    TracedCallback<const TrafficMatrix&, const CircuitAllocation&> m_decisionTrace;
    /// Traced at each decision of the scheduler
    TracedCallback<const TrafficMatrix&, const CircuitSchedule&> m_scheduleTrace;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_CONTROLLER_H */
