/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAR_SWITCH_H
#define STAR_SWITCH_H

#include "ns3/address.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The switch in the middle of a star of point-to-point links: sends each IPv4 packet on by
 * the link of its destination.
 *
 * Host i has the address that is i behind the first one. A packet passes as it is: the switch is no
 * hop of the IPv4 network, has no stack and needs the same time however many hosts there are.
 */
class StarSwitch : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param first the address of host 0
     */
    void SetFirst(Ipv4Address first);

    /**
     * Add the link to the next host.
     *
     * @param device the device of the switch at this link
     */
    void AddHost(Ptr<NetDevice> device);

  protected:
    void DoDispose() override;

  private:
    /**
     * Send a packet on.
     *
     * @param device the device that it has come in by
     * @param packet the packet
     * @param protocol the number of its protocol
     * @param sender the address of the device that sent it
     * @return true if it has been sent
     */
    bool Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& sender);

    uint32_t m_first{0};                   //!< The address of host 0
    std::vector<Ptr<NetDevice>> m_devices; //!< The devices by host
};

} // namespace lightpath
} // namespace ns3

#endif /* STAR_SWITCH_H */
