/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-network-channel.h"

#include "model/base/wire-format.h"
#include "model/device/word-packing.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-header.h"
#include "ns3/fibre-delay.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/word-averager.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("InNetworkChannel");

NS_OBJECT_ENSURE_REGISTERED(InNetworkChannel);

TypeId
InNetworkChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::InNetworkChannel")
            .SetParent<PhotonicChannel>()
            .SetGroupName("Lightpath")
            .AddConstructor<InNetworkChannel>()
            .AddAttribute("Averager",
                          "The averager of the words of all ports; null for jobs without real "
                          "words, which takes no time.",
                          PointerValue(),
                          MakePointerAccessor(&InNetworkChannel::m_averager),
                          MakePointerChecker<WordAverager>())
            .AddAttribute("Transceivers",
                          "The transceivers of a server, each of which sends one symbol of a word: "
                          "a multiple of half the bits of a word.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&InNetworkChannel::m_transceivers),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LaneRate",
                          "The rate of a transceiver.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&InNetworkChannel::m_laneRate),
                          MakeDataRateChecker())
            .AddAttribute("FibreLength",
                          "The fibre between a server and the averager, in metres.",
                          DoubleValue(20),
                          MakeDoubleAccessor(&InNetworkChannel::m_fibreLength),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("SignallingDelay",
                          "The time of a message between a server and the slot manager.",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&InNetworkChannel::m_signallingDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Delay",
                          "The time from the call that sends a tensor to its announcement, as "
                          "cards and software take it.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&InNetworkChannel::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GuardTime",
                          "The largest distance in time of the bursts of one slot, and the time "
                          "between slots.",
                          TimeValue(NanoSeconds(10)),
                          MakeTimeAccessor(&InNetworkChannel::m_guardTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Ranging",
                          "Whether servers launch earlier by the delay of their own fibre.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&InNetworkChannel::m_ranging),
                          MakeBooleanChecker())
            .AddAttribute("RangingError",
                          "The delay of the launch of each burst, in nanoseconds; negative for an "
                          "early launch. Null for no error.",
                          PointerValue(),
                          MakePointerAccessor(&InNetworkChannel::m_rangingError),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("BurstErrorModel",
                          "Decides which bursts get lost on the way to the averager.",
                          PointerValue(),
                          MakePointerAccessor(&InNetworkChannel::m_burstErrorModel),
                          MakePointerChecker<ErrorModel>())
            .AddAttribute("MostRepeats",
                          "The times that a slot may be spoilt before the program ends.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&InNetworkChannel::m_mostRepeats),
                          MakeUintegerChecker<uint32_t>(0, 254))
            .AddTraceSource(
                "SlotGranted",
                "A slot is granted: tensor, burst, and when its bursts begin to arrive.",
                MakeTraceSourceAccessor(&InNetworkChannel::m_slotTrace),
                "ns3::lightpath::InNetworkChannel::SlotTracedCallback")
            .AddTraceSource("SlotSpoilt",
                            "A slot is spoilt and will be repeated: tensor, burst, and reason.",
                            MakeTraceSourceAccessor(&InNetworkChannel::m_spoiltTrace),
                            "ns3::lightpath::InNetworkChannel::SpoiltTracedCallback");
    return tid;
}

InNetworkChannel::InNetworkChannel()
{
    NS_LOG_FUNCTION(this);
}

InNetworkChannel::~InNetworkChannel()
{
    NS_LOG_FUNCTION(this);
}

void
InNetworkChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (auto& slot : m_open)
    {
        slot.second.deadline.Cancel();
    }
    m_open.clear();
    m_servers.clear();
    m_averager = nullptr;
    m_rangingError = nullptr;
    m_burstErrorModel = nullptr;
    PhotonicChannel::DoDispose();
}

void
InNetworkChannel::DoAdd(uint32_t port)
{
    m_servers.resize(port + 1);
}

void
InNetworkChannel::SetServer(uint32_t port, Server* server)
{
    NS_LOG_FUNCTION(this << port << server);
    if (port >= m_servers.size())
    {
        NS_ASSERT_MSG(!server, "Port " << port << " does not exist");
        return;
    }
    m_servers[port] = server;
    if (server)
    {
        GetPort(port)->SetRate(port, GetServerRate().GetBitRate(), GetPortDelay(port));
    }
}

void
InNetworkChannel::SetFibreLength(uint32_t port, double metres)
{
    NS_LOG_FUNCTION(this << port << metres);
    NS_ABORT_MSG_UNLESS(metres >= 0,
                        "The fibre of port " << port << " cannot be " << metres
                                             << " m long: its length is at least 0");
    m_lengths[port] = metres;
}

Time
InNetworkChannel::GetPortDelay(uint32_t port) const
{
    const auto length = m_lengths.find(port);
    return GetFibreDelay(length == m_lengths.end() ? m_fibreLength : length->second);
}

Time
InNetworkChannel::GetFarthest(uint32_t nPorts) const
{
    Time farthest;
    for (uint32_t port = 0; port < nPorts; ++port)
    {
        farthest = std::max(farthest, GetPortDelay(port));
    }
    return farthest;
}

DataRate
InNetworkChannel::GetServerRate() const
{
    return DataRate(m_transceivers * m_laneRate.GetBitRate());
}

Ptr<WordAverager>
InNetworkChannel::GetAverager() const
{
    return m_averager;
}

FabricStatistics
InNetworkChannel::GetStatistics() const
{
    FabricStatistics statistics;
    statistics.counts = {{"slots", m_nSlots}, {"spoiltSlots", m_nSpoilt}};
    return statistics;
}

int64_t
InNetworkChannel::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    int64_t next = stream + PhotonicChannel::AssignStreams(stream);
    if (m_rangingError)
    {
        m_rangingError->SetStream(next++);
    }
    if (m_averager)
    {
        next += m_averager->AssignStreams(next);
    }
    return next - stream;
}

std::vector<uint32_t>
InNetworkChannel::GetReachable(uint32_t source) const
{
    return {};
}

void
InNetworkChannel::NoteBusy(Time delay)
{
    m_busy = std::max(m_busy, Simulator::Now() + delay);
}

void
InNetworkChannel::NotifyActive(uint32_t source, uint32_t destination)
{
    NS_ABORT_MSG_IF(source != destination,
                    "A network that averages carries nothing from one server to another: port "
                        << source << " has a frame for port " << destination);
}

void
InNetworkChannel::NotifyLost(uint32_t port)
{
    NS_ABORT_MSG("The ReceiveErrorModel of port "
                 << port << " makes an average corrupt, which a network without a buffer cannot "
                 << "send again: set BurstErrorModel of the channel, which spoils the whole slot");
}

void
InNetworkChannel::Announce(uint32_t port, std::vector<SlotBurst> bursts)
{
    NS_LOG_FUNCTION(this << port << bursts.size());
    // A burst that is repeated is in the card
    const bool isNew = !bursts.empty() && bursts.front().header.sequence == 0;
    const Time delay = m_signallingDelay + (isNew ? m_delay : Time(0));
    NoteBusy(delay);
    Simulator::Schedule(delay,
                        &InNetworkChannel::Hear,
                        this,
                        port,
                        std::make_shared<const std::vector<SlotBurst>>(std::move(bursts)));
}

void
InNetworkChannel::Hear(uint32_t port, const std::shared_ptr<const std::vector<SlotBurst>>& bursts)
{
    NS_LOG_FUNCTION(this << port);
    for (const auto& announced : *bursts)
    {
        SlotBurst burst = announced;
        if (m_table.Announce(port, static_cast<uint32_t>(m_servers.size()), burst))
        {
            Grant(std::move(burst));
        }
    }
}

void
InNetworkChannel::CheckAverager() const
{
    if (!m_averager)
    {
        return;
    }
    NS_ABORT_MSG_IF(m_averager->GetNServers() != m_servers.size(),
                    "The averager is for " << m_averager->GetNServers() << " servers, but the "
                                           << "fabric has " << m_servers.size()
                                           << " ports: set Servers of the averager to that");
    NS_ABORT_MSG_IF(m_transceivers % m_averager->GetNDigits() != 0,
                    "Words of " << m_averager->GetBits() << " bits are sent by "
                                << m_averager->GetNDigits() << " transceivers at a time: "
                                << m_transceivers << " is no multiple of it");
}

void
InNetworkChannel::Grant(SlotBurst burst)
{
    NS_LOG_FUNCTION(this << burst.header.tag << burst.header.block);
    CheckAverager();
    const Time now = Simulator::Now();
    const Time farthest = GetFarthest(static_cast<uint32_t>(m_servers.size()));
    // DataRate::CalculateBytesTxTime() counts the bits in 32 bits, too few for bursts of 2^29 bytes
    const Time duration = Seconds(int64x64_t(8 * burst.bytes) / GetServerRate().GetBitRate());
    // All servers must hear of the grant in time to reach the start of the slot
    const Time start = std::max(now + m_signallingDelay + farthest, m_free);
    m_free = start + duration + m_guardTime;

    Slot slot;
    slot.burst = std::make_shared<const SlotBurst>(std::move(burst));
    slot.frames.resize(m_servers.size());
    for (uint32_t port = 0; port < m_servers.size(); ++port)
    {
        // Without ranging, servers launch as if all fibres had the length of the longest
        Time launch = start - (m_ranging ? GetPortDelay(port) : farthest);
        if (m_rangingError)
        {
            launch += Seconds(m_rangingError->GetValue() * 1e-9);
        }
        // A server cannot launch before it hears of the grant
        launch = std::max(launch, now + m_signallingDelay);
        Tell(port, launch - now, &Server::Launch, slot.burst);
    }
    // A burst at the very end of the guard time is still in time
    const Time limit = m_free - now + TimeStep(1);
    const SlotTable::Key key = SlotTable::GetKey(slot.burst->header);
    slot.deadline = Simulator::Schedule(limit, &InNetworkChannel::Spoil, this, key, MISSING);
    NoteBusy(limit);
    NS_LOG_LOGIC(SlotTable::Describe(slot.burst->header)
                 << " is granted: its bursts begin to arrive in " << (start - now).As(Time::US));
    m_slotTrace(slot.burst->header.tag, slot.burst->header.block, start);
    const bool isNew = m_open.emplace(key, std::move(slot)).second;
    NS_ASSERT_MSG(isNew, "A slot was granted twice");
}

void
InNetworkChannel::Deliver(FabricFrame&& frame, uint32_t source, uint32_t destination, Time delay)
{
    NS_LOG_FUNCTION(this << frame.bytes << source << destination << delay);
    NS_ASSERT_MSG(source == destination && frame.packet, "A frame that is no burst of a server");
    if (frame.lostBytes > 0)
    {
        NS_LOG_LOGIC("a burst of server " << source << " reaches the averager corrupt");
        return;
    }
    Simulator::Schedule(delay, &InNetworkChannel::Arrive, this, source, frame.packet);
}

void
InNetworkChannel::Arrive(uint32_t port, Ptr<Packet> frame)
{
    NS_LOG_FUNCTION(this << port << frame);
    if (m_burstErrorModel && m_burstErrorModel->IsCorrupt(frame))
    {
        NS_LOG_LOGIC("a burst of server " << port << " is lost on the way to the averager");
        return;
    }
    frame->RemoveAtStart(ETHERNET_HEADER_BYTES);
    InNetworkHeader header;
    frame->RemoveHeader(header);
    const auto found = m_open.find(SlotTable::GetKey(header));
    if (found == m_open.end() || found->second.burst->header.sequence != header.sequence)
    {
        NS_LOG_LOGIC("a burst of server " << port << " is too late for "
                                          << SlotTable::Describe(header));
        return;
    }
    Slot& slot = found->second;
    const Time now = Simulator::Now();
    slot.first = slot.arrived == 0 ? now : slot.first;
    slot.frames[port] = frame;
    if (++slot.arrived < slot.frames.size())
    {
        return;
    }
    // Bursts further apart do not overlap enough to be averaged as they pass
    if (now - slot.first > m_guardTime)
    {
        Spoil(found->first, APART);
        return;
    }
    slot.deadline.Cancel();
    const Slot complete = std::move(slot);
    m_open.erase(found);
    Answer(complete);
}

void
InNetworkChannel::Answer(const Slot& slot)
{
    const InNetworkHeader& header = slot.burst->header;
    NS_LOG_FUNCTION(this << header.tag << header.block);
    ++m_nSlots;
    const Ptr<Packet> answer =
        header.bits > 0 ? Average(slot) : Create<Packet>(slot.frames.front()->GetSize());
    answer->AddHeader(header);
    EthernetHeader ethernet(false);
    // Locally administered address of the averager, which has no port
    ethernet.SetSource(Mac48Address("02:00:00:00:00:00"));
    ethernet.SetDestination(Mac48Address::GetBroadcast());
    ethernet.SetLengthType(m_servers.front()->GetProtocolNumber());
    answer->AddHeader(ethernet);
    const Time averaging = m_averager ? m_averager->GetDelay() : Time(0);
    NS_LOG_LOGIC(SlotTable::Describe(header) << " is complete: its average goes to all servers");
    for (uint32_t port = 0; port < m_servers.size(); ++port)
    {
        const Time delay = averaging + GetPortDelay(port);
        NoteBusy(delay);
        FabricFrame frame;
        frame.packet = answer->Copy();
        frame.bytes = answer->GetSize();
        FabricChannel::Deliver(std::move(frame), port, port, delay);
    }
}

Ptr<Packet>
InNetworkChannel::Average(const Slot& slot)
{
    const uint32_t bits = slot.burst->header.bits;
    NS_ABORT_MSG_UNLESS(m_averager && m_averager->GetBits() == bits && (bits == 8 || bits == 16),
                        "Real words of " << bits << " bits need an averager of words of 8 or 16 "
                                         << "bits, and of as many");
    const uint32_t size = slot.frames.front()->GetSize();
    const std::size_t count = size / GetWordBytes(bits);
    m_bytes.resize(size);
    m_words.resize(m_servers.size() + 1);
    std::vector<const uint16_t*> words;
    // Words travel as bytes: unpack those of each server
    for (uint32_t port = 0; port < m_servers.size(); ++port)
    {
        auto& own = m_words[port];
        own.resize(count);
        slot.frames[port]->CopyData(m_bytes.data(), size);
        UnpackWords(m_bytes.data(), count, bits, own.data());
        words.push_back(own.data());
    }
    auto& average = m_words.back();
    average.resize(count);
    m_averager->Average(words, count, average.data());
    PackWords(average.data(), count, bits, m_bytes.data());
    return Create<Packet>(m_bytes.data(), size);
}

void
InNetworkChannel::Spoil(SlotTable::Key key, Fault fault)
{
    const auto found = m_open.find(key);
    const Slot slot = std::move(found->second);
    m_open.erase(found);
    const InNetworkHeader& header = slot.burst->header;
    NS_LOG_FUNCTION(this << header.tag << header.block << fault);
    EventId deadline = slot.deadline;
    deadline.Cancel();
    ++m_nSpoilt;
    const std::string cause =
        fault == APART ? "its bursts arrive too far from each other" : "a burst is missing or late";
    NS_LOG_LOGIC(SlotTable::Describe(header) << " is spoilt and will be repeated: " << cause);
    m_spoiltTrace(header.tag, header.block, fault);
    NS_ABORT_MSG_IF(header.sequence >= m_mostRepeats,
                    "After " << header.sequence + 1 << " attempts " << SlotTable::Describe(header)
                             << " is still spoilt, as " << cause << " for a GuardTime of "
                             << m_guardTime.GetNanoSeconds()
                             << " ns: enable Ranging, reduce RangingError or increase GuardTime; "
                             << "if bursts are corrupt, reduce errors, or increase MostRepeats");
    // The servers hear of the fault over their fibres
    for (uint32_t port = 0; port < m_servers.size(); ++port)
    {
        const Time delay = GetPortDelay(port);
        NoteBusy(delay);
        Tell(port, delay, &Server::Repeat, slot.burst);
    }
}

void
InNetworkChannel::Tell(uint32_t port,
                       Time delay,
                       Order order,
                       const std::shared_ptr<const SlotBurst>& burst)
{
    Simulator::ScheduleWithContext(GetPort(port)->GetNodeId(), delay, [this, port, order, burst] {
        // The server may be gone by then
        if (port < m_servers.size() && m_servers[port])
        {
            (m_servers[port]->*order)(*burst);
        }
    });
}

} // namespace lightpath
} // namespace ns3
