/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCQCN_H
#define DCQCN_H

#include "rdma-congestion.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief DCQCN: the rate follows notifications of congestion, which answer marked packets.
 *
 * Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, section 4 and
 * table 2; the defaults are those. A notification sets the target rate to the current rate R and
 * reduces R by alpha / 2, where alpha estimates how often packets are marked. Each period of the
 * timer, and each of the byte counter, then moves R halfway to the target, which rises after
 * FastRecovery of them. The step of hyper increase is ten times that of additive increase, as in
 * QCN (IEEE 802.1Qau), since the paper has no number.
 */
class Dcqcn : public RdmaCongestion
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Dcqcn();

    void Begin(const Path& path) override;
    void Update(int64_t now) override;
    void NoteSent(uint64_t bytes) override;
    void NoteCongestion(int64_t now) override;
    Signals GetSignals() const override;
    uint64_t CountSteady(int64_t time, int64_t interval, uint32_t bytes) const override;

  private:
    /// Raise the rate at the end of a period of the timer or the byte counter.
    void Increase();

    double m_gain;               //!< Weight of a notification in alpha
    Time m_alphaPeriod;          //!< Time without one after which alpha falls
    Time m_period;               //!< Period of the timer
    uint64_t m_counterBytes;     //!< Period of the byte counter
    uint32_t m_fastPeriods;      //!< Periods until the target rises
    DataRate m_additive;         //!< Step of the target
    DataRate m_hyper;            //!< Step once both have reached these periods
    DataRate m_least;            //!< Least rate
    Time m_notificationInterval; //!< Least time between notifications of a receiver

    bool m_isReduced{false};    //!< The rate is below that of the card
    double m_target{0};         //!< Target rate, bit/s
    double m_alpha{1};          //!< Estimate of congestion, when last updated
    int64_t m_alphaTime{0};     //!< When that was, ps
    int64_t m_nextPeriod{0};    //!< End of the period of the timer, ps
    uint64_t m_bytes{0};        //!< Bytes of the period of the byte counter
    uint32_t m_timerPeriods{0}; //!< Periods of the timer since the last notification
    uint32_t m_bytePeriods{0};  //!< Periods of the byte counter since then
};

} // namespace lightpath
} // namespace ns3

#endif /* DCQCN_H */
