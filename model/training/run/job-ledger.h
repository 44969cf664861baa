/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_LEDGER_H
#define JOB_LEDGER_H

#include "job-ports.h"
#include "model/control/traffic-ledger.h"

#include "ns3/server-layout.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The bytes that the operations of a job will still hand over, on the account of the fabric
 * that carries them.
 *
 * What stays inside a server is on no account. What crosses rails inside a server stays on the
 * account until it is handed to the fabric.
 */
class JobLedger
{
  public:
    /**
     * @param layout which ranks share a server, and the ports of their cards
     * @param ports the ports of a job that shares its fabric, without servers; or null
     * @param update brings the accounts up to date; called before anybody reads them
     */
    JobLedger(const ServerLayout& layout,
              std::shared_ptr<const JobPorts> ports,
              std::function<void()> update);

    ~JobLedger();
    JobLedger(const JobLedger&) = delete;
    JobLedger& operator=(const JobLedger&) = delete;

    /**
     * @param rail a fabric between servers
     * @param account takes what is for this fabric, by port; null for none
     */
    void SetAccount(uint32_t rail, std::shared_ptr<TrafficLedger> account);

    /**
     * Note that a rank reaches an operation.
     *
     * @param tag identifies the operation in its group
     * @param first the first rank of the group
     * @param members the number of its ranks, each of which reaches the operation once
     * @return true if no other rank has reached it yet
     */
    bool Join(uint64_t tag, uint32_t first, uint32_t members);

    /**
     * @param source the rank that will send
     * @param destination the rank that will receive
     * @param bytes the bytes that an operation will hand over
     */
    void Add(uint32_t source, uint32_t destination, uint64_t bytes);

    /**
     * Note that a rank hands over a message.
     *
     * @param source the rank that sends
     * @param destination the rank that receives
     * @param bytes the bytes that are handed over, which have been added
     */
    void Subtract(uint32_t source, uint32_t destination, uint64_t bytes);

    /**
     * Note that a message that crosses rails inside a server is handed to the fabric.
     *
     * @param source the rank that sends
     * @param destination the rank that receives
     * @param bytes the bytes that are handed over, which have been added
     */
    void SubtractRelayed(uint32_t source, uint32_t destination, uint64_t bytes);

  private:
    /**
     * @param way the way of a message
     * @return the account that it is on; null for none
     */
    TrafficLedger* GetAccount(const ServerLayout::Way& way) const;

    /**
     * @param place the end of a way
     * @return its port of the fabric
     */
    uint32_t GetPort(uint32_t place) const
    {
        return m_ports ? m_ports->GetPort(place) : place;
    }

    std::function<void()> m_update;                         //!< Brings the accounts up to date
    ServerLayout m_layout;                                  //!< Which ranks share a server
    std::shared_ptr<const JobPorts> m_ports;                //!< The ports of its ranks, or null
    std::vector<std::shared_ptr<TrafficLedger>> m_accounts; //!< The accounts, by fabric
    /// Ranks that have reached an operation, by tag and first rank of the group, until all have
    std::map<std::pair<uint64_t, uint32_t>, uint32_t> m_joined;
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_LEDGER_H */
