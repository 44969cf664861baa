/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOS_ROUTING_H
#define CLOS_ROUTING_H

#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The types of the arguments of a member function.
 *
 * @tparam T the type of a pointer to it
 */
template <typename T>
struct MemberFunction;

/**
 * @ingroup lightpath
 * @brief The types of the arguments of a member function.
 *
 * @tparam R the type that it returns
 * @tparam C its class
 * @tparam A the types of its arguments
 */
template <typename R, typename C, typename... A>
struct MemberFunction<R (C::*)(A...)>
{
    /// The type of one argument.
    template <std::size_t I>
    using Argument = std::tuple_element_t<I, std::tuple<A...>>;
};

/**
 * @ingroup lightpath
 * @brief Routes packets through a folded Clos network (leaf-spine, fat tree) by arithmetic.
 *
 * Hosts are numbered, and host h has the address GetAddress(h). A node has runs of ports that lead
 * down, each to the same number of consecutive hosts. A packet for any other host goes up, by a
 * port that a hash of its flow picks (addresses, protocol and ports of the transport layer), so
 * that the packets of a flow take one path. Each node hashes differently, so that flows that met at
 * one switch part at the next. The work for a packet is constant, and there are no tables. All
 * links are assumed to be up.
 */
class ClosRouting : public Ipv4RoutingProtocol
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param host the number of a host, below 2^24 - 1
     * @return its address
     */
    static Ipv4Address GetAddress(uint32_t host);

    /**
     * @param host the number of the host that this node is
     */
    void SetHost(uint32_t host);

    /**
     * @return whether this node is a host
     */
    bool IsHost() const;

    /**
     * Add a run of ports that lead down; earlier ones come first.
     *
     * @param firstHost the first host below the first port
     * @param hostsPerPort the hosts below each port
     * @param nPorts the number of ports
     * @param firstInterface the interface of the first port; the interfaces of the others follow it
     */
    void AddDown(uint32_t firstHost,
                 uint32_t hostsPerPort,
                 uint32_t nPorts,
                 uint32_t firstInterface);

    /**
     * Set the ports that lead up; none at first.
     *
     * @param firstInterface the interface of the first port; the interfaces of the others follow it
     * @param nPorts the number of ports
     */
    void SetUp(uint32_t firstInterface, uint32_t nPorts);

    /**
     * @param seed a number that decides, with the flow, on the port that a packet goes up by
     */
    void SetSeed(uint64_t seed);

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet> p,
                               const Ipv4Header& header,
                               Ptr<NetDevice> oif,
                               Socket::SocketErrno& sockerr) override;

    /// The types of the callbacks of RouteInput(), which differ between versions of ns-3.
    template <std::size_t I>
    using InputArgument =
        MemberFunction<decltype(&Ipv4RoutingProtocol::RouteInput)>::template Argument<I>;

    /**
     * Route a packet that was received.
     *
     * @param p the packet, without the header of IPv4
     * @param header that header
     * @param idev the device that received it
     * @param ucb takes packets to forward
     * @param mcb takes multicast packets; not used
     * @param lcb takes packets for this node
     * @param ecb takes errors; not used
     * @return whether the packet has a route
     */
    bool RouteInput(Ptr<const Packet> p,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> idev,
                    InputArgument<3> ucb,
                    InputArgument<4> mcb,
                    InputArgument<5> lcb,
                    InputArgument<6> ecb) override;

    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream,
                           Time::Unit unit = Time::S) const override;

  protected:
    void DoDispose() override;

  private:
    /// A run of ports that lead down.
    struct Down
    {
        uint32_t firstHost{0};      //!< First host below the first port
        uint32_t hostsPerPort{1};   //!< Hosts below each port
        uint32_t nHosts{0};         //!< Hosts below all ports
        uint32_t firstInterface{0}; //!< Interface of the first port
    };

    /**
     * @param address the address of a host
     * @return its number; a very large one for other addresses
     */
    static uint32_t GetHost(Ipv4Address address);

    /**
     * @param header the header of a packet
     * @param packet the rest of it, or null
     * @return a number that all packets of its flow have in common
     */
    uint64_t GetHash(const Ipv4Header& header, const Ptr<const Packet>& packet) const;

    /**
     * @param header the header of a packet
     * @param packet the rest of it, or null
     * @return where it goes, null for nowhere
     */
    Ptr<Ipv4Route> FindRoute(const Ipv4Header& header, const Ptr<const Packet>& packet);

    /**
     * @param interface an interface
     * @return the route of all packets that leave by it
     */
    Ptr<Ipv4Route> GetRoute(uint32_t interface);

    Ptr<Ipv4> m_ipv4;                     //!< The IPv4 stack
    bool m_isHost{false};                 //!< Whether this node is a host
    Ipv4Address m_address;                //!< The address of the host
    std::vector<Down> m_down;             //!< The ports that lead down
    uint32_t m_firstUp{0};                //!< Interface of the first port that leads up
    uint32_t m_nUp{0};                    //!< Ports that lead up
    uint64_t m_seed{0};                   //!< Decides on the port up, with the flow
    std::vector<Ptr<Ipv4Route>> m_routes; //!< Routes by interface, null where never used
};

} // namespace lightpath
} // namespace ns3

#endif /* CLOS_ROUTING_H */
