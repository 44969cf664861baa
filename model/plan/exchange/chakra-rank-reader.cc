/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-rank-reader.h"

#include "chakra-format.h"
#include "chakra-node.h"
#include "model/base/count-noun.h"
#include "trace-files.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

ChakraRankReader::ChakraRankReader(const ChakraSettings& settings,
                                   Communicators& communicators,
                                   Names& names,
                                   uint32_t rank)
    : m_settings(settings),
      m_communicators(communicators),
      m_names(names),
      m_number(rank),
      m_table(settings, rank)
{
}

ChakraRank
ChakraRankReader::Read(std::istream& is)
{
    ReadNodes(is);
    m_table.FindNodes(m_isOrdered);
    Write(m_table.Sort());
    NumberOperations();
    m_rank.hostNodes = m_table.GetNHostNodes();
    m_rank.hostSeconds = m_table.GetHostSeconds();
    m_rank.missing = m_table.GetNMissing();
    return std::move(m_rank);
}

void
ChakraRankReader::ReadNodes(std::istream& is)
{
    std::string message;
    ChakraNode node;
    uint64_t record = 0;
    bool hasEmpty = false;
    std::string subject;
    try
    {
        for (; ProtobufReader::ReadDelimited(is, message); ++record)
        {
            subject.clear();
            if (record == 0)
            {
                ReadMetadata(message);
                continue;
            }
            // A device of zeros has records without a byte and without an end
            if (message.empty() && hasEmpty)
            {
                throw std::invalid_argument("is another one without a number: is it a trace?");
            }
            hasEmpty = hasEmpty || message.empty();
            node.Read(message);
            subject = "node " + std::to_string(node.id) + " ";
            m_table.Add(node);
        }
    }
    catch (const std::invalid_argument& error)
    {
        TraceFiles::RefuseJson(is);
        throw std::invalid_argument(
            (subject.empty() ? "record " + std::to_string(record) + ": " : subject) + error.what());
    }
    if (record == 0)
    {
        throw std::invalid_argument("the file is empty: a trace begins with its metadata");
    }
    constexpr uint64_t most = UINT32_MAX;
    if (record > most)
    {
        throw std::invalid_argument("the trace has more nodes than fit into a program");
    }
}

void
ChakraRankReader::ReadMetadata(std::string_view message)
{
    ProtobufReader reader(message);
    while (reader.Next())
    {
        if (reader.GetField() > chakra::METADATA_ATTRIBUTE ||
            reader.GetWireType() != ProtobufReader::BYTES)
        {
            throw std::invalid_argument("the file begins with another record than the metadata of "
                                        "a trace (GlobalMetadata): is it a Chakra trace?");
        }
        if (reader.GetField() != chakra::METADATA_ATTRIBUTE)
        {
            continue;
        }
        const ChakraAttribute attribute(reader.GetBytes());
        if (attribute.GetName() == chakra::WEIGHTS)
        {
            m_rank.circuitWeights = attribute.GetList();
        }
        else if (attribute.GetName() == chakra::GRID)
        {
            m_rank.grid = attribute.GetList();
        }
        else if (attribute.GetName() == chakra::PHASE_CIRCUITS)
        {
            m_rank.phaseCircuits = attribute.GetUint() != 0;
        }
        else if (attribute.GetName() == chakra::TURN_CIRCUITS)
        {
            m_rank.turnCircuits = attribute.GetUint() != 0;
        }
        else if (attribute.GetName() == chakra::ORDERED)
        {
            m_isOrdered = attribute.GetUint() != 0;
        }
        else if (attribute.GetName() == chakra::GROUPS)
        {
            m_table.AddGroups(attribute.GetText());
        }
    }
}

void
ChakraRankReader::Write(const std::vector<uint32_t>& order)
{
    constexpr uint32_t none = UINT32_MAX;
    m_rank.program = std::make_shared<RankProgram>();
    // The task that stands for each node, or none if nothing before it takes time
    std::vector<uint32_t> tasks(order.size(), none);
    std::vector<uint32_t> after;
    uint32_t nTasks = 0;
    for (const auto node : order)
    {
        after.clear();
        m_table.ForEachBefore(node, [&](uint32_t before) {
            if (tasks[before] != none)
            {
                after.push_back(tasks[before]);
            }
        });
        std::sort(after.begin(), after.end());
        after.erase(std::unique(after.begin(), after.end()), after.end());
        const bool isNothing = m_table.GetEntries()[node].role == ChakraNodeTable::Role::NOTHING;
        if (isNothing && after.size() < 2)
        {
            tasks[node] = after.empty() ? none : after.front();
            continue;
        }
        try
        {
            tasks[node] = m_rank.program->AddTask(MakeTask(node, nTasks), after);
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument("node " + std::to_string(m_table.GetEntries()[node].id) +
                                        " " + error.what());
        }
        ++nTasks;
    }
}

Task
ChakraRankReader::MakeTask(uint32_t node, uint32_t index)
{
    using Role = ChakraNodeTable::Role;
    const auto& entry = m_table.GetEntries()[node];
    const auto& common = m_table.GetCommon(node);
    Task task;
    task.pass = common.pass;
    task.phase = common.phase;
    task.name = m_table.GetName(node);
    task.seconds = entry.seconds;
    task.bytes = entry.bytes;
    task.options = common.options;
    task.isAlgorithmGiven = common.isAlgorithmGiven;
    if (entry.role == Role::COMPUTE)
    {
        return task;
    }
    ChakraPart part{entry.operation, entry.tag, entry.bytes, common.collective, index, entry.id};
    if (entry.role == Role::NOTHING)
    {
        // Several tasks meet here: a collective operation of the rank alone takes no time
        task.group = FindMembership(m_communicators.Add({m_number}));
        task.bytes = 0;
    }
    else if (entry.role == Role::COLLECTIVE || common.kind)
    {
        const auto [found, isNew] = m_communicatorOf.try_emplace(entry.common, 0);
        if (isNew)
        {
            found->second = m_communicators.Add(GetMembers(node), common.kind);
        }
        task.group = FindMembership(found->second);
    }
    if (entry.role == Role::SEND || entry.role == Role::RECEIVE)
    {
        task.kind = entry.role == Role::SEND ? TaskKind::SEND : TaskKind::RECEIVE;
        const bool isNamed = entry.peer != ChakraNodeTable::NO_PEER;
        FindPeer(isNamed ? entry.peer : GetOther(node), common.kind.has_value(), task, part);
        return task;
    }
    task.kind = TaskKind::COLLECTIVE;
    task.collective = common.collective;
    auto& membership = m_rank.memberships[task.group];
    if (common.traced)
    {
        const auto members = m_communicators.GetMembers(membership.communicator).size();
        m_rooted.Complete(*common.traced, static_cast<uint32_t>(members), task);
    }
    part.bytes = task.bytes;
    part.label = m_names.try_emplace(common.group, m_names.size()).first->second;
    membership.parts.push_back(part);
    return task;
}

void
ChakraRankReader::FindPeer(uint32_t rank, bool isGrouped, Task& task, const ChakraPart& part)
{
    if (rank >= m_communicators.GetNRanks())
    {
        throw std::invalid_argument("names rank " + std::to_string(rank) + ", but the " +
                                    std::to_string(m_communicators.GetNRanks()) +
                                    " ranks are counted from 0");
    }
    const auto [found, isNew] =
        m_peers.try_emplace(rank, static_cast<uint32_t>(m_rank.peers.size()));
    if (isNew)
    {
        m_rank.peers.emplace_back();
        m_rank.peers.back().rank = rank;
    }
    ChakraPeer& peer = m_rank.peers[found->second];
    if (isGrouped)
    {
        const auto& members =
            m_communicators.GetMembers(m_rank.memberships[task.group].communicator);
        const auto member = std::find(members.begin(), members.end(), rank);
        if (member == members.end())
        {
            throw std::invalid_argument("names a group without its peer, rank " +
                                        std::to_string(rank));
        }
        task.peer = static_cast<uint32_t>(member - members.begin());
    }
    else
    {
        task.group = ChakraRank::NO_GROUP;
        task.peer = found->second;
        peer.isFree = true;
    }
    (task.kind == TaskKind::SEND ? peer.sends : peer.receives).push_back(part);
}

uint32_t
ChakraRankReader::FindMembership(uint32_t communicator)
{
    const auto [found, isNew] =
        m_memberships.try_emplace(communicator, static_cast<uint32_t>(m_rank.memberships.size()));
    if (isNew)
    {
        m_rank.memberships.emplace_back();
        m_rank.memberships.back().communicator = communicator;
    }
    return found->second;
}

uint32_t
ChakraRankReader::GetOther(uint32_t node) const
{
    const auto members = GetMembers(node);
    if (members.size() != 2)
    {
        throw std::invalid_argument("names a group of " + CountNoun(members.size(), "rank") +
                                    " without the other rank: give it the attribute comm_dst to "
                                    "send, or comm_src to receive");
    }
    return members[0] == m_number ? members[1] : members[0];
}

std::vector<uint32_t>
ChakraRankReader::GetMembers(uint32_t node) const
{
    const auto& common = m_table.GetCommon(node);
    std::vector<uint32_t> members;
    std::map<std::string, std::vector<uint32_t>>::const_iterator found;
    const auto isIn = [&](const auto& groups) {
        found = groups.find(common.group);
        return found != groups.end();
    };
    if (!common.dims.empty())
    {
        if (m_settings.dimensions.empty())
        {
            throw std::invalid_argument("leaves out dimensions by involved_dim, whose sizes are "
                                        "not known: give the sizes of the dimensions");
        }
        // The ranks that agree in all dimensions that take no part
        for (uint32_t rank = 0; rank < m_communicators.GetNRanks(); ++rank)
        {
            uint32_t mine = m_number;
            uint32_t other = rank;
            bool isMember = true;
            for (std::size_t i = 0; i < m_settings.dimensions.size(); ++i)
            {
                const uint32_t size = m_settings.dimensions[i];
                const bool takesPart = i < common.dims.size() && common.dims[i] != 0;
                isMember = isMember && (takesPart || mine % size == other % size);
                mine /= size;
                other /= size;
            }
            if (isMember)
            {
                members.push_back(rank);
            }
        }
        return members;
    }
    if (isIn(m_table.GetGroups()) || isIn(m_settings.groups))
    {
        members = found->second;
    }
    else if (!common.group.empty() && common.group != "0")
    {
        throw std::invalid_argument("names the group '" + common.group +
                                    "', which neither metadata nor a file of groups describes: "
                                    "give a file with its ranks");
    }
    if (members.empty())
    {
        members.resize(m_communicators.GetNRanks());
        std::iota(members.begin(), members.end(), 0);
    }
    if (std::find(members.begin(), members.end(), m_number) == members.end())
    {
        throw std::invalid_argument("names the group '" + common.group + "', in which rank " +
                                    std::to_string(m_number) + " is not");
    }
    return members;
}

void
ChakraRankReader::NumberOperations()
{
    std::vector<uint32_t> operations(m_rank.program->GetTasks().size(), 0);
    const auto number = [&operations](std::vector<ChakraPart>& parts) {
        // Equal tags, and names of groups, are in the order of the file
        std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
            return std::tie(a.operation, a.label) < std::tie(b.operation, b.label);
        });
        if (parts.size() > MOST_OPERATIONS)
        {
            throw std::invalid_argument("node " + std::to_string(parts[MOST_OPERATIONS].node) +
                                        " is one of too many operations of the same ranks: " +
                                        std::to_string(MOST_OPERATIONS) + " are possible");
        }
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            auto& operation = parts[i].operation;
            operation = operation == UINT32_MAX ? static_cast<uint32_t>(i) : operation;
            operations[parts[i].task] = operation;
        }
    };
    for (auto& peer : m_rank.peers)
    {
        number(peer.sends);
        number(peer.receives);
    }
    for (auto& membership : m_rank.memberships)
    {
        number(membership.parts);
    }
    uint32_t task = 0;
    m_rank.program->ChangeTasks([&](Task& each) { each.operation = operations[task++]; });
}

} // namespace lightpath
} // namespace ns3
