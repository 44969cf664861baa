/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(Hpcc);
NS_OBJECT_ENSURE_REGISTERED(NsccWindow);

TypeId
Hpcc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::Hpcc")
            .SetParent<RdmaCongestion>()
            .SetGroupName("Lightpath")
            .AddConstructor<Hpcc>()
            .AddAttribute("Eta",
                          "Share of its rate that the most loaded link shall have.",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&Hpcc::m_eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStages",
                          "Round trips of additive increase before a multiplicative one.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Hpcc::m_mostStages),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Flows",
                          "Flows on a link whose additive steps together fill the share that eta "
                          "leaves (N of W_AI = W (1 - eta) / N).",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Hpcc::m_flows),
                          MakeDoubleChecker<double>(1));
    return tid;
}

void
Hpcc::Begin(const Path& path)
{
    Path behind = path;
    behind.roundTrip += path.waiting;
    RdmaCongestion::Begin(behind);
    m_reference = GetPathBytes();
    SetWindow(m_reference);
}

RdmaCongestion::Signals
Hpcc::GetSignals() const
{
    return {1, 0, true};
}

void
Hpcc::MeasureInFlight(const RdmaTelemetry& telemetry)
{
    const auto roundTrip = static_cast<double>(GetPath().roundTrip);
    double most = 0;
    double tau = roundTrip;
    for (uint32_t i = 0; i < telemetry.nHops; ++i)
    {
        const auto& now = telemetry.hops[i];
        const auto& before = m_last.hops[i];
        const auto passed = static_cast<double>(now.time - before.time);
        if (passed <= 0)
        {
            continue;
        }
        const double rate = static_cast<double>(now.sentBytes - before.sentBytes) * 8e12 / passed;
        const auto queue = static_cast<double>(std::min(now.queueBytes, before.queueBytes));
        const double load = queue * 8e12 / (now.bitRate * roundTrip) + rate / now.bitRate;
        if (load > most)
        {
            most = load;
            tau = passed;
        }
    }
    tau = std::min(tau, roundTrip);
    m_inFlight = (1 - tau / roundTrip) * m_inFlight + tau / roundTrip * most;
}

void
Hpcc::NoteAnswer(const Answer& answer)
{
    if (!answer.telemetry)
    {
        return;
    }
    const RdmaTelemetry& telemetry = *answer.telemetry;
    if (m_last.nHops != telemetry.nHops)
    {
        // The first one, or another path
        m_last = telemetry;
        m_lastUpdate = answer.next;
        return;
    }
    MeasureInFlight(telemetry);
    m_last = telemetry;
    const double full = GetPathBytes();
    const double step = full * (1 - m_eta) / m_flows;
    const bool isMultiplied = m_inFlight >= m_eta || m_stage >= m_mostStages;
    double window = (isMultiplied ? m_reference / (m_inFlight / m_eta) : m_reference) + step;
    window = std::clamp(window, step, full);
    if (answer.number > m_lastUpdate)
    {
        m_stage = isMultiplied ? 0 : m_stage + 1;
        m_reference = window;
        m_lastUpdate = answer.next;
    }
    SetWindow(window);
    SetRate(window * 8e12 / static_cast<double>(GetPath().roundTrip));
}

TypeId
NsccWindow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::NsccWindow")
            .SetParent<RdmaCongestion>()
            .SetGroupName("Lightpath")
            .AddConstructor<NsccWindow>()
            .AddAttribute("Target",
                          "Target for queueing, over the round trip without queues.",
                          DoubleValue(0.75),
                          MakeDoubleAccessor(&NsccWindow::m_targetShare),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Gain",
                          "Packets that a round trip without queueing adds to the window.",
                          DoubleValue(4),
                          MakeDoubleAccessor(&NsccWindow::m_gain),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("FairIncrease",
                          "Packets that a round trip above the target, without marks, adds.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&NsccWindow::m_fairIncrease),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Decrease",
                          "Share of the excess delay by which the window falls.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&NsccWindow::m_decrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MostPaths",
                          "Largest window over what the path holds without queues.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&NsccWindow::m_mostPaths),
                          MakeDoubleChecker<double>(0.1));
    return tid;
}

void
NsccWindow::Begin(const Path& path)
{
    RdmaCongestion::Begin(path);
    SetWindow(std::max<double>(m_mostPaths * GetPathBytes(), path.packet));
}

RdmaCongestion::Signals
NsccWindow::GetSignals() const
{
    return {1, 0, false};
}

void
NsccWindow::NoteAnswer(const Answer& answer)
{
    const auto roundTrip = static_cast<double>(GetPath().roundTrip);
    const double packet = GetPath().packet;
    const double target = m_targetShare * roundTrip;
    const auto delay = std::max(static_cast<double>(answer.roundTrip) - roundTrip, 0.0);
    constexpr double weight = 0.125;
    m_delay += weight * (delay - m_delay);
    double window = GetWindow();
    // The share of a round trip that the packet is
    const double share = static_cast<double>(answer.bytes) / window;
    if (!answer.isMarked)
    {
        window += delay < target ? m_gain * packet * (1 - delay / target) * share
                                 : m_fairIncrease * packet * share;
    }
    else if (m_delay > target && answer.now - m_lastDecrease > GetPath().roundTrip)
    {
        window *= std::max(1 - m_decrease * (m_delay - target) / m_delay, 0.5);
        m_lastDecrease = answer.now;
    }
    SetWindow(std::clamp(window, packet, std::max(m_mostPaths * GetPathBytes(), packet)));
}

void
NsccWindow::NoteLoss(int64_t now)
{
    if (now - m_lastDecrease > GetPath().roundTrip)
    {
        SetWindow(std::max<double>(GetWindow() / 2, GetPath().packet));
        m_lastDecrease = now;
    }
}

} // namespace lightpath
} // namespace ns3
