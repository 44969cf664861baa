/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "context-exchange.h"

#include "group-options.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

ContextExchange::ContextExchange(const StagedModel& model, PassWriter& writer)
    : m_model(model),
      m_writer(writer),
      m_shares(model.GetStrategy().contextParallel)
{
}

uint32_t
ContextExchange::Write(bool backward, uint32_t op, std::vector<uint32_t> after)
{
    const auto& operators = m_model.GetGraph().GetOperators();
    const Operator& description = operators[op];
    const double seconds = m_model.GetSeconds(op);
    const uint64_t perSample = operators[description.forward].contextBytes;
    if (m_shares == 1 || perSample == 0)
    {
        return m_writer.AddCompute(description.name,
                                   seconds,
                                   std::move(after),
                                   m_model.GetSharing().GetExperts().GetRouted(description));
    }
    m_pass = backward ? Pass::BACKWARD : Pass::FORWARD;
    // A tensor-parallel group shares out the heads
    const uint64_t bytes = m_model.GetSharing().Divide(m_model.GetBytes(perSample));
    if (!m_model.GetStrategy().contextGather)
    {
        return WriteRing(description, bytes, seconds / m_shares, after);
    }
    const uint64_t all = bytes * m_shares;
    after.push_back(
        AddCollective(description, CollectiveKind::ALL_GATHER, ".keys-values", all, after));
    const uint32_t compute = m_writer.AddCompute(description.name, seconds, std::move(after));
    return description.pass == Pass::FORWARD ? compute
                                             : AddCollective(description,
                                                             CollectiveKind::REDUCE_SCATTER,
                                                             ".gradients",
                                                             all,
                                                             {compute});
}

uint32_t
ContextExchange::WriteRing(const Operator& op,
                           uint64_t bytes,
                           double seconds,
                           const std::vector<uint32_t>& after)
{
    std::vector<uint32_t> ready = after; // the block at hand can be computed
    std::vector<uint32_t> sums;          // the sum of gradients of the block before has come in
    for (uint32_t block = 0;; ++block)
    {
        const std::string end = "." + std::to_string(block);
        const bool isLast = block + 1 == m_shares;
        // The keys and values at hand go on while the block is computed
        std::vector<uint32_t> next;
        if (!isLast)
        {
            next = {
                AddCollective(op, CollectiveKind::SEND_RECV, ".keys-values" + end, bytes, ready)};
        }
        const uint32_t compute = m_writer.AddCompute(op.name + end, seconds, ready);
        // A GPU adds its gradients of another GPU's keys and values to those of the GPUs before
        if (op.pass == Pass::BACKWARD && block > 0)
        {
            sums.push_back(compute);
            sums = {AddCollective(op, CollectiveKind::SEND_RECV, ".gradients" + end, bytes, sums)};
        }
        if (isLast)
        {
            return sums.empty() ? compute : sums.front();
        }
        next.push_back(compute);
        ready = next;
    }
}

uint32_t
ContextExchange::AddCollective(const Operator& op,
                               CollectiveKind kind,
                               const std::string& end,
                               uint64_t bytes,
                               const std::vector<uint32_t>& after)
{
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.pass = m_pass;
    task.name = op.name + end;
    task.group = CONTEXT_GROUP;
    task.operation = m_nCollectives++;
    task.bytes = bytes;
    task.collective = kind;
    if (kind != CollectiveKind::SEND_RECV)
    {
        task.options.local = GroupOptions::GetLocal(m_model.GetProblem(),
                                                    m_model.GetStrategy().tensorParallel,
                                                    m_shares);
    }
    return m_writer.AddCommunication(std::move(task), after);
}

} // namespace lightpath
} // namespace ns3
