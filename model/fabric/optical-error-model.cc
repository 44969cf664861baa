/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-error-model.h"

#include "ns3/packet.h"

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
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
OpticalErrorModel::SetSignal(Ptr<const OpticalLink> link, const OpticalSignal& signal)
{
    m_link = signal.power > 0 ? link : nullptr;
    m_bitErrorRate = m_link ? m_link->GetBitErrorRate(signal) : 0.5;
    m_rates.clear();
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

int64_t
OpticalErrorModel::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
OpticalErrorModel::DoCorrupt(Ptr<Packet> packet)
{
    return m_random->GetValue() < GetFrameErrorRate(packet->GetSize());
}

void
OpticalErrorModel::DoReset()
{
}

} // namespace lightpath
} // namespace ns3
