/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hybrid-choice.h"

namespace ns3
{
namespace lightpath
{

HybridChoice::HybridChoice(Agenda& agenda,
                           const FabricLimits& fabric,
                           HasLightpath hasLightpath,
                           Rest rest)
    : m_agenda(agenda),
      m_fabric(fabric),
      m_hasLightpath(std::move(hasLightpath)),
      m_rest(std::move(rest)),
      m_limit(Agenda::GetTicks(fabric.beside.waitSeconds))
{
}

bool
HybridChoice::IsBulk(const MessageCarrier::Message& message) const
{
    return m_fabric.beside.bulkBytes > 0 && message.bytes >= m_fabric.beside.bulkBytes;
}

bool
HybridChoice::TakesCircuits(const MessageCarrier::Message& message) const
{
    if (!m_fabric.beside.network)
    {
        return true;
    }
    const uint32_t region = m_fabric.regionPorts;
    const bool isInside = region == 0 || message.source / region == message.destination / region;
    return isInside && message.bytes > m_fabric.beside.smallBytes &&
           (IsBulk(message) || m_limit > 0 ||
            m_hasLightpath({message.source, message.destination}));
}

void
HybridChoice::NotifySent(const MessageCarrier::Message& message, LightpathQueue& queue)
{
    if (!IsBulk(message))
    {
        Wait({message.source, message.destination}, queue);
    }
}

void
HybridChoice::Wait(const Ends& ends, LightpathQueue& queue)
{
    if (!m_fabric.beside.network || m_hasLightpath(ends) || !m_waits.insert(ends).second)
    {
        return;
    }
    m_agenda.At(m_agenda.Now() + m_limit, [this, ends, &queue]() {
        m_waits.erase(ends);
        if (m_hasLightpath(ends))
        {
            return;
        }
        for (const auto& piece : queue.Withdraw(m_fabric.beside.bulkBytes))
        {
            m_rest({ends.first, ends.second, piece.bytes}, piece);
        }
    });
}

} // namespace lightpath
} // namespace ns3
