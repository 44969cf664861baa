/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURNED_CARRIER_H
#define TURNED_CARRIER_H

#include "hybrid-choice.h"
#include "lightpath-queue.h"
#include "model/control/turns/carried-circuits.h"
#include "model/plan/turns/operation-requests.h"

#include "ns3/agenda.h"
#include "ns3/message-carrier.h"
#include "ns3/planning-problem.h"

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
 * @brief Carries messages over circuits that follow operations, without net devices: a circuit
 * sends its messages one after the other on the planes that carry it, as an OpticalTransmitter
 * does.
 */
class TurnedCarrier : public MessageCarrier, private OperationRequests::Fabric
{
  public:
    /**
     * @param agenda the time
     * @param plan the plan, whose messages are followed
     * @param fabric the fabric; all must outlive this object
     * @param rail the fabric between servers; 0 without rails
     * @param iterations the number of iterations
     * @param arrival called for each message that has come in
     * @param rest called for what goes over the network beside the circuits, if there is one, after
     *        it has waited for a lightpath
     */
    TurnedCarrier(Agenda& agenda,
                  const TrainingPlan& plan,
                  const FabricLimits& fabric,
                  uint32_t rail,
                  uint32_t iterations,
                  Arrival arrival,
                  HybridChoice::Rest rest);

    /**
     * @return what asks for circuits; call Settle() after all that it is told at an instant
     */
    OperationRequests& GetRequests()
    {
        return m_requests;
    }

    /**
     * @return what takes circuits
     */
    const HybridChoice& GetChoice() const
    {
        return m_choice;
    }

    /// Switch circuits after all that happens at this instant.
    void Settle();

    void Send(const Message& message, uint64_t tag) override;

  private:
    std::optional<std::pair<uint32_t, uint32_t>> GetPorts(uint32_t source,
                                                          uint32_t destination) const override;
    std::shared_ptr<const CollectiveSchedule> GetSchedule(const Task& task,
                                                          uint32_t rank,
                                                          std::optional<uint32_t> iteration,
                                                          uint32_t size) override;
    double GetByteRate() const override;
    double GetDarkSeconds() const override;
    void NotifyChange() override;

    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @return the messages from the one to the other
     */
    LightpathQueue& Get(uint32_t source, uint32_t destination);

    Agenda& m_agenda;             //!< The time
    const TrainingPlan& m_plan;   //!< The plan
    const FabricLimits& m_fabric; //!< The fabric
    const uint32_t m_rail;        //!< The fabric between servers
    const Arrival m_arrival;      //!< Called for each message that has come in
    const int64_t m_dark;         //!< Time for which a circuit that changes is dark, ticks
    const int64_t m_delay;        //!< Time from the beginning of a circuit to its end, ticks
    const uint64_t m_planeRate;   //!< Rate of a circuit of a plane, bit/s
    const uint32_t m_nPorts;      //!< Number of ports
    CircuitTurns m_turns;         //!< Who has its turn
    CarriedCircuits m_carried;    //!< The circuits that planes carry
    bool m_hasChanged{false};     //!< Whether circuits may change at this instant
    /// Schedules by kind, members, bytes and options
    std::map<std::tuple<CollectiveKind, uint32_t, uint64_t, CollectiveOptions>,
             std::shared_ptr<const CollectiveSchedule>>
        m_schedules;
    std::map<std::pair<uint32_t, uint32_t>, LightpathQueue> m_lightpaths; //!< By ends
    /// Circuits that are still dark, by plane and source
    std::map<std::pair<uint32_t, uint32_t>, Ptr<EventImpl>> m_lighting;
    std::map<HybridChoice::Ends, uint32_t> m_nCircuits; //!< Number of them, by ends
    HybridChoice m_choice;                              //!< What takes circuits
    OperationRequests m_requests;                       //!< What asks for circuits
};

} // namespace lightpath
} // namespace ns3

#endif /* TURNED_CARRIER_H */
