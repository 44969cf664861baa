/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_TRANSPORT_H
#define SERVER_TRANSPORT_H

#include "transport.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

class ServerNetwork;

/**
 * @ingroup lightpath
 * @brief Carries the messages of one GPU of a server, over the networks inside and between servers.
 *
 * Ranks are places of a ServerLayout. The ServerNetwork, which makes this object, does the work.
 */
class ServerTransport : public Transport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ServerTransport();
    ~ServerTransport() override;

    /**
     * @param network carries the messages
     * @param place the GPU
     */
    void SetUp(Ptr<ServerNetwork> network, uint32_t place);

    /**
     * Take a part of a message that has arrived, or all of it.
     *
     * @param source the GPU that sent it
     * @param tag its tag
     * @param size its size in bytes
     * @param bytes the size of the part in bytes
     */
    void Take(uint32_t source, uint64_t tag, uint64_t size, uint64_t bytes);

    /**
     * Report that messages can no longer be carried.
     *
     * @param sentence why
     */
    void Report(const std::string& sentence);

    void Send(uint32_t rank, uint64_t tag, uint64_t bytes) override;
    void Average(uint64_t tag, uint64_t bytes) override;
    void AverageInside(uint64_t tag, uint64_t bytes) override;
    void SetComputed(bool isComputed) override;
    void NoteEvent(Time delay) const override;
    uint64_t GetComputed() const override;
    uint64_t GetSentBytes() const override;
    bool IsMoving() const override;
    std::string Describe() const override;
    bool WaitsForCircuits() const override;
    bool UsesCircuits(uint64_t bytes) const override;
    Time GetSetUpTime() const override;
    Time GetDarkTime() const override;
    std::vector<Time> GetDarkChanges() const override;
    TransportStatistics GetStatistics() const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<ServerNetwork> m_network; //!< Carries the messages
    uint32_t m_place{0};          //!< The GPU
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_TRANSPORT_H */
