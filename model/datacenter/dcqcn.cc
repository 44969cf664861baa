/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(Dcqcn);

TypeId
Dcqcn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::Dcqcn")
            .SetParent<RdmaCongestion>()
            .SetGroupName("Lightpath")
            .AddConstructor<Dcqcn>()
            .AddAttribute("Gain",
                          "Weight of a notification in the estimate of congestion (g).",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&Dcqcn::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AlphaPeriod",
                          "Time without a notification after which the estimate falls (K).",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&Dcqcn::m_alphaPeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Period",
                          "Period of the timer that raises the rate (T).",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&Dcqcn::m_period),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("CounterBytes",
                          "Bytes after which the byte counter raises the rate (B).",
                          UintegerValue(10000000),
                          MakeUintegerAccessor(&Dcqcn::m_counterBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("FastRecovery",
                          "Periods before the target rate rises (F).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Dcqcn::m_fastPeriods),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "Step of the target rate (R_AI).",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&Dcqcn::m_additive),
                          MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "Step of the target rate once timer and counter have passed "
                          "FastRecovery periods (R_HAI).",
                          DataRateValue(DataRate("400Mbps")),
                          MakeDataRateAccessor(&Dcqcn::m_hyper),
                          MakeDataRateChecker())
            .AddAttribute("LeastRate",
                          "The least rate.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&Dcqcn::m_least),
                          MakeDataRateChecker())
            .AddAttribute("NotificationInterval",
                          "Least time between notifications that a receiver sends (N).",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&Dcqcn::m_notificationInterval),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

Dcqcn::Dcqcn()
{
}

void
Dcqcn::Begin(const Path& path)
{
    RdmaCongestion::Begin(path);
    m_target = path.bitRate;
}

RdmaCongestion::Signals
Dcqcn::GetSignals() const
{
    Signals signals;
    signals.notificationInterval = m_notificationInterval.GetPicoSeconds();
    return signals;
}

uint64_t
Dcqcn::CountSteady(int64_t time, int64_t interval, uint32_t bytes) const
{
    if (!m_isReduced)
    {
        return UINT64_MAX;
    }
    if (time >= m_nextPeriod || m_bytes >= m_counterBytes)
    {
        return 0;
    }
    return std::min((m_counterBytes - m_bytes - 1) / bytes,
                    static_cast<uint64_t>((m_nextPeriod - time + interval - 1) / interval));
}

void
Dcqcn::Update(int64_t now)
{
    while (m_isReduced && m_nextPeriod <= now)
    {
        ++m_timerPeriods;
        m_nextPeriod += m_period.GetPicoSeconds();
        Increase();
    }
}

void
Dcqcn::NoteSent(uint64_t bytes)
{
    m_bytes += bytes;
    if (m_isReduced && m_bytes >= m_counterBytes)
    {
        m_bytes = 0;
        ++m_bytePeriods;
        Increase();
    }
}

void
Dcqcn::Increase()
{
    const double full = GetPath().bitRate;
    const uint32_t least = std::min(m_timerPeriods, m_bytePeriods);
    if (least > m_fastPeriods)
    {
        m_target += (least - m_fastPeriods) * static_cast<double>(m_hyper.GetBitRate());
    }
    else if (std::max(m_timerPeriods, m_bytePeriods) >= m_fastPeriods)
    {
        m_target += static_cast<double>(m_additive.GetBitRate());
    }
    m_target = std::min(m_target, full);
    SetRate((GetRate() + m_target) / 2);
    // The rest of the distance, which each increase halves, is too small to matter
    constexpr double almost = 1 - 1e-6;
    if (m_target >= full && GetRate() >= almost * full)
    {
        SetRate(full);
        m_isReduced = false;
    }
}

void
Dcqcn::NoteCongestion(int64_t now)
{
    Update(now);
    const int64_t period = m_alphaPeriod.GetPicoSeconds();
    m_alpha *= std::pow(1 - m_gain, static_cast<double>((now - m_alphaTime) / period));
    m_target = GetRate();
    SetRate(std::max(GetRate() * (1 - m_alpha / 2), static_cast<double>(m_least.GetBitRate())));
    m_alpha = (1 - m_gain) * m_alpha + m_gain;
    m_alphaTime = now;
    m_nextPeriod = now + m_period.GetPicoSeconds();
    m_bytes = 0;
    m_timerPeriods = 0;
    m_bytePeriods = 0;
    m_isReduced = true;
}

} // namespace lightpath
} // namespace ns3
