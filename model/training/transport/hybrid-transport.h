/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HYBRID_TRANSPORT_H
#define HYBRID_TRANSPORT_H

#include "transport.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{
namespace lightpath
{

class CircuitPlan;
class CircuitTransport;
class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief Carries messages over an optical fabric or over an electrical network beside it.
 *
 * Each message takes one of the two:
 * * a message of at most SmallMessage bytes goes electrically, as Helios (Farrington et al.,
 *   SIGCOMM 2010) and c-Through (Wang et al., SIGCOMM 2010) leave small traffic to packet switches;
 * * a message of at least BulkMessage bytes goes optically, however long it waits for a lightpath;
 * * any other message goes optically if the fabric has a lightpath to the rank, even if it is dark
 *   at the moment. Without one, it waits for the WaitLimit; if no lightpath comes, it goes
 *   electrically with all other messages that wait for the rank. The same holds for the remainder
 *   of a message whose lightpath is taken away.
 *
 * A fabric that is not an OpticalChannel has a path to every rank. The fabric may join some of the
 * ranks only, a region; messages for all others go electrically. Messages with the same tag keep
 * their order only if they take the same way.
 */
class HybridTransport : public Transport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    HybridTransport();
    ~HybridTransport() override;

    /**
     * @param optical carries messages over the optical fabric; its device is set
     * @param electrical carries messages over the network beside it
     * @param first the rank at port 0 of the fabric, whose ports are successive ranks
     */
    void SetUp(Ptr<CircuitTransport> optical, Ptr<Transport> electrical, uint32_t first = 0);

    void Send(uint32_t rank, uint64_t tag, uint64_t bytes) override;
    uint64_t GetSentBytes() const override;
    Time GetSetUpTime() const override;
    bool IsMoving() const override;
    Time GetDarkTime() const override;
    std::string Describe() const override;
    bool WaitsForCircuits() const override;
    bool UsesCircuits(uint64_t bytes) const override;
    TransportStatistics GetStatistics() const override;

  protected:
    void DoDispose() override;

  private:
    /**
     * @param rank a rank
     * @return true if the fabric joins it
     */
    bool IsInRegion(uint32_t rank) const;

    /**
     * @param port a port of the fabric
     * @return true if the fabric has a lightpath to it, dark or not
     */
    bool HasLightpath(uint32_t port) const;

    /**
     * Wait for a lightpath in place of one that has gone dark, if messages need it.
     *
     * @param port the port that it led to
     */
    void NotifyDown(uint32_t port);

    /**
     * Wait for a lightpath if a frame to send again has none.
     *
     * @param port the port that it is for
     */
    void NotifyAgain(uint32_t port);

    /**
     * Take a message from the fabric.
     *
     * @param port the port of its sender
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void TakeMessage(uint32_t port, uint64_t tag, uint64_t bytes);

    /**
     * Take a part of a message from the fabric.
     *
     * @param port the port of its sender
     * @param tag its tag
     * @param size the size of the message in bytes
     * @param bytes the size of the part in bytes
     */
    void TakePart(uint32_t port, uint64_t tag, uint64_t size, uint64_t bytes);

    /**
     * Wait for new lightpaths if circuits have been switched away from waiting messages.
     *
     * @param plan the circuits
     */
    void NotifyLight(const CircuitPlan& plan);

    /**
     * Begin to wait for a lightpath, unless the transport waits already.
     *
     * @param port the port that it is to lead to
     */
    void Wait(uint32_t port);

    /**
     * End the wait: without a lightpath, the messages go electrically.
     *
     * @param port the port that they are for
     */
    void EndWait(uint32_t port);

    /**
     * Hand a message to the electrical network.
     *
     * @param rank the rank that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void SendElectrically(uint32_t rank, uint64_t tag, uint64_t bytes);

    Ptr<CircuitTransport> m_optical;     //!< Carries messages over the optical fabric
    Ptr<Transport> m_electrical;         //!< Carries messages over the network beside it
    Ptr<OpticalChannel> m_channel;       //!< Has the lightpaths; null if there are no circuits
    uint32_t m_first{0};                 //!< Rank at port 0 of the fabric
    uint64_t m_smallMessage;             //!< Most bytes of a message that goes electrically
    uint64_t m_bulkMessage;              //!< Least bytes of one that waits; 0 for none
    Time m_waitLimit;                    //!< How long messages wait for a lightpath
    std::map<uint32_t, EventId> m_waits; //!< Ends of waiting, by port
    TransportStatistics m_statistics;    //!< Messages and bytes by way
};

} // namespace lightpath
} // namespace ns3

#endif /* HYBRID_TRANSPORT_H */
