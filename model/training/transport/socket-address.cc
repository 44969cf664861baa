/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "socket-address.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"

#include <sstream>

namespace ns3
{
namespace lightpath
{

Address
SocketAddress::Make(const Address& address, uint16_t port)
{
    if (Ipv4Address::IsMatchingType(address))
    {
        return InetSocketAddress(Ipv4Address::ConvertFrom(address), port);
    }
    if (Ipv6Address::IsMatchingType(address))
    {
        return Inet6SocketAddress(Ipv6Address::ConvertFrom(address), port);
    }
    return Address();
}

std::string
SocketAddress::GetText(const Address& address)
{
    std::ostringstream text;
    if (InetSocketAddress::IsMatchingType(address))
    {
        const auto inet = InetSocketAddress::ConvertFrom(address);
        text << inet.GetIpv4() << " port " << inet.GetPort();
    }
    else if (Inet6SocketAddress::IsMatchingType(address))
    {
        const auto inet = Inet6SocketAddress::ConvertFrom(address);
        text << inet.GetIpv6() << " port " << inet.GetPort();
    }
    else
    {
        text << address;
    }
    return text.str();
}

Address
SocketAddress::GetAny(const Address& address)
{
    if (InetSocketAddress::IsMatchingType(address))
    {
        return InetSocketAddress(Ipv4Address::GetAny(),
                                 InetSocketAddress::ConvertFrom(address).GetPort());
    }
    if (Inet6SocketAddress::IsMatchingType(address))
    {
        return Inet6SocketAddress(Ipv6Address::GetAny(),
                                  Inet6SocketAddress::ConvertFrom(address).GetPort());
    }
    return address;
}

} // namespace lightpath
} // namespace ns3
