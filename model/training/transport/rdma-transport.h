/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_TRANSPORT_H
#define RDMA_TRANSPORT_H

#include "transport.h"

#include "ns3/net-device-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaNetDevice;

/**
 * @ingroup lightpath
 * @brief Carries messages by the queue pairs of cards for RDMA (RdmaNetDevice).
 */
class RdmaTransport : public Transport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RdmaTransport();
    ~RdmaTransport() override;

    /**
     * Make the transports of a job. Devices that are no cards for RDMA, or that another job uses,
     * end the program.
     *
     * @param factory makes a transport
     * @param devices the card of each rank, of one network
     * @return the transports, in the order of the ranks
     */
    static std::vector<Ptr<Transport>> MakeAll(const ObjectFactory& factory,
                                               const NetDeviceContainer& devices);

    void Send(uint32_t rank, uint64_t tag, uint64_t bytes) override;
    void SendRest(uint32_t rank, const MessagePiece& rest) override;
    uint64_t GetSentBytes() const override;
    bool IsMoving() const override;
    std::string Describe() const override;
    bool WaitsForCircuits() const override;
    bool UsesCircuits(uint64_t bytes) const override;
    TransportStatistics GetStatistics() const override;

  protected:
    void DoDispose() override;

  private:
    /// What the ranks of a job share.
    struct Shared
    {
        std::vector<RdmaTransport*> ranks; //!< Transports by rank, null once disposed
        std::vector<uint32_t> ports;       //!< Ports by rank
        std::vector<uint32_t> byPort;      //!< Ranks by port
    };

    /**
     * Take a piece that has arrived.
     *
     * @param port the port that sent it
     * @param id its place among the pieces of its sender
     */
    void Take(uint32_t port, uint64_t id);

    Ptr<RdmaNetDevice> m_device;        //!< The card
    uint32_t m_rank{0};                 //!< Rank
    std::shared_ptr<Shared> m_shared;   //!< What the ranks of the job share
    std::vector<MessagePiece> m_pieces; //!< Pieces on their way
    std::vector<uint64_t> m_free;       //!< Places that none of them has
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_TRANSPORT_H */
