/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HPCC_H
#define HPCC_H

#include "rdma-congestion.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief HPCC: the window follows what ports write into packets (in-band telemetry).
 *
 * Y. Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019, algorithm 1, whose names the
 * members have. Each port adds the time, the bytes that it has sent and those that wait. The sender
 * computes the bytes in flight of the most loaded link over what it holds, U, and sets its window
 * W = Wc / (U / eta) + W_AI, or Wc + W_AI for MaxStages round trips while U is less than eta.
 * It paces packets by W over the round trip T. This is the one in which a frame waits for another
 * one at each port, as T has to be slightly above the least round trip (there, section 5.1): with
 * that one, a window that cannot exceed what the path holds would not fill it.
 */
class Hpcc : public RdmaCongestion
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Begin(const Path& path) override;
    void NoteAnswer(const Answer& answer) override;
    Signals GetSignals() const override;

  private:
    /**
     * @param telemetry what the ports have written
     */
    void MeasureInFlight(const RdmaTelemetry& telemetry);

    double m_eta;          //!< Share of the rate that links shall have
    uint32_t m_mostStages; //!< Round trips of additive increase in a row
    double m_flows;        //!< Flows that the additive step allows for

    double m_reference{0};    //!< Window of the last round trip (Wc), bytes
    double m_inFlight{1};     //!< Bytes in flight over what the link holds (U)
    uint32_t m_stage{0};      //!< Round trips of additive increase so far
    uint64_t m_lastUpdate{0}; //!< Packet that ends the round trip
    RdmaTelemetry m_last;     //!< What the ports had written before
};

/**
 * @ingroup lightpath
 * @brief A window for sprayed packets that follows their marks and their delay, like the NSCC of
 * the Ultra Ethernet specification 1.0.
 *
 * With a target T for queueing, a packet without a mark and a delay d below T raises the window by
 * the share (1 - d / T) of Gain packets a round trip; one above T by FairIncrease packets. A mark
 * with d below T leaves it; a mark with d, averaged, above T reduces it by Decrease (d - T) / d,
 * at most to a half, once a round trip. The window begins at, and is at most, MostPaths times what
 * the path holds. It leaves out NSCC's quick adaption after losses and its own encoding of them.
 */
class NsccWindow : public RdmaCongestion
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Begin(const Path& path) override;
    void NoteAnswer(const Answer& answer) override;
    void NoteLoss(int64_t now) override;
    Signals GetSignals() const override;

  private:
    double m_targetShare;  //!< Target for queueing over the round trip
    double m_gain;         //!< Most packets that a round trip adds
    double m_fairIncrease; //!< Packets that a round trip adds above the target
    double m_decrease;     //!< Share of the excess by which the window falls
    double m_mostPaths;    //!< Most of the window over what the path holds

    double m_delay{0};         //!< Average of queueing, ps
    int64_t m_lastDecrease{0}; //!< When the window fell last, ps
};

} // namespace lightpath
} // namespace ns3

#endif /* HPCC_H */
