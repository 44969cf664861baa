/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATION_CONTROL_H
#define OPERATION_CONTROL_H

#include "model/plan/turns/operation-requests.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

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
 * @brief Lets the circuits of one fabric follow the operations of a simulated job.
 */
class OperationControl : private OperationRequests::Fabric
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
    /**
     * @param job the job
     * @param turner switches the circuits
     * @param ports the number of ports of the fabric
     * @param rail the fabric between servers
     */
    OperationControl(TrainingJob& job, Ptr<CircuitTurner> turner, uint32_t ports, uint32_t rail);

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
     * @param event a message or a collective operation that begins
     */
    void NotifyBegin(const TaskEvent& event);

    /// Ask for circuits, set idle ports and switch circuits.
    void Settle();

    TrainingJob& m_job;                      //!< The job
    Ptr<CircuitTurner> m_turner;             //!< Switches the circuits
    uint32_t m_rail;                         //!< The fabric between servers
    std::shared_ptr<const JobPorts> m_ports; //!< Ports of ranks of one of several jobs, or null
    bool m_isChanging{false};                //!< Whether a change is noted
    OperationRequests m_requests;            //!< Asks for the circuits of operations
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATION_CONTROL_H */
