/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-carrier.h"

#include "model/base/wire-format.h"

#include "ns3/pointer.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

RotorCarrier::RotorCarrier(Agenda& agenda, const Fabric& fabric, Arrival arrival)
    : m_agenda(agenda),
      m_fabric(fabric),
      m_arrival(std::move(arrival)),
      m_dispatcher(CreateObject<RotorDispatcher>()),
      m_circuits(fabric.clock.schedule->GetNPorts())
{
    m_dispatcher->SetAttribute("Discipline", PointerValue(m_fabric.discipline->Begin()));
    m_dispatcher->Begin(m_agenda, m_fabric.clock);
    for (uint32_t port = 0; port < m_circuits.size(); ++port)
    {
        m_ports.push_back(
            std::make_unique<RotorPort>(*m_dispatcher,
                                        port,
                                        RotorPort::FrameSizes{0, m_fabric.shortFrameSize},
                                        [this, port](uint32_t peer) { Resume(port, peer); }));
    }
}

RotorCarrier::~RotorCarrier() = default;

void
RotorCarrier::Send(const Message& message, uint64_t tag)
{
    const auto [source, destination, bytes] = message;
    m_messages.push_back({tag, bytes});
    m_ports[source]->Enqueue({source, destination, m_messages.size() - 1, bytes, bytes});
}

void
RotorCarrier::Resume(uint32_t port, uint32_t peer)
{
    const int64_t now = m_agenda.Now();
    Circuit* circuit = m_circuits[port].Find(peer);
    if (!circuit)
    {
        circuit = &m_circuits[port].Get(peer);
        circuit->clock.SetBitRate(m_fabric.clock.bitRate,
                                  now,
                                  *m_fabric.clock.GetWindow(port, peer));
    }
    if (circuit->isBusy)
    {
        return;
    }
    // Frames without a pause follow each other; a pause is no time of transmission
    if (now != circuit->idleSince)
    {
        circuit->clock.Restart(now);
    }
    BeginFrame(port, peer, *circuit);
}

void
RotorCarrier::BeginFrame(uint32_t port, uint32_t peer, Circuit& circuit)
{
    const int64_t now = m_agenda.Now();
    RotorPort::Piece part;
    circuit.isBusy = m_ports[port]->Cut(peer, part);
    if (!circuit.isBusy)
    {
        circuit.idleSince = now;
        return;
    }
    const uint64_t bytes = part.bytes + RELAY_FRAME_HEADER_BYTES;
    circuit.clock.Append(bytes, now);
    m_agenda.At(circuit.clock.GetEndTick(), [this, port, peer, part, &circuit]() {
        Deliver(peer, part);
        BeginFrame(port, peer, circuit);
    });
}

void
RotorCarrier::Deliver(uint32_t peer, const RotorPort::Piece& part)
{
    const int64_t there = m_agenda.Now() + m_fabric.delay;
    if (peer == part.destination)
    {
        m_agenda.At(there + m_fabric.messageDelay, [this, part]() { Take(part); });
    }
    else
    {
        m_agenda.At(there, [this, peer, part]() { m_ports[peer]->Enqueue(part); });
    }
}

void
RotorCarrier::Take(const RotorPort::Piece& part)
{
    Underway& message = m_messages[part.tag];
    message.left -= part.bytes;
    if (message.left == 0)
    {
        m_arrival(message.tag);
    }
}

} // namespace lightpath
} // namespace ns3
