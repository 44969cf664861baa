/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-transport.h"

#include "ns3/abort.h"
#include "ns3/rdma-card.h"
#include "ns3/rdma-net-device.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-queue-pair.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RdmaTransport);

TypeId
RdmaTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::RdmaTransport")
                            .SetParent<Transport>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<RdmaTransport>();
    return tid;
}

RdmaTransport::RdmaTransport()
{
}

RdmaTransport::~RdmaTransport()
{
}

void
RdmaTransport::DoDispose()
{
    if (m_shared)
    {
        m_shared->ranks[m_rank] = nullptr;
    }
    m_device = nullptr;
    Transport::DoDispose();
}

std::vector<Ptr<Transport>>
RdmaTransport::MakeAll(const ObjectFactory& factory, const NetDeviceContainer& devices)
{
    const auto shared = std::make_shared<Shared>();
    std::vector<Ptr<Transport>> transports;
    Ptr<RdmaNetwork> network;
    for (uint32_t rank = 0; rank < devices.GetN(); ++rank)
    {
        const auto device = DynamicCast<RdmaNetDevice>(devices.Get(rank));
        NS_ABORT_MSG_UNLESS(device && (rank == 0 || device->GetNetwork() == network),
                            "Device " << rank << " of a training job over RDMA is no card of the "
                                      << "network of the others: give those that RdmaHelper "
                                      << "installed");
        NS_ABORT_MSG_IF(device->HasMessageCallback(),
                        "Another job uses the card of rank " << rank
                                                             << ": give each job cards of its own");
        network = device->GetNetwork();
        const auto transport = factory.Create<RdmaTransport>();
        transport->m_device = device;
        transport->m_rank = rank;
        transport->m_shared = shared;
        shared->ranks.push_back(PeekPointer(transport));
        shared->ports.push_back(device->GetPort());
        shared->byPort.resize(network->GetNDevices());
        shared->byPort[device->GetPort()] = rank;
        device->SetMessageCallback(
            [raw = PeekPointer(transport)](uint32_t port, uint64_t id, uint64_t) {
                raw->Take(port, id);
            });
        transports.push_back(transport);
    }
    network->AddFailureCallback([shared](const std::string& sentence) {
        for (RdmaTransport* const each : shared->ranks)
        {
            if (each)
            {
                each->Fail(sentence);
                return;
            }
        }
    });
    return transports;
}

void
RdmaTransport::Send(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    TraceSend(rank, tag, bytes);
    SendRest(rank, {tag, bytes, bytes});
}

void
RdmaTransport::SendRest(uint32_t rank, const MessagePiece& rest)
{
    if (m_free.empty())
    {
        m_free.push_back(m_pieces.size());
        m_pieces.emplace_back();
    }
    const uint64_t id = m_free.back();
    m_free.pop_back();
    m_pieces[id] = rest;
    m_device->Post(m_shared->ports[rank], id, rest.bytes);
}

void
RdmaTransport::Take(uint32_t port, uint64_t id)
{
    const uint32_t rank = m_shared->byPort[port];
    RdmaTransport* const sender = m_shared->ranks[rank];
    if (!sender)
    {
        return;
    }
    const MessagePiece piece = sender->m_pieces[id];
    sender->m_free.push_back(id);
    ReceivePart(rank, piece.tag, piece.size, piece.bytes);
}

uint64_t
RdmaTransport::GetSentBytes() const
{
    return m_device->GetSentBytes();
}

bool
RdmaTransport::IsMoving() const
{
    return m_device->GetNetwork()->IsMoving();
}

std::string
RdmaTransport::Describe() const
{
    std::size_t waiting = 0;
    for (const auto& each : m_device->GetNetwork()->GetCard(m_device->GetPort()).GetPairs())
    {
        waiting += each.second->GetWaiting();
    }
    return waiting == 0 ? "" : std::to_string(waiting) + " messages are not acknowledged";
}

bool
RdmaTransport::WaitsForCircuits() const
{
    return false;
}

bool
RdmaTransport::UsesCircuits(uint64_t) const
{
    return false;
}

TransportStatistics
RdmaTransport::GetStatistics() const
{
    TransportStatistics statistics;
    // The counts are those of the network
    if (m_rank == 0 && m_device)
    {
        const auto& counts = m_device->GetNetwork()->GetCounts();
        statistics.rdmaFrames = counts.frames;
        statistics.rdmaMarks = counts.marks;
        statistics.rdmaPauses = counts.pauses;
        statistics.rdmaDrops = counts.drops;
        statistics.rdmaSkipped = counts.skipped;
        statistics.rdmaResent = counts.resent;
        statistics.rdmaEvents = m_device->GetNetwork()->GetEvents();
    }
    return statistics;
}

} // namespace lightpath
} // namespace ns3
