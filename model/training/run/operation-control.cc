/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operation-control.h"

#include "drawn-loads.h"
#include "job-ports.h"
#include "model/control/circuit-turner.h"
#include "model/training/transport/server-network.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/abort.h"
#include "ns3/circuit-controller.h"
#include "ns3/log.h"
#include "ns3/message-tag.h"
#include "ns3/optical-channel.h"
#include "ns3/simulator.h"
#include "ns3/socket-transport.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OperationControl");

void
OperationControl::Install(TrainingJob& job, Ptr<CircuitController> controller, uint32_t rail)
{
    const auto servers = job.GetServers();
    const Ptr<Transport> transport = servers ? servers->GetRails()[rail].transports.front()
                                             : job.GetRanks().front()->GetTransport();
    NS_ABORT_MSG_IF(DynamicCast<SocketTransport>(transport),
                    "Circuits follow operations (Trigger Operation), and acknowledgements belong "
                    "to none: choose a transport over circuits, or another trigger");
    // The traces own the object, so that it lives as long as the ranks
    const std::shared_ptr<OperationControl> control(
        new OperationControl(job,
                             CircuitTurner::Get(controller),
                             static_cast<uint32_t>(controller->GetChannel()->GetNDevices()),
                             rail));
    // The fabric may outlive the job
    control->m_turner->GetChannel()->TraceConnectWithoutContext(
        "Geometry",
        Callback<void, const CircuitSwitchGeometry&>(
            [known = std::weak_ptr<OperationControl>(control)](const CircuitSwitchGeometry&) {
                if (const auto alive = known.lock())
                {
                    alive->m_requests.NotifyGeometry();
                }
            }));
    for (uint32_t rank = 0; rank < job.GetRanks().size(); ++rank)
    {
        const auto& application = job.GetRanks()[rank];
        if (!control->m_requests.Has(rank))
        {
            continue;
        }
        application->TraceConnectWithoutContext(
            "TaskBegin",
            Callback<void, const TaskEvent&>([control](const TaskEvent& event) {
                if (event.task.kind == TaskKind::SEND)
                {
                    control->NotifyBegin(event);
                }
            }));
        application->TraceConnectWithoutContext(
            "CollectiveBegin",
            Callback<void, const TaskEvent&>(
                [control](const TaskEvent& event) { control->NotifyBegin(event); }));
        application->TraceConnectWithoutContext(
            "CollectiveEnd",
            Callback<void, const TaskEvent&>([control](const TaskEvent& event) {
                control->m_requests.End(event.rank, event.index, event.iteration);
            }));
        if (control->m_requests.CountsMessages())
        {
            application->TraceConnectWithoutContext(
                "MessageReceived",
                Callback<void, uint32_t, uint32_t, uint64_t, uint64_t>(
                    [control](uint32_t receiver, uint32_t source, uint64_t tag, uint64_t) {
                        control->m_requests.Arrive(receiver, source, MessageTag::Decode(tag));
                    }));
        }
    }
}

OperationControl::OperationControl(TrainingJob& job,
                                   Ptr<CircuitTurner> turner,
                                   uint32_t ports,
                                   uint32_t rail)
    : m_job(job),
      m_turner(turner),
      m_rail(rail),
      m_ports(job.GetServers() ? nullptr : JobPorts::Find(job)),
      m_requests(job.GetPlan(), turner->GetTurns(), ports, job.GetNIterations(), *this)
{
}

std::optional<std::pair<uint32_t, uint32_t>>
OperationControl::GetPorts(uint32_t source, uint32_t destination) const
{
    if (const auto servers = m_job.GetServers())
    {
        const ServerLayout& layout = servers->GetLayout();
        if (layout.AreInside(source, destination))
        {
            return std::nullopt;
        }
        const auto way = layout.GetWay(source, destination);
        return way.rail == m_rail ? std::make_optional(std::make_pair(way.from, way.to))
                                  : std::nullopt;
    }
    return m_ports ? std::make_pair(m_ports->GetPort(source), m_ports->GetPort(destination))
                   : std::make_pair(source, destination);
}

std::shared_ptr<const CollectiveSchedule>
OperationControl::GetSchedule(const Task& task,
                              uint32_t rank,
                              std::optional<uint32_t> iteration,
                              uint32_t size)
{
    const Task drawn = iteration ? m_job.GetLoads().Get(task, rank, *iteration) : task;
    return m_job.GetSchedule(drawn.collective, size, drawn.bytes, drawn.options);
}

double
OperationControl::GetByteRate() const
{
    return static_cast<double>(m_turner->GetChannel()->GetLaneRate().GetBitRate()) / 8;
}

double
OperationControl::GetDarkSeconds() const
{
    return m_turner->GetChannel()->GetReconfigurationTime().GetSeconds();
}

void
OperationControl::NotifyBegin(const TaskEvent& event)
{
    NS_LOG_LOGIC("GPU " << event.rank << " begins task " << event.index << " of iteration "
                        << event.iteration << ", which may ask for circuits");
    m_requests.Begin(event.rank, event.index, event.iteration);
}

void
OperationControl::NotifyChange()
{
    if (!m_isChanging)
    {
        m_isChanging = true;
        Simulator::ScheduleNow(&OperationControl::Settle, this);
    }
}

void
OperationControl::Settle()
{
    m_isChanging = false;
    m_requests.Settle();
    m_turner->NotifyChange();
}

} // namespace lightpath
} // namespace ns3
