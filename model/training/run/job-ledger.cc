/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-ledger.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

JobLedger::JobLedger(const ServerLayout& layout,
                     std::shared_ptr<const JobPorts> ports,
                     std::function<void()> update)
    : m_update(std::move(update)),
      m_layout(layout),
      m_ports(std::move(ports)),
      m_accounts(layout.GetNRails())
{
}

void
JobLedger::SetAccount(uint32_t rail, std::shared_ptr<TrafficLedger> account)
{
    m_accounts.at(rail) = std::move(account);
    if (m_accounts[rail])
    {
        m_accounts[rail]->SetUpdate(this, m_update);
    }
}

JobLedger::~JobLedger()
{
    // The accounts may outlive the job
    for (const auto& account : m_accounts)
    {
        if (account)
        {
            account->SetUpdate(this, {});
        }
    }
}

bool
JobLedger::Join(uint64_t tag, uint32_t first, uint32_t members)
{
    const auto [operation, isFirst] = m_joined.try_emplace({tag, first}, 0);
    if (++operation->second == members)
    {
        m_joined.erase(operation);
    }
    return isFirst;
}

TrafficLedger*
JobLedger::GetAccount(const ServerLayout::Way& way) const
{
    return way.isInside ? nullptr : m_accounts[way.rail].get();
}

void
JobLedger::Add(uint32_t source, uint32_t destination, uint64_t bytes)
{
    const ServerLayout::Way way = m_layout.GetWay(source, destination);
    if (TrafficLedger* const account = GetAccount(way))
    {
        account->Add(GetPort(way.from), GetPort(way.to), bytes);
    }
}

void
JobLedger::Subtract(uint32_t source, uint32_t destination, uint64_t bytes)
{
    const ServerLayout::Way way = m_layout.GetWay(source, destination);
    TrafficLedger* const account = GetAccount(way);
    if (account && way.relay == source)
    {
        account->Subtract(GetPort(way.from), GetPort(way.to), bytes);
    }
}

void
JobLedger::SubtractRelayed(uint32_t source, uint32_t destination, uint64_t bytes)
{
    const ServerLayout::Way way = m_layout.GetWay(source, destination);
    TrafficLedger* const account = GetAccount(way);
    if (account && way.relay != source)
    {
        account->Subtract(way.from, way.to, bytes);
    }
}

} // namespace lightpath
} // namespace ns3
