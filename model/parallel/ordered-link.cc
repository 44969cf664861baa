/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ordered-link.h"

#include "ordered-arrival.h"
#include "process-group.h"
#include "process-mail.h"

#include "ns3/node.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OrderedLink);

namespace
{

/**
 * @ingroup lightpath
 * @brief The arrival of a packet at the end of a link.
 */
class PacketArrival : public OrderedArrival
{
  public:
    /**
     * @param device the device at the end
     * @param packet the packet
     */
    PacketArrival(const Ptr<PointToPointNetDevice>& device, const Ptr<Packet>& packet)
        : m_device(device),
          m_packet(packet)
    {
    }

    /**
     * Schedule the arrival of a packet.
     *
     * @param device the device at the end
     * @param packet the packet
     * @param delay the time from now until it arrives
     */
    static void Begin(const Ptr<PointToPointNetDevice>& device,
                      const Ptr<Packet>& packet,
                      const Time& delay)
    {
        Schedule(device->GetNode()->GetId(),
                 device->GetIfIndex(),
                 delay,
                 new PacketArrival(device, packet));
    }

  private:
    void Arrive() override
    {
        m_device->Receive(m_packet);
    }

    Ptr<PointToPointNetDevice> m_device; //!< The device at the end
    Ptr<Packet> m_packet;                //!< The packet
};

} // namespace

TypeId
OrderedLink::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::OrderedLink")
                            .SetParent<CutThroughLink>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<OrderedLink>();
    return tid;
}

void
OrderedLink::Listen(const Ptr<PointToPointNetDevice>& device)
{
    ProcessMail::Listen(device,
                        ProcessMail::PACKET,
                        ProcessMail::Reader([end = PeekPointer(device)](const std::string& mail) {
                            PacketArrival::Begin(end, ProcessMail::Read(mail), Time(0));
                        }));
}

bool
OrderedLink::TransmitStart(Ptr<const Packet> packet,
                           Ptr<PointToPointNetDevice> source,
                           Time duration)
{
    const auto device = GetDestination(source == GetSource(0) ? 0 : 1);
    const Time delay = GetWait(*packet, source, duration) + GetDelay();
    if (ProcessGroup::IsHere(device->GetNode()))
    {
        PacketArrival::Begin(device, packet->Copy(), delay);
    }
    else
    {
        ProcessMail::Send(device, ProcessMail::PACKET, delay, ProcessMail::Write(*packet));
    }
    return true;
}

} // namespace lightpath
} // namespace ns3
