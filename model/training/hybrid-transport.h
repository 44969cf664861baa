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
 * * one of at most SmallMessage bytes goes electrically, as Helios (Farrington et al., SIGCOMM
 * 2010) and c-Through (Wang et al., SIGCOMM 2010) leave what is not bulk to packet switches;
 * * one of at least BulkMessage bytes goes optically, however long it waits for a lightpath;
 * * any other goes optically if the fabric has a lightpath to the rank, be it dark for the moment.
 *   If there is none it waits for one, and goes electrically with all others for the rank if none
 *   has come in the WaitLimit. So does what is left of one whose lightpath is taken away.
 *
 * A fabric that is no OpticalChannel has a path to every rank. Messages with the same tag keep
 * their order only if they go the same way.
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
     * @param electrical carries them over the network beside it
     */
    void SetUp(Ptr<CircuitTransport> optical, Ptr<Transport> electrical);

    void Send(uint32_t rank, uint64_t tag, uint64_t bytes) override;
    uint64_t GetSentBytes() const override;
    bool IsMoving() const override;
    std::string Describe() const override;
    bool WaitsForCircuits() const override;
    TransportStatistics GetStatistics() const override;

  protected:
    void DoDispose() override;

  private:
    /**
     * @param rank a rank
     * @return whether the fabric has a lightpath to it, dark or not
     */
    bool HasLightpath(uint32_t rank) const;

    /**
     * Hear that a lightpath has gone dark.
     *
     * @param rank the rank that it led to
     */
    void NotifyDown(uint32_t rank);

    /**
     * Hear that a frame is to be sent again, maybe on a lightpath that has ceased.
     *
     * @param rank the rank that it is for
     */
    void NotifyAgain(uint32_t rank);

    /**
     * Hear that circuits have been switched, maybe away from messages that wait.
     *
     * @param plan the circuits
     */
    void NotifyLight(const CircuitPlan& plan);

    /**
     * Wait for a lightpath, unless that is done already.
     *
     * @param rank the rank that it is to lead to
     */
    void Wait(uint32_t rank);

    /**
     * End waiting: without a lightpath, messages go electrically.
     *
     * @param rank the rank that they are for
     */
    void EndWait(uint32_t rank);

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
    uint64_t m_smallMessage;             //!< Bytes of a message that goes electrically, at most
    uint64_t m_bulkMessage;              //!< Bytes of one that waits, at least; 0 for none
    Time m_waitLimit;                    //!< How long messages wait for a lightpath
    std::map<uint32_t, EventId> m_waits; //!< Ends of waiting, by rank
    TransportStatistics m_statistics;    //!< What went which way
};

} // namespace lightpath
} // namespace ns3

#endif /* HYBRID_TRANSPORT_H */
