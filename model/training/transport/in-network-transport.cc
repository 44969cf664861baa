/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-network-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("InNetworkTransport");

NS_OBJECT_ENSURE_REGISTERED(InNetworkTransport);

TypeId
InNetworkTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::InNetworkTransport")
            .SetParent<Transport>()
            .SetGroupName("Lightpath")
            .AddConstructor<InNetworkTransport>()
            .AddAttribute(
                "FrameSize",
                "The most bytes of a frame after its Ethernet header, each of which takes "
                "a slot; zero sends each message in one burst.",
                UintegerValue(0),
                MakeUintegerAccessor(&InNetworkTransport::m_frameSize),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("Client",
                          "The client that sends tensors and receives their averages.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&InNetworkTransport::m_client),
                          MakePointerChecker<AveragingClient>());
    return tid;
}

InNetworkTransport::InNetworkTransport()
    : m_client(CreateObject<AveragingClient>())
{
    NS_LOG_FUNCTION(this);
}

InNetworkTransport::~InNetworkTransport()
{
    NS_LOG_FUNCTION(this);
}

void
InNetworkTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_client)
    {
        m_client->Dispose();
        m_client = nullptr;
    }
    Transport::DoDispose();
}

void
InNetworkTransport::SetDevice(Ptr<OpticalNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_IF(m_frameSize > 0 && m_frameSize <= InNetworkHeader::SIZE,
                    "A FrameSize of " << m_frameSize << " bytes leaves no room for data: it must "
                                      << "exceed the " << InNetworkHeader::SIZE
                                      << " bytes of the header, or be 0 for bursts");
    if (m_frameSize > 0)
    {
        m_client->SetAttribute("BurstSize", UintegerValue(m_frameSize - InNetworkHeader::SIZE));
    }
    m_client->SetDevice(device);
    m_client->SetAverageCallback(MakeCallback(&InNetworkTransport::Receive, this));
    m_rank = device->GetPort();
}

void
InNetworkTransport::Send(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << rank << tag << bytes);
    NS_ABORT_MSG("A network that averages carries nothing from one rank to another, but rank "
                 << m_rank << " has a message of " << bytes << " bytes for rank " << rank
                 << ": use data parallelism alone, with the collective IN_NETWORK");
}

void
InNetworkTransport::Average(uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << tag << bytes);
    TraceSend(m_rank, tag, bytes);
    NS_LOG_LOGIC("rank " << m_rank << " hands " << bytes << " bytes to the network to average");
    m_client->Send(tag, bytes);
}

void
InNetworkTransport::Receive(uint64_t tag, uint64_t bytes)
{
    NS_LOG_LOGIC("rank " << m_rank << " gets an average of " << bytes << " bytes");
    Deliver(m_rank, tag, bytes);
}

uint64_t
InNetworkTransport::GetSentBytes() const
{
    return m_client->GetSentBytes();
}

bool
InNetworkTransport::IsMoving() const
{
    return m_client->GetChannel()->IsChanging();
}

std::string
InNetworkTransport::Describe() const
{
    // One rank speaks for the network
    return m_rank == 0 ? m_client->GetChannel()->DescribeWaiting() : "";
}

} // namespace lightpath
} // namespace ns3
