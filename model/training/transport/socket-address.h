/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOCKET_ADDRESS_H
#define SOCKET_ADDRESS_H

#include "ns3/address.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Addresses of IPv4 or IPv6 with a port, whichever of the two they are.
 */
class SocketAddress
{
  public:
    /**
     * @param address an address of IPv4 or IPv6, without a port
     * @param port a port
     * @return the two together; an invalid address if the first is neither of IPv4 nor of IPv6
     */
    static Address Make(const Address& address, uint16_t port);

    /**
     * @param address an address with a port
     * @return the port at any address
     */
    static Address GetAny(const Address& address);

    /**
     * @param address an address with a port
     * @return a text for it
     */
    static std::string GetText(const Address& address);
};

} // namespace lightpath
} // namespace ns3

#endif /* SOCKET_ADDRESS_H */
