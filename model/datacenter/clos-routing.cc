/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clos-routing.h"

#include "ns3/ipv4-header.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/packet.h"

#include <array>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("ClosRouting");

NS_OBJECT_ENSURE_REGISTERED(ClosRouting);

namespace
{

/// The address before that of the first host: 10.0.0.0.
constexpr uint32_t BASE = 10U << 24;

/**
 * Spread numbers evenly: the finalizer of the generator SplitMix64 by G. L. Steele, D. Lea and
 * C. H. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
 *
 * @param value a number
 * @return another, of which each bit depends on all bits of the first
 */
uint64_t
Mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

} // namespace

TypeId
ClosRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::ClosRouting")
                            .SetParent<Ipv4RoutingProtocol>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<ClosRouting>();
    return tid;
}

void
ClosRouting::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_ipv4 = nullptr;
    m_routes.clear();
    Ipv4RoutingProtocol::DoDispose();
}

Ipv4Address
ClosRouting::GetAddress(uint32_t host)
{
    return Ipv4Address(BASE + 1 + host);
}

uint32_t
ClosRouting::GetHost(Ipv4Address address)
{
    return address.Get() - BASE - 1;
}

void
ClosRouting::SetHost(uint32_t host)
{
    m_isHost = true;
    m_address = GetAddress(host);
}

bool
ClosRouting::IsHost() const
{
    return m_isHost;
}

void
ClosRouting::AddDown(uint32_t firstHost,
                     uint32_t hostsPerPort,
                     uint32_t nPorts,
                     uint32_t firstInterface)
{
    NS_LOG_FUNCTION(this << firstHost << hostsPerPort << nPorts << firstInterface);
    m_down.push_back({firstHost, hostsPerPort, hostsPerPort * nPorts, firstInterface});
}

void
ClosRouting::SetUp(uint32_t firstInterface, uint32_t nPorts)
{
    NS_LOG_FUNCTION(this << firstInterface << nPorts);
    m_firstUp = firstInterface;
    m_nUp = nPorts;
}

void
ClosRouting::SetSeed(uint64_t seed)
{
    m_seed = seed;
}

uint64_t
ClosRouting::GetHash(const Ipv4Header& header, const Ptr<const Packet>& packet) const
{
    constexpr uint8_t tcp = 6;
    constexpr uint8_t udp = 17;
    const uint8_t protocol = header.GetProtocol();
    // Fragments have no transport header of their own: all of a packet must take one path
    uint32_t ports = 0;
    if (packet && (protocol == tcp || protocol == udp) && header.GetFragmentOffset() == 0 &&
        header.IsLastFragment())
    {
        std::array<uint8_t, 4> bytes{{}};
        packet->CopyData(bytes.data(), bytes.size());
        for (const uint8_t byte : bytes)
        {
            ports = ports << 8 | byte;
        }
    }
    const uint64_t addresses =
        static_cast<uint64_t>(header.GetSource().Get()) << 32 | header.GetDestination().Get();
    return Mix(Mix(Mix(addresses) ^ ports ^ static_cast<uint64_t>(protocol) << 32) ^ m_seed);
}

Ptr<Ipv4Route>
ClosRouting::GetRoute(uint32_t interface)
{
    if (interface >= m_routes.size())
    {
        m_routes.resize(m_ipv4->GetNInterfaces());
    }
    auto& route = m_routes[interface];
    if (!route)
    {
        route = Create<Ipv4Route>();
        route->SetOutputDevice(m_ipv4->GetNetDevice(interface));
        route->SetSource(m_address);
        // The packet goes straight to its destination, as far as the link is concerned
        route->SetGateway(Ipv4Address::GetAny());
    }
    return route;
}

Ptr<Ipv4Route>
ClosRouting::FindRoute(const Ipv4Header& header, const Ptr<const Packet>& packet)
{
    const uint32_t host = GetHost(header.GetDestination());
    for (const Down& down : m_down)
    {
        // Below the first host, the difference is a very large number
        const uint32_t index = host - down.firstHost;
        if (index < down.nHosts)
        {
            const uint32_t interface = down.firstInterface + index / down.hostsPerPort;
            NS_LOG_LOGIC("To host " << host << " down by interface " << interface);
            return GetRoute(interface);
        }
    }
    if (m_nUp == 0)
    {
        NS_LOG_LOGIC("No way to host " << host);
        return nullptr;
    }
    // The upper half of the hash, scaled to the ports without a division
    const uint32_t port =
        m_nUp > 1 ? static_cast<uint32_t>((GetHash(header, packet) >> 32) * m_nUp >> 32) : 0;
    NS_LOG_LOGIC("To host " << host << " up by interface " << m_firstUp + port);
    return GetRoute(m_firstUp + port);
}

Ptr<Ipv4Route>
ClosRouting::RouteOutput(Ptr<Packet> p,
                         const Ipv4Header& header,
                         Ptr<NetDevice> oif,
                         Socket::SocketErrno& sockerr)
{
    if (header.GetDestination() == m_address || header.GetDestination().IsLocalhost())
    {
        sockerr = Socket::ERROR_NOTERROR;
        return GetRoute(0);
    }
    const auto route = header.GetDestination().IsMulticast() ? nullptr : FindRoute(header, p);
    sockerr = route ? Socket::ERROR_NOTERROR : Socket::ERROR_NOROUTETOHOST;
    return route;
}

bool
ClosRouting::RouteInput(Ptr<const Packet> p,
                        const Ipv4Header& header,
                        Ptr<const NetDevice> idev,
                        InputArgument<3> ucb,
                        InputArgument<4> mcb,
                        InputArgument<5> lcb,
                        InputArgument<6> ecb)
{
    if (m_isHost)
    {
        // A host forwards nothing
        const bool isOwn =
            header.GetDestination() == m_address || header.GetDestination().IsLocalhost();
        if (isOwn)
        {
            lcb(p, header, m_ipv4->GetInterfaceForDevice(idev));
        }
        return isOwn;
    }
    const auto route = header.GetDestination().IsMulticast() ? nullptr : FindRoute(header, p);
    if (route)
    {
        ucb(route, p, header);
    }
    return route != nullptr;
}

void
ClosRouting::NotifyInterfaceUp(uint32_t interface)
{
}

void
ClosRouting::NotifyInterfaceDown(uint32_t interface)
{
}

void
ClosRouting::NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
}

void
ClosRouting::NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
}

void
ClosRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    NS_LOG_FUNCTION(this << ipv4);
    m_ipv4 = ipv4;
}

void
ClosRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const
{
    std::ostream& os = *stream->GetStream();
    for (const Down& down : m_down)
    {
        for (uint32_t host = 0; host < down.nHosts; host += down.hostsPerPort)
        {
            os << GetAddress(down.firstHost + host) << " and the next " << down.hostsPerPort - 1
               << ": interface " << down.firstInterface + host / down.hostsPerPort << "\n";
        }
    }
    if (m_nUp > 0)
    {
        os << "others: interfaces " << m_firstUp << " to " << m_firstUp + m_nUp - 1
           << ", by the hash of the flow\n";
    }
}

} // namespace lightpath
} // namespace ns3
