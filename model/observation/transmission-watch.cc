/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transmission-watch.h"

#include "model/device/ethernet-fields.h"
#include "model/training/run/job-ports.h"
#include "model/training/transport/message-header.h"
#include "model/training/transport/relay-transport.h"
#include "model/training/transport/server-network.h"

#include "ns3/circuit-controller.h"
#include "ns3/circuit-transport.h"
#include "ns3/fabric-channel.h"
#include "ns3/in-network-channel.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-application.h"
#include "ns3/training-job.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

TransmissionWatch::TransmissionWatch(TrainingJob& job, JobRecord& record)
    : m_job(job),
      m_ports(JobPorts::Find(job)),
      m_record(record)
{
    if (job.GetServers())
    {
        AddServers();
        return;
    }
    // Frames that other ranks forward have headers of their own
    const bool hasFrames =
        !job.GetRanks().empty() && !DynamicCast<RelayTransport>(job.GetRanks()[0]->GetTransport());
    for (const auto& fabric : job.GetFabrics())
    {
        AddFabric(ConstCast<FabricChannel>(fabric), hasFrames);
    }
}

void
TransmissionWatch::AddServers()
{
    const Ptr<ServerNetwork> servers = m_job.GetServers();
    const auto& rails = servers->GetRails();
    for (uint32_t rail = 0; rail < rails.size(); ++rail)
    {
        if (!rails[rail].channel)
        {
            continue;
        }
        const auto& transports = rails[rail].transports;
        const bool hasFrames = !DynamicCast<RelayTransport>(transports.front());
        const uint32_t fabric = AddFabric(rails[rail].channel, hasFrames);
        for (uint32_t port = 0; port < transports.size(); ++port)
        {
            AddLetters(transports[port], fabric, rail, port);
        }
    }
    std::map<FabricChannel*, uint32_t> inside;
    for (uint32_t place = 0; place < m_job.GetRanks().size(); ++place)
    {
        const auto transport = ConstCast<Transport>(servers->GetInside(place));
        const auto device = DynamicCast<CircuitTransport>(transport)->GetDevice();
        const auto channel = DynamicCast<FabricChannel>(device->GetChannel());
        const auto known = inside.find(PeekPointer(channel));
        const uint32_t fabric = known != inside.end() ? known->second : AddFabric(channel, true);
        inside[PeekPointer(channel)] = fabric;
        AddLetters(transport, fabric, std::nullopt, device->GetPort());
    }
}

uint32_t
TransmissionWatch::AddFabric(Ptr<FabricChannel> channel, bool hasFrames)
{
    const auto fabric = static_cast<uint32_t>(m_record.fabrics.size());
    m_record.fabrics.emplace_back();
    AddCircuits(channel, fabric);
    if (const auto network = DynamicCast<InNetworkChannel>(channel))
    {
        AddSlots(network, fabric);
    }
    for (uint32_t port = 0; port < channel->GetNDevices() && hasFrames; ++port)
    {
        m_devices.emplace_back(channel->GetPort(port), fabric);
    }
    return fabric;
}

void
TransmissionWatch::AddCircuits(Ptr<FabricChannel> channel, uint32_t fabric)
{
    if (const auto circuits = DynamicCast<OpticalChannel>(channel))
    {
        // A script may have set circuits already
        if (circuits->IsChanging())
        {
            m_record.fabrics[fabric].switchings.push_back({Simulator::Now(), JobRecord::Never()});
        }
        if (!circuits->GetLive().GetLightpaths().empty())
        {
            m_record.fabrics[fabric].firstLight = Simulator::Now();
        }
        channel->TraceConnectWithoutContext(
            "Dark",
            Callback<void, const CircuitPlan&>([this, fabric](const CircuitPlan&) {
                auto& switchings = m_record.fabrics[fabric].switchings;
                // A new plan prolongs the darkness
                if (switchings.empty() || switchings.back().light <= Simulator::Now())
                {
                    switchings.push_back({Simulator::Now(), JobRecord::Never()});
                }
            }));
        channel->TraceConnectWithoutContext(
            "Light",
            Callback<void, const CircuitPlan&>([this, fabric](const CircuitPlan&) {
                JobRecord::Fabric& record = m_record.fabrics[fabric];
                record.firstLight = std::min(record.firstLight, Simulator::Now());
                if (!record.switchings.empty())
                {
                    Time& light = record.switchings.back().light;
                    light = std::min(light, Simulator::Now());
                }
            }));
    }
    if (const auto controller = channel->GetObject<CircuitController>())
    {
        StringValue trigger;
        controller->GetAttribute("Trigger", trigger);
        m_record.fabrics[fabric].followsPhases = trigger.Get() == "Phase";
    }
}

void
TransmissionWatch::AddSlots(Ptr<InNetworkChannel> channel, uint32_t fabric)
{
    Time farthest;
    for (uint32_t port = 0; port < channel->GetNDevices(); ++port)
    {
        farthest = std::max(farthest, channel->GetPortDelay(port));
    }
    TimeValue signalling;
    channel->GetAttribute("SignallingDelay", signalling);
    const Time least = signalling.Get() + farthest;
    channel->TraceConnectWithoutContext(
        "SlotGranted",
        Callback<void, uint64_t, uint32_t, Time>(
            [this, fabric, least](uint64_t tag, uint32_t, Time start) {
                JobRecord::Fabric& record = m_record.fabrics[fabric];
                // A slot that begins later than it could begins at the end of the one before
                if (tag != record.lastAverage && start > Simulator::Now() + least)
                {
                    record.behind.emplace(tag, record.lastAverage);
                }
                record.lastAverage = tag;
            }));
}

void
TransmissionWatch::AddDevice(Ptr<OpticalNetDevice> device, uint32_t fabric)
{
    const Port port{fabric,
                    device->GetPort(),
                    Mac48Address::ConvertFrom(device->GetAddress()),
                    PeekPointer(DynamicCast<FabricChannel>(device->GetChannel()))};
    // JobRecorder listens to computed messages
    const LateSinks late;
    device->TraceConnectWithoutContext(
        "PhyTxBegin",
        Callback<void, Ptr<const Packet>>(
            [this, port](Ptr<const Packet> packet) { NoteBegin(port, packet); }));
    device->TraceConnectWithoutContext(
        "PhyTxEnd",
        Callback<void, Ptr<const Packet>>(
            [this, port](Ptr<const Packet> packet) { NoteEnd(port, packet); }));
    device->TraceConnectWithoutContext("LightpathUp",
                                       Callback<void, uint32_t>([this, port](uint32_t destination) {
                                           NoteLightpath(port, destination, true);
                                       }));
    device->TraceConnectWithoutContext("LightpathDown",
                                       Callback<void, uint32_t>([this, port](uint32_t destination) {
                                           NoteLightpath(port, destination, false);
                                       }));
}

void
TransmissionWatch::AddLetters(Ptr<Transport> transport,
                              uint32_t fabric,
                              std::optional<uint32_t> rail,
                              uint32_t port)
{
    transport->TraceConnectWithoutContext(
        "Send",
        Callback<void, uint32_t, uint64_t, uint64_t>(
            [this, fabric, rail, port](uint32_t destination, uint64_t number, uint64_t bytes) {
                // Anything else is a part of a message that has been split or relayed
                const auto ref = std::exchange(m_handedOver, {});
                const JobRecord::Message* const message = m_record.Find(ref);
                if (!message || message->bytes != bytes || message->source == message->peer)
                {
                    return;
                }
                const ServerLayout& layout = m_job.GetServers()->GetLayout();
                const bool isDirect = rail ? *rail == layout.GetRail(message->peer) &&
                                                 destination == layout.GetPort(message->peer)
                                           : layout.AreInside(message->source, message->peer);
                if (isDirect)
                {
                    m_letters[Key(fabric, port, destination, number)] = ref;
                }
            }));
}

void
TransmissionWatch::Send(JobRecord::MessageRef ref)
{
    const JobRecord::Message& message = *m_record.Find(ref);
    m_open.emplace(Key(JobRecord::NONE, message.source, message.peer, message.tag), ref);
    m_handedOver = ref;
}

void
TransmissionWatch::Receive(uint32_t source, uint32_t destination, uint64_t tag)
{
    // Messages with the same tag arrive in the order in which they were sent
    const auto found = m_open.find(Key(JobRecord::NONE, source, destination, tag));
    if (found != m_open.end())
    {
        auto& messages = m_record.iterations[found->second.iteration].messages;
        messages[found->second.index].received = Simulator::Now();
        m_open.erase(found);
    }
}

void
TransmissionWatch::Begin()
{
    for (const auto& [device, fabric] : std::exchange(m_devices, {}))
    {
        AddDevice(device, fabric);
    }
}

uint32_t
TransmissionWatch::ToRank(uint32_t port) const
{
    return m_ports ? m_ports->GetRank(port) : port;
}

uint32_t
TransmissionWatch::ToPort(uint32_t rank) const
{
    return m_ports ? m_ports->GetPort(rank) : rank;
}

uint64_t
TransmissionWatch::GetNumber(const Port& port, uint32_t destination)
{
    // Ports and fabrics are far fewer than these fields hold
    constexpr uint32_t PORT_BITS = 24;
    return (uint64_t{port.fabric} << 2 * PORT_BITS) ^ (uint64_t{port.port} << PORT_BITS) ^
           destination;
}

std::optional<TransmissionWatch::Frame>
TransmissionWatch::Find(const Port& port, const Ptr<const Packet>& packet)
{
    const EthernetFields fields(*packet);
    if (fields.protocol != CircuitTransport::PROTOCOL_NUMBER || fields.source != port.address)
    {
        return std::nullopt;
    }
    const uint32_t destination = port.channel->FindPort(fields.destination);
    const Ptr<Packet> payload = packet->Copy();
    payload->RemoveAtStart(ETHERNET_HEADER_BYTES);
    MessageHeader header;
    payload->PeekHeader(header);
    JobRecord::MessageRef ref;
    if (m_job.GetServers())
    {
        const auto found =
            m_letters.find(Key(port.fabric, port.port, destination, header.GetTag()));
        ref = found == m_letters.end() ? ref : found->second;
    }
    else
    {
        const auto found = m_open.find(
            Key(JobRecord::NONE, ToRank(port.port), ToRank(destination), header.GetTag()));
        ref = found == m_open.end() ? ref : found->second;
    }
    // A message that another port stores and forwards takes more than one transmitter
    if (!m_record.Find(ref) || port.channel->IsForwarded(port.port, destination))
    {
        return std::nullopt;
    }
    return Frame{ref,
                 &m_record.iterations[ref.iteration].messages[ref.index],
                 &m_transmitters[GetNumber(port, destination)],
                 payload->GetSize() - MessageHeader::SIZE};
}

void
TransmissionWatch::NoteBegin(const Port& port, const Ptr<const Packet>& packet)
{
    const auto frame = Find(port, packet);
    if (!frame)
    {
        return;
    }
    frame->transmitter->current = frame->ref;
    if (frame->message->begun == JobRecord::Never())
    {
        BeginMessage(frame->ref, *frame->transmitter, port.fabric, Simulator::Now());
    }
}

void
TransmissionWatch::BeginMessage(JobRecord::MessageRef ref,
                                Transmitter& transmitter,
                                uint32_t fabric,
                                Time time)
{
    JobRecord::Message& message = m_record.iterations[ref.iteration].messages[ref.index];
    message.begun = time;
    message.fabric = static_cast<uint16_t>(fabric);
    transmitter.current = ref;
    transmitter.left = message.bytes;
    if (transmitter.lastEnd > message.sent)
    {
        message.behind = transmitter.last.index;
        message.ahead = static_cast<int8_t>(transmitter.last.iteration - ref.iteration);
    }
}

void
TransmissionWatch::NoteEnd(const Port& port, const Ptr<const Packet>& packet)
{
    const auto frame = Find(port, packet);
    if (!frame)
    {
        return;
    }
    frame->message->ended = Simulator::Now();
    Transmitter& transmitter = *frame->transmitter;
    transmitter.left -= std::min(transmitter.left, frame->bytes);
    if (transmitter.left == 0)
    {
        frame->message->isWhole = true;
        transmitter.End(frame->ref, Simulator::Now());
    }
}

void
TransmissionWatch::AddComputed(JobRecord::MessageRef ref, const ComputedMessage& computed)
{
    JobRecord::Message& message = m_record.iterations[ref.iteration].messages[ref.index];
    // Such messages are those of the only fabric of a job without servers
    const Port port{0, ToPort(computed.source), {}, nullptr};
    Transmitter& transmitter = m_transmitters[GetNumber(port, ToPort(computed.destination))];
    if (computed.begun != Time::Max())
    {
        BeginMessage(ref, transmitter, port.fabric, computed.begun);
    }
    if (computed.ended != Time::Max())
    {
        message.ended = computed.ended;
        message.isWhole = true;
        transmitter.End(ref, computed.ended);
    }
    if (computed.received != Time::Max())
    {
        message.received = computed.received;
    }
    else
    {
        m_open.emplace(Key(JobRecord::NONE, message.source, message.peer, message.tag), ref);
    }
}

void
TransmissionWatch::NoteLightpath(const Port& port, uint32_t destination, bool up)
{
    const auto found = m_transmitters.find(GetNumber(port, destination));
    if (found == m_transmitters.end() || !m_record.Find(found->second.current))
    {
        return;
    }
    const JobRecord::MessageRef ref = found->second.current;
    auto& cuts = m_record.iterations[ref.iteration].cuts;
    if (!up)
    {
        cuts.push_back({ref.index, Simulator::Now(), JobRecord::Never()});
        return;
    }
    const auto cut = std::find_if(cuts.rbegin(), cuts.rend(), [&ref](const auto& each) {
        return each.message == ref.index;
    });
    if (cut != cuts.rend() && cut->end == JobRecord::Never())
    {
        cut->end = Simulator::Now();
    }
}

} // namespace lightpath
} // namespace ns3
