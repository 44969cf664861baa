/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-error-model.h"

#include "ns3/double.h"
#include "ns3/packet.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OpticalErrorModel);

TypeId
OpticalErrorModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::OpticalErrorModel")
                            .SetParent<ErrorModel>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<OpticalErrorModel>();
    return tid;
}

OpticalErrorModel::OpticalErrorModel()
    : m_random(CreateObject<ExponentialRandomVariable>())
{
    m_random->SetAttribute("Mean", DoubleValue(1));
}

void
OpticalErrorModel::SetSignal(Ptr<const OpticalLink> link, const OpticalSignal& signal)
{
    const bool isLit = link && signal.power > 0;
    SetBitErrorRate(isLit ? link : nullptr, isLit ? link->GetBitErrorRate(signal) : 0.5);
}

void
OpticalErrorModel::SetBitErrorRate(Ptr<const OpticalLink> link, double bitErrorRate)
{
    m_link = link;
    m_bitErrorRate = bitErrorRate;
    m_rates.clear();
    m_recentBytes = 0;
}

double
OpticalErrorModel::GetFrameErrorRate(uint32_t bytes) const
{
    if (!m_link)
    {
        return 1;
    }
    const auto [rate, isNew] = m_rates.try_emplace(bytes, 0);
    if (isNew)
    {
        rate->second = m_link->GetCode().GetFrameErrorRate(m_bitErrorRate, bytes);
    }
    return rate->second;
}

double
OpticalErrorModel::ComputeExposure(uint32_t bytes)
{
    m_recentBytes = bytes;
    m_recentExposure = -std::log1p(-GetFrameErrorRate(bytes));
    return m_recentExposure;
}

uint32_t
OpticalErrorModel::DrawCorrupt(uint32_t frames, double exposure)
{
    if (std::isinf(exposure))
    {
        return frames;
    }
    if (m_untilLoss < 0)
    {
        m_untilLoss = m_random->GetValue();
    }
    uint32_t corrupt = 0;
    while (m_untilLoss < frames * exposure)
    {
        // Some frames arrive, and the next one is corrupt
        frames -= std::min(static_cast<uint32_t>(m_untilLoss / exposure) + 1, frames);
        ++corrupt;
        m_untilLoss = m_random->GetValue();
    }
    m_untilLoss -= frames * exposure;
    return corrupt;
}

int64_t
OpticalErrorModel::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
OpticalErrorModel::DoCorrupt(Ptr<Packet> packet)
{
    return DrawCorrupt(1U, packet->GetSize()) > 0;
}

void
OpticalErrorModel::DoReset()
{
}

} // namespace lightpath
} // namespace ns3
