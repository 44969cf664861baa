/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_CONTROLLER_H
#define CIRCUIT_CONTROLLER_H

#include "circuit-allocator.h"
#include "circuit-scheduler.h"
#include "plan-change.h"
#include "traffic-matrix.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief Has the circuits of a fabric switched: says when, and for which demand.
 *
 * The first decision is made at the start, for the demand that was planned. Trigger says what the
 * later ones wait for: nothing (there are none), the DecisionInterval that circuits carry light, or
 * the next phase of a training iteration. A fault of the fabric brings a decision as well, whatever
 * the trigger (ReplanOnFault).
 *
 * The demand of a decision is that of its beginning. While it is made, which takes the
 * DecisionTime, the circuits of before serve on; then the channel is configured. A demand that is
 * that of the last decision, while all the circuits that it gave are up, needs no decision and
 * takes no time. Circuits that remain as they are cause no darkness.
 *
 * An allocator answers a demand by one plan, a scheduler by plans that follow each other: each of
 * them is configured and carries light for its duration. A cyclic schedule is repeated. After any
 * other the next decision is made, whatever the trigger: at once if the DemandSource is the backlog
 * and bytes wait, else after the DecisionInterval.
 */
class CircuitController : public Object
{
  public:
    /// What the decisions after the first wait for.
    enum Trigger
    {
        ONCE,     //!< There are none
        PERIODIC, //!< Circuits have carried light for the DecisionInterval
        PHASE,    //!< A phase is announced by NotifyPhase()
    };

    /// What a decision after the first is made for.
    enum DemandSource
    {
        PLANNED_DEMAND, //!< The demand given to Start()
        BACKLOG,      //!< The bytes that wait in the devices; none leaves the circuits as they are
        PHASE_DEMAND, //!< The demand of the phase announced last
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
     * @param allocator decides which circuits a demand gets
     */
    void SetAllocator(Ptr<CircuitAllocator> allocator);

    /**
     * @return what decides which circuits a demand gets
     */
    Ptr<CircuitAllocator> GetAllocator() const;

    /**
     * Have demands served by schedules, and not by the plans of an allocator.
     *
     * @param scheduler decides which circuits a demand gets one after the other; null for the
     *        allocator to decide
     */
    void SetScheduler(Ptr<CircuitScheduler> scheduler);

    /**
     * @return what decides on schedules, or null
     */
    Ptr<CircuitScheduler> GetScheduler() const;

    /**
     * Make the first decision now. It is for the planned demand; or, where decisions are for phases
     * and one has been announced, for this phase.
     *
     * @param planned the bytes that are going to be sent, by source and destination port
     */
    void Start(const TrafficMatrix& planned);

    /**
     * Make no further decision. Circuits stay as they are, or as they are being switched to be.
     */
    void Stop();

    /**
     * Hear that a phase of a training iteration begins.
     *
     * @param demand the bytes that are going to be sent in it, by source and destination port
     */
    void NotifyPhase(const TrafficMatrix& demand);

    /**
     * @return what the decisions after the first wait for
     */
    Trigger GetTrigger() const;

    /**
     * @return what a decision after the first is made for
     */
    DemandSource GetDemandSource() const;

    /**
     * @return true if the phases make a difference: if they are what decisions wait for or are made
     *         for
     */
    bool UsesPhases() const;

    /**
     * @return the bytes that wait in the devices, with the headers of their frames
     */
    TrafficMatrix GetBacklog() const;

    /**
     * @return the demanded pairs that the last decision gave no circuit
     */
    const std::vector<PortPair>& GetUnserved() const;

    /**
     * @return true if further decisions may come, other than after faults
     */
    bool IsPeriodic() const;

    /**
     * @return the time from one decision to the next, as far as it is known: that of the last
     *         decision, of its darkness and of its schedule, and the DecisionInterval
     */
    Time GetDecisionPeriod() const;

    /**
     * TracedCallback signature for a decision.
     *
     * @param demand the demand
     * @param allocation the circuits for it
     */
    typedef void (*DecisionTracedCallback)(const TrafficMatrix& demand,
                                           const CircuitAllocation& allocation);

    /**
     * TracedCallback signature for a decision of a scheduler.
     *
     * @param demand the demand
     * @param schedule the circuits for it, one after the other
     */
    typedef void (*ScheduleTracedCallback)(const TrafficMatrix& demand,
                                           const CircuitSchedule& schedule);

  protected:
    void DoDispose() override;

  private:
    /// A decision: what is to be done for a demand.
    struct Decision
    {
        TrafficMatrix demand;         //!< The demand
        CircuitAllocation allocation; //!< The answer of the allocator
        CircuitSchedule schedule;     //!< The answer of the scheduler
    };

    /// Abort, with one sentence, where the attributes do not fit together.
    void CheckAttributes() const;

    /**
     * @return the demand that a decision made now is for
     */
    const TrafficMatrix& GetDemand();

    /**
     * @param demand a demand of the size of the fabric
     * @return true if these are the bytes that wait in the devices
     */
    bool IsBacklog(const TrafficMatrix& demand) const;

    /**
     * @param demand a demand
     * @return true if the last decision, or the one that is being made, is for this demand and what
     *         it decided still stands
     */
    bool IsAnswered(const TrafficMatrix& demand) const;

    /**
     * @return true if decisions are for the phase announced last
     */
    bool ServesPhases() const;

    /// Make a decision for the present demand, or wait for another interval.
    void Decide();

    /// Wait for the interval, if it is what decisions wait for.
    void Wait();

    /// Make a decision as the fabric has changed.
    void Replan();

    /**
     * Begin to make a decision, in place of one that is being made.
     *
     * @param demand the demand
     * @return false if none is needed
     */
    bool BeginDecision(const TrafficMatrix& demand);

    /// Carry out the decision that has been made.
    void EndDecision();

    /// Have the circuits of the present slot of the schedule switched.
    void BeginSlot();

    /// Go on to the next slot of the schedule, or to the next decision.
    void EndSlot();

    /// All circuits that were to be switched carry light: wait until this is to end.
    void Serve();

    /**
     * Hear that a component of the fabric has failed or has been mended.
     *
     * @param component its name
     * @param failed true if it has failed
     */
    void NotifyFault(const std::string& component, bool failed);

    /// Have nothing more to do with the channel.
    void Disconnect();

    Ptr<OpticalChannel> m_channel;     //!< The fabric
    Ptr<CircuitAllocator> m_allocator; //!< Decides which circuits a demand gets
    Ptr<CircuitScheduler> m_scheduler; //!< Decides on schedules, or null
    Trigger m_trigger;                 //!< What decisions wait for
    DemandSource m_demandSource;       //!< What decisions are made for
    Time m_decisionInterval;           //!< Time that circuits serve between decisions
    Time m_decisionTime;               //!< Time that a decision takes
    bool m_measureDecisionTime;        //!< A decision takes the time of the computation as well
    bool m_fibreByFibre;               //!< The circuits of one fibre change at a time
    bool m_replanOnFault;              //!< A fault brings a decision

    bool m_running{false};            //!< Decisions are made
    TrafficMatrix m_planned;          //!< The planned demand
    TrafficMatrix m_phase;            //!< The demand of the phase; of size 0 before the first
    TrafficMatrix m_backlog;          //!< The bytes that waited as they were last asked for
    TrafficMatrix m_served;           //!< The demand of the last decision
    Decision m_decision;              //!< The decision that is being made
    Time m_charge;                    //!< The time that the last decision took
    std::vector<PortPair> m_unserved; //!< Pairs without a circuit
    CircuitSchedule m_schedule;       //!< The schedule that is carried out
    std::size_t m_slot{0};            //!< Index of its present slot
    Time m_scheduleBegin;             //!< When it began
    PlanChange m_change;              //!< Has circuits switched
    bool m_stale{false};              //!< The fabric has changed since the last decision
    EventId m_next;                   //!< The next decision or the end of a slot
    EventId m_deciding;               //!< The end of the decision that is being made
    EventId m_replan;                 //!< The decision after a fault

    /// Traced at each decision of the allocator
    TracedCallback<const TrafficMatrix&, const CircuitAllocation&> m_decisionTrace;
    /// Traced at each decision of the scheduler
    TracedCallback<const TrafficMatrix&, const CircuitSchedule&> m_scheduleTrace;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_CONTROLLER_H */
