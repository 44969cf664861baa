/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_LEDGER_H
#define TRAFFIC_LEDGER_H

#include "traffic-matrix.h"

#include <cstdint>
#include <map>
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
     * Note that a member reaches an operation.
     *
     * @param tag identifies the operation in its group
     * @param first the first member of the group
     * @param members the number of its members, each of which reaches the operation once
     * @return true if no other member has reached it yet
     */
    bool Join(uint64_t tag, uint32_t first, uint32_t members);

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

    std::vector<TrafficMatrix::Row> m_rows; //!< The bytes by source, also where there are none left
    /// Members that have reached an operation, by tag and first member of the group, until all have
    std::map<std::pair<uint64_t, uint32_t>, uint32_t> m_joined;
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAFFIC_LEDGER_H */
