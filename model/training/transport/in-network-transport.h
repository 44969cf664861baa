/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IN_NETWORK_TRANSPORT_H
#define IN_NETWORK_TRANSPORT_H

#include "model/fabric/averaging-client.h"
#include "transport.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Has the messages of all ranks averaged by the network (InNetworkChannel).
 *
 * The network carries nothing else: Send() ends the program.
 */
class InNetworkTransport : public Transport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InNetworkTransport();
    ~InNetworkTransport() override;

    void SetDevice(Ptr<OpticalNetDevice> device) override;

    void Send(uint32_t rank, uint64_t tag, uint64_t bytes) override;
    void Average(uint64_t tag, uint64_t bytes) override;
    uint64_t GetSentBytes() const override;
    bool IsMoving() const override;
    std::string Describe() const override;

  protected:
    void DoDispose() override;

  private:
    /**
     * Deliver an average that has come back.
     *
     * @param tag the tag of the message
     * @param bytes its size in bytes
     */
    void Receive(uint64_t tag, uint64_t bytes);

    Ptr<AveragingClient> m_client; //!< Sends and receives
    uint32_t m_rank{0};            //!< The rank
    uint64_t m_frameSize;          //!< Bytes of a frame, zero for a burst
};

} // namespace lightpath
} // namespace ns3

#endif /* IN_NETWORK_TRANSPORT_H */
