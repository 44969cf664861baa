/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wss-grid-geometry.h"

#include "model/device/component-name.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

namespace ns3
{
namespace lightpath
{

WssGridGeometry::WssGridGeometry(const Size& size)
{
    SetSize(size);
}

const WssGridGeometry::Size&
WssGridGeometry::GetSize() const
{
    return m_size;
}

void
WssGridGeometry::SetSize(const Size& size)
{
    m_size = size;
    m_deadLasers.resize(GetNTransceivers());
    m_deadReceivers.resize(GetNTransceivers());
}

uint32_t
WssGridGeometry::GetGroup(uint32_t port, Direction direction) const
{
    // Ports are numbered row by row
    return direction == ROW ? port / m_size.columns : port % m_size.columns;
}

uint32_t
WssGridGeometry::GetMember(uint32_t port, Direction direction) const
{
    return direction == ROW ? port % m_size.columns : port / m_size.columns;
}

uint32_t
WssGridGeometry::GetPortAt(Direction direction, uint32_t group, uint32_t member) const
{
    return direction == ROW ? group * m_size.columns + member : member * m_size.columns + group;
}

uint32_t
WssGridGeometry::GetNTransceivers() const
{
    return m_size.ports * DIRECTIONS * m_size.transceivers;
}

uint32_t
WssGridGeometry::GetIndex(const Transceiver& transceiver) const
{
    NS_ASSERT_MSG(transceiver.port < m_size.ports && transceiver.index < m_size.transceivers,
                  "there is no transceiver " << transceiver.index << " of port "
                                             << transceiver.port);
    return (transceiver.port * DIRECTIONS + transceiver.direction) * m_size.transceivers +
           transceiver.index;
}

WssGridGeometry::Transceiver
WssGridGeometry::GetTransceiver(uint32_t index) const
{
    // The inverse of GetIndex()
    const uint32_t side = index / m_size.transceivers;
    return {side / DIRECTIONS,
            static_cast<Direction>(side % DIRECTIONS),
            index % m_size.transceivers};
}

void
WssGridGeometry::SetFailed(const std::string& component, bool failed)
{
    const std::string refusal = TrySetFailed(component, failed);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
}

std::string
WssGridGeometry::TrySetFailed(const std::string& component, bool failed)
{
    ComponentName name(component);
    for (const Direction direction : {ROW, COLUMN})
    {
        const std::string side = direction == ROW ? "row" : "column";
        if (name.Is(side, {direction == ROW ? m_size.rows : m_size.columns}))
        {
            SetMember(m_failedSwitches[direction], name.Get(0), failed);
            return "";
        }
        for (const std::string kind : {"laser", "receiver"})
        {
            // A name without an index stands for all transceivers at the switch
            const bool isOne = name.Is(kind, {m_size.ports, m_size.transceivers}, side);
            if (!isOne && !name.Is(kind, {m_size.ports}, side))
            {
                continue;
            }
            auto& dead = kind == "laser" ? m_deadLasers : m_deadReceivers;
            const uint32_t first = isOne ? name.Get(1) : 0;
            const uint32_t end = isOne ? first + 1 : m_size.transceivers;
            for (uint32_t index = first; index < end; ++index)
            {
                dead[GetIndex({name.Get(0), direction, index})] = failed;
            }
            return "";
        }
    }
    return name.GetRefusal(
        "A grid has no component '" + component +
        "': the known ones are like row:0, column:0, laser:0:row, laser:0:column, receiver:0:row, "
        "receiver:0:column, and laser:0:1:row for one of several");
}

bool
WssGridGeometry::AreJoined(uint32_t source,
                           uint32_t destination,
                           Direction direction,
                           uint32_t index) const
{
    const uint32_t group = GetGroup(source, direction);
    return source != destination && destination < m_size.ports &&
           GetGroup(destination, direction) == group &&
           m_failedSwitches[direction].count(group) == 0 &&
           !m_deadLasers[GetIndex({source, direction, index})] &&
           !m_deadReceivers[GetIndex({destination, direction, index})];
}

} // namespace lightpath
} // namespace ns3
