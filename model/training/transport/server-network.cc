/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-network.h"

#include "circuit-transport.h"
#include "model/base/wire-format.h"
#include "model/training/run/job-ledger.h"
#include "server-transport.h"

#include "ns3/abort.h"
#include "ns3/crossbar-channel.h"
#include "ns3/log.h"
#include "ns3/message-tag.h"
#include "ns3/optical-net-device.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("ServerNetwork");

NS_OBJECT_ENSURE_REGISTERED(ServerNetwork);

TypeId
ServerNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::ServerNetwork")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<ServerNetwork>()
            .AddAttribute("RelayedParts",
                          "The most parts that a message is cut into if it takes several networks "
                          "one after the other; parts have 9000 bytes or more.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&ServerNetwork::m_relayedParts),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

ServerNetwork::ServerNetwork()
{
    NS_LOG_FUNCTION(this);
}

ServerNetwork::~ServerNetwork()
{
    NS_LOG_FUNCTION(this);
}

void
ServerNetwork::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const ServerRail& rail : m_rails)
    {
        if (rail.channel)
        {
            rail.channel->TraceDisconnectWithoutContext(
                "Fault",
                MakeCallback(&ServerNetwork::NotifyFault, this));
        }
        for (const auto& transport : rail.transports)
        {
            transport->Dispose();
        }
    }
    for (const auto& transport : m_inside)
    {
        transport->Dispose();
    }
    m_rails.clear();
    m_ways = ServerWays();
    m_inside.clear();
    m_fronts.clear();
    m_ledger = nullptr;
    Object::DoDispose();
}

void
ServerNetwork::SetUp(const ServerLayout& layout,
                     std::vector<Ptr<Transport>> inside,
                     std::vector<ServerRail> rails)
{
    NS_LOG_FUNCTION(this << inside.size() << rails.size());
    const auto places = static_cast<uint32_t>(inside.size());
    NS_ABORT_MSG_IF(rails.size() != layout.GetNRails() &&
                        !(rails.empty() && layout.GetNServers(places) == 1),
                    "Servers with " << layout.GetNRails() << " rails are given " << rails.size()
                                    << " fabrics: give one for each rail");
    m_layout = layout;
    m_inside = std::move(inside);
    m_reducedBytes.resize(places);
    m_rails = std::move(rails);
    // One callback for all transports stays in caches
    const Transport::PartCallback take(
        [this](uint32_t, uint64_t tag, uint64_t, uint64_t bytes) { Receive(tag, bytes); });
    for (uint32_t place = 0; place < places; ++place)
    {
        const auto front = CreateObject<ServerTransport>();
        front->SetUp(this, place);
        m_fronts.push_back(front);
        Connect(m_inside[place], std::nullopt, take);
    }
    std::vector<ServerWays::Rail> ways;
    for (uint32_t rail = 0; rail < m_rails.size(); ++rail)
    {
        const auto& [channel, transports] = m_rails[rail];
        NS_ABORT_MSG_IF(transports.size() != layout.GetNPorts(places),
                        "Rail " << rail << " has " << transports.size() << " ports where "
                                << layout.GetNPorts(places) << " are needed for " << places
                                << " GPUs");
        for (uint32_t port = 0; port < transports.size(); ++port)
        {
            Connect(transports[port], RailPort{rail, port}, take);
        }
        ways.push_back({channel, !transports.front()->WaitsForCircuits()});
        if (channel)
        {
            channel->TraceConnectWithoutContext("Fault",
                                                MakeCallback(&ServerNetwork::NotifyFault, this));
        }
    }
    m_ways.SetUp(layout, places, std::move(ways));
    ListenToOthers();
}

void
ServerNetwork::Connect(const Ptr<Transport>& transport,
                       std::optional<RailPort> port,
                       const Transport::PartCallback& take)
{
    // A port receives averages from itself
    transport->SetReceiveCallback([this, port](uint32_t source, uint64_t tag, uint64_t bytes) {
        port && port->second == source ? TakeAverage(*port, tag, bytes) : Receive(tag, bytes);
    });
    transport->SetPartCallback(take);
    transport->SetFailureCallback(MakeCallback(&ServerNetwork::Fail, this));
}

Ptr<Transport>
ServerNetwork::GetTransport(uint32_t place) const
{
    return m_fronts.at(place);
}

Ptr<const Transport>
ServerNetwork::GetInside(uint32_t place) const
{
    return m_inside[place];
}

Ptr<const Transport>
ServerNetwork::GetOutside(uint32_t place) const
{
    return m_rails.empty() ? nullptr
                           : m_rails[m_layout.GetRail(place)].transports[m_layout.GetPort(place)];
}

bool
ServerNetwork::OwnsCard(uint32_t place) const
{
    return m_layout.GetIndex(place) % m_layout.portGpus == 0;
}

uint64_t
ServerNetwork::GetInsideBytes() const
{
    uint64_t bytes = 0;
    for (uint32_t place = 0; place < m_inside.size(); ++place)
    {
        bytes += GetInsideBytes(place);
    }
    return bytes;
}

uint64_t
ServerNetwork::GetInsideBytes(uint32_t place) const
{
    return m_reducedBytes[place] + m_inside[place]->GetSentBytes();
}

std::string
ServerNetwork::DescribeCard(uint32_t place) const
{
    const auto outside = GetOutside(place);
    if (!outside || !OwnsCard(place))
    {
        return "";
    }
    const auto circuits = DynamicCast<const CircuitTransport>(outside);
    if (!circuits)
    {
        return outside->Describe();
    }
    std::ostringstream clause;
    std::vector<std::pair<uint32_t, uint64_t>> backlog;
    circuits->GetDevice()->GetBacklog(backlog);
    for (const auto& [peer, bytes] : backlog)
    {
        clause << (clause.tellp() > 0 ? ", " : "") << bytes << " bytes wait at port "
               << m_layout.GetPort(place);
        if (m_rails.size() > 1)
        {
            clause << " of rail " << m_layout.GetRail(place);
        }
        clause << " for a lightpath to port " << peer;
    }
    return clause.str();
}

void
ServerNetwork::SetLedger(JobLedger* ledger)
{
    m_ledger = ledger;
}

void
ServerNetwork::Fail(const std::string& sentence)
{
    NS_LOG_FUNCTION(this << sentence);
    // One sentence is enough, where a failure leaves many messages without a way
    if (!m_hasFailed)
    {
        m_hasFailed = true;
        m_fronts.front()->Report(sentence);
    }
}

uint64_t
ServerNetwork::Open(const Letter& letter)
{
    if (m_free.empty())
    {
        m_letters.push_back(letter);
        return m_letters.size() - 1;
    }
    const uint64_t number = m_free.back();
    m_free.pop_back();
    m_letters[number] = letter;
    return number;
}

void
ServerNetwork::SetComputed(uint32_t place, bool isComputed)
{
    m_inside[place]->SetComputed(isComputed);
}

void
ServerNetwork::Send(uint32_t source, uint32_t destination, uint64_t tag, uint64_t bytes)
{
    Dispatch({source, destination, tag, bytes, bytes, 0, {}}, source);
}

void
ServerNetwork::Dispatch(Letter letter, uint32_t at)
{
    if (m_layout.AreInside(at, letter.destination))
    {
        Forward(letter, at);
        return;
    }
    const std::string refusal = m_ways.Choose(at, letter.destination, letter.way);
    if (!refusal.empty())
    {
        Fail(refusal);
        return;
    }
    NS_LOG_LOGIC("GPU " << at << ": " << letter.bytes << " bytes for GPU " << letter.destination
                        << " go out at GPU " << letter.way.relay << " and come in at GPU "
                        << letter.way.exit);
    if (letter.way.relay == at && letter.way.exit == letter.destination)
    {
        Forward(letter, at);
        return;
    }
    // A message that takes several networks would be late as a whole
    const uint64_t most = std::max(letter.bytes / m_relayedParts + 1, FORWARDED_PART_BYTES);
    for (uint64_t left = letter.bytes; left > 0; left -= letter.bytes)
    {
        letter.bytes = std::min(left, most);
        Forward(letter, at);
    }
}

void
ServerNetwork::Forward(const Letter& letter, uint32_t at)
{
    Letter next = letter;
    next.left = letter.bytes;
    const bool isThere = m_layout.AreInside(at, letter.destination);
    next.isInside = isThere || letter.way.relay != at;
    if (next.isInside)
    {
        if (!m_ways.IsInsideUp(m_layout.GetServer(at)))
        {
            FailInside(letter, at);
            return;
        }
        next.next = isThere ? letter.destination : letter.way.relay;
        m_inside[at]->Send(m_layout.GetIndex(next.next), Open(next), letter.bytes);
        return;
    }
    Transport& outside =
        *PeekPointer(m_rails[m_layout.GetRail(at)].transports[m_layout.GetPort(at)]);
    if (m_ledger && !letter.isCounted && MessageTag::IsCollective(letter.tag) &&
        outside.UsesCircuits(letter.size))
    {
        m_ledger->SubtractRelayed(letter.source, letter.destination, letter.bytes);
    }
    next.isCounted = true;
    next.next = letter.way.exit;
    outside.Send(m_layout.GetPort(letter.way.exit),
                 IsHere(next.next) ? Open(next) : Announce(next),
                 letter.bytes);
}

void
ServerNetwork::FailInside(const Letter& letter, uint32_t at)
{
    Fail("Messages of GPU " + std::to_string(letter.source) + " to GPU " +
         std::to_string(letter.destination) + " cannot be sent: the scale-up network of server " +
         std::to_string(m_layout.GetServer(at)) +
         " has failed; mend it, or use a plan that leaves out the server");
}

void
ServerNetwork::Receive(uint64_t number, uint64_t bytes)
{
    Letter& letter = Find(number);
    NS_ASSERT_MSG(bytes <= letter.left, "more of a letter arrives than was sent");
    letter.left -= bytes;
    if (letter.left == 0)
    {
        const Letter whole = letter;
        Close(number);
        Arrive(whole);
    }
}

void
ServerNetwork::Arrive(const Letter& letter)
{
    const uint32_t at = letter.next;
    if (at == letter.destination)
    {
        m_fronts[at]->Take(letter.source, letter.tag, letter.size, letter.bytes);
    }
    else if (m_layout.AreInside(at, letter.destination) ||
             m_ways.IsUsable(letter.way.relay, letter.way.exit))
    {
        Forward(letter, at);
    }
    else
    {
        Dispatch(letter, at);
    }
}

void
ServerNetwork::AverageInside(uint32_t place, uint64_t tag, uint64_t bytes)
{
    const auto device = DynamicCast<CircuitTransport>(m_inside[place])->GetDevice();
    const auto fabric = DynamicCast<CrossbarChannel>(device->GetChannel());
    const uint32_t server = m_layout.GetServer(place);
    if (!fabric || !fabric->Reduces() || !m_ways.IsInsideUp(server))
    {
        Fail("The switch of server " + std::to_string(server) + " is asked for an average of " +
             std::to_string(bytes) + " bytes, but it " +
             (m_ways.IsInsideUp(server) ? "does not reduce" : "has failed") +
             ": use servers whose switch does, or another algorithm inside than in-network");
        return;
    }
    // As a message, it has the headers of one frame
    const uint64_t size = bytes + FRAME_HEADER_BYTES;
    m_reducedBytes[place] += size;
    fabric->Reduce(m_layout.GetIndex(place), tag, size, Callback<void>([this, place, tag, bytes]() {
                       m_fronts[place]->Take(place, tag, bytes, bytes);
                   }));
}

void
ServerNetwork::Average(uint32_t place, uint64_t tag, uint64_t bytes)
{
    const uint32_t rail = m_layout.GetRail(place);
    if (m_rails.empty() || !m_ways.IsCardUp(place))
    {
        Fail("GPU " + std::to_string(place) + " has " + std::to_string(bytes) +
             " bytes to be averaged between servers, but " +
             (m_rails.empty() ? "there is one server only"
                              : "its card or the fabric that it is on has failed") +
             ": use another algorithm than in-network");
        return;
    }
    const auto& transports = m_rails[rail].transports;
    const uint32_t gpu = m_layout.GetIndex(place) % m_layout.portGpus;
    const auto ports = static_cast<uint32_t>(transports.size());
    transports[m_layout.GetPort(place)]->Average(
        m_layout.portGpus > 1 ? m_averages.GetNumber(rail, tag, gpu, ports) : tag,
        bytes);
}

void
ServerNetwork::TakeAverage(RailPort port, uint64_t tag, uint64_t bytes)
{
    const auto [ofPlace, gpu] =
        m_layout.portGpus > 1 ? m_averages.Take(tag) : std::pair<uint64_t, uint32_t>(tag, 0);
    const uint32_t place = m_layout.GetFirstPlace(port.first, port.second) + gpu;
    m_fronts[place]->Take(place, ofPlace, bytes, bytes);
}

void
ServerNetwork::SetFailed(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    m_ways.SetFailed(component, failed);
    Reroute();
}

void
ServerNetwork::NotifyFault(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    Reroute();
}

void
ServerNetwork::Reroute()
{
    const auto stuck =
        std::find_if(m_letters.begin(), m_letters.end(), [this](const Letter& letter) {
            return letter.left > 0 && letter.isInside &&
                   !m_ways.IsInsideUp(m_layout.GetServer(letter.next));
        });
    if (stuck != m_letters.end())
    {
        FailInside(*stuck, stuck->next);
    }
    std::vector<std::pair<uint32_t, uint64_t>> backlog;
    for (uint32_t rail = 0; rail < m_rails.size(); ++rail)
    {
        for (uint32_t port = 0; port < m_rails[rail].transports.size(); ++port)
        {
            // Sockets keep what they have been given
            const auto circuits = DynamicCast<CircuitTransport>(m_rails[rail].transports[port]);
            if (!circuits)
            {
                continue;
            }
            circuits->GetDevice()->GetBacklog(backlog);
            for (const auto& entry : backlog)
            {
                if (!m_ways.IsUsable(m_layout.GetFirstPlace(rail, port),
                                     m_layout.GetFirstPlace(rail, entry.first)))
                {
                    Withdraw(*PeekPointer(circuits), entry.first);
                }
            }
        }
    }
}

void
ServerNetwork::Withdraw(CircuitTransport& transport, uint32_t peer)
{
    for (const MessagePiece& rest : transport.Withdraw(peer, 0))
    {
        Letter& letter = m_letters[rest.tag];
        Letter other = letter;
        other.bytes = rest.bytes;
        // The beginning may have arrived, or be about to
        letter.left -= rest.bytes;
        letter.bytes -= rest.bytes;
        if (letter.left == 0)
        {
            const Letter beginning = letter;
            Close(rest.tag);
            if (beginning.bytes > 0)
            {
                Arrive(beginning);
            }
        }
        Dispatch(other, other.way.relay);
    }
}

} // namespace lightpath
} // namespace ns3
