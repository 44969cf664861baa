/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_LEDGER_H
#define TRAFFIC_LEDGER_H

#include "traffic-matrix.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The bytes that operations which have begun will still hand over to be sent.
 *
 * An operation adds the bytes of all its pairs when its first member reaches it. Each message
 * subtracts its own as it is handed over; from then on they wait in a device. An entry of a pair
 * stays once there is one, so that neither takes long.
 */
class TrafficLedger
{
  public:
    /**
     * @param ports the number of ports
     */
    explicit TrafficLedger(uint32_t ports);

    /**
     * @param source the port that will send
     * @param destination the port that will receive
     * @param bytes the bytes that an operation will hand over
     */
    void Add(uint32_t source, uint32_t destination, uint64_t bytes);

    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @param bytes the bytes that are handed over, which have been added
     */
    void Subtract(uint32_t source, uint32_t destination, uint64_t bytes);

    /**
     * @param owner who brings the bytes of a job up to date
     * @param update does it; called before the bytes are read. Empty to stop that.
     */
    void SetUpdate(const void* owner, std::function<void()> update);

    /**
     * @param [in,out] demand a demand, to which the bytes are added
     */
    void AddTo(TrafficMatrix& demand) const;

  private:
    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @return the bytes of the pair
     */
    uint64_t& Get(uint32_t source, uint32_t destination);

    /// Bring the bytes up to date, with their owners
    std::vector<std::pair<const void*, std::function<void()>>> m_updates;
    std::vector<TrafficMatrix::Row> m_rows; //!< The bytes by source, also where there are none left
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAFFIC_LEDGER_H */
