/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_CONTROLLER_H
#define CIRCUIT_CONTROLLER_H

#include "circuit-allocator.h"
#include "traffic-matrix.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief Has the circuits of a fabric switched: says when, and for which demand.
 *
 * The first decision is made at the start, for the demand that was planned. With a DecisionInterval
 * of zero it is the only one. Otherwise the circuits that it gave serve for this interval, then the
 * next decision is made, and so on until Stop(). A decision that leaves all circuits as they are
 * causes no darkness.
 */
class CircuitController : public Object
{
  public:
    /// What a decision after the first is made for.
    enum DemandSource
    {
        PLANNED_DEMAND, //!< The demand given to Start()
        BACKLOG, //!< The bytes that wait in the devices; none leaves the circuits as they are
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
     * Make the first decision now.
     *
     * @param planned the bytes that are going to be sent, by source and destination port
     */
    void Start(const TrafficMatrix& planned);

    /**
     * Make no further decision.
     */
    void Stop();

    /**
     * @return the demanded pairs that the last decision gave no circuit
     */
    const std::vector<PortPair>& GetUnserved() const;

    /**
     * @return true if there is more than one decision
     */
    bool IsPeriodic() const;

    /**
     * @return the longest time from one decision to the next
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

  protected:
    void DoDispose() override;

  private:
    /// Make a decision for the present demand and wait for the next one.
    void Decide();

    /**
     * @return the bytes that wait in the devices
     */
    TrafficMatrix GetBacklog() const;

    /**
     * Have the circuits for a demand switched.
     *
     * @param demand the demand
     */
    void Serve(const TrafficMatrix& demand);

    Ptr<OpticalChannel> m_channel;     //!< The fabric
    Ptr<CircuitAllocator> m_allocator; //!< Decides which circuits a demand gets
    Time m_decisionInterval;           //!< Time that circuits serve between decisions
    DemandSource m_demandSource;       //!< What decisions are made for
    TrafficMatrix m_planned;           //!< The planned demand
    TrafficMatrix m_served;            //!< The demand of the last decision
    CircuitPlan m_decided;             //!< The plan of the last decision
    std::vector<PortPair> m_unserved;  //!< Pairs without a circuit
    EventId m_next;                    //!< The next decision

    /// Traced at each decision
    TracedCallback<const TrafficMatrix&, const CircuitAllocation&> m_decisionTrace;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_CONTROLLER_H */
