/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-reader.h"

#include "model/base/count-noun.h"
#include "trace-files.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param task a task
 * @return what two tasks must have in common to be the same
 */
auto
GetTaskKey(const Task& task)
{
    return std::tie(task.kind,
                    task.pass,
                    task.seconds,
                    task.group,
                    task.peer,
                    task.operation,
                    task.phase,
                    task.bytes,
                    task.collective,
                    task.name);
}

/**
 * @param program a program
 * @return a number that is the same for equal programs
 */
std::size_t
GetProgramHash(const RankProgram& program)
{
    std::size_t hash = 0;
    const auto add = [&hash](const auto&... values) {
        // The multiplier is that of the 64-bit FNV hash
        ((hash = (hash ^ std::hash<std::decay_t<decltype(values)>>()(values)) * 1099511628211U),
         ...);
    };
    for (const auto& task : program.GetTasks())
    {
        add(static_cast<int>(task.kind), task.seconds, task.group, task.peer, task.operation);
        add(task.phase, task.bytes, task.name);
    }
    for (const auto number : program.GetNPredecessors())
    {
        add(number);
    }
    return hash;
}

/**
 * @param a a program
 * @param b a program
 * @return whether both are the same
 */
bool
AreEqual(const RankProgram& a, const RankProgram& b)
{
    const auto& tasks = a.GetTasks();
    const auto& others = b.GetTasks();
    bool isEqual = tasks.size() == others.size();
    for (uint32_t i = 0; i < tasks.size() && isEqual; ++i)
    {
        isEqual = GetTaskKey(tasks[i]) == GetTaskKey(others[i]) &&
                  tasks[i].options == others[i].options && a.GetSuccessors(i) == b.GetSuccessors(i);
    }
    return isEqual;
}

} // namespace

ChakraReader::ChakraReader(uint32_t nRanks, ChakraSettings settings)
    : m_settings(std::move(settings)),
      m_communicators(nRanks)
{
    uint64_t ranks = m_settings.dimensions.empty() ? nRanks : 1;
    for (const auto size : m_settings.dimensions)
    {
        ranks = std::min<uint64_t>(ranks * size, UINT32_MAX);
    }
    if (ranks != nRanks)
    {
        throw std::invalid_argument("The dimensions have " + std::to_string(ranks) +
                                    " ranks in all, but there are " + CountNoun(nRanks, "trace") +
                                    ": both must be the same");
    }
}

TrainingPlan
ChakraReader::ReadFiles(const std::string& pattern, const ChakraSettings& settings)
{
    const auto files = TraceFiles::Find(pattern);
    ChakraReader reader(static_cast<uint32_t>(files.size()), settings);
    for (const auto& file : files)
    {
        std::ifstream is(file, std::ios::binary);
        if (!is)
        {
            throw std::invalid_argument(file + " cannot be opened: check its permissions");
        }
        reader.Read(is, file);
    }
    return reader.Finish();
}

void
ChakraReader::Read(std::istream& is, const std::string& name)
{
    const auto number = static_cast<uint32_t>(m_ranks.size());
    m_files.push_back(name);
    ChakraRank rank;
    try
    {
        rank = ChakraRankReader(m_settings, m_communicators, m_names, number).Read(is);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(name + ": " + error.what());
    }
    MatchMessages(number, rank);
    MatchCollectives(number, rank);
    m_hostNodes += rank.hostNodes;
    m_hostSeconds = std::max(m_hostSeconds, rank.hostSeconds);
    m_missing += rank.missing;
    m_plan.circuitWeights = rank.circuitWeights;
    m_plan.phaseCircuits = rank.phaseCircuits;
    m_plan.turnCircuits = rank.turnCircuits;
    if (rank.grid.size() == 2 && rank.grid[0] >= 1 && rank.grid[0] < UINT32_MAX &&
        rank.grid[1] >= 1 && rank.grid[1] < UINT32_MAX)
    {
        m_plan.gridRows = static_cast<uint32_t>(rank.grid[0]);
        m_plan.gridColumns = static_cast<uint32_t>(rank.grid[1]);
    }
    Rank kept;
    kept.program = Share(rank.program);
    for (const auto& membership : rank.memberships)
    {
        kept.communicators.push_back(membership.communicator);
    }
    for (const auto& peer : rank.peers)
    {
        kept.peers.push_back(peer.rank);
        kept.freePeers.push_back(peer.isFree);
    }
    m_ranks.push_back(std::move(kept));
}

std::size_t
ChakraReader::Share(std::shared_ptr<RankProgram> program)
{
    const std::size_t hash = GetProgramHash(*program);
    const auto [begin, end] = m_hashes.equal_range(hash);
    for (auto found = begin; found != end; ++found)
    {
        if (AreEqual(*m_programs[found->second], *program))
        {
            return found->second;
        }
    }
    m_hashes.emplace(hash, m_programs.size());
    m_programs.push_back(std::move(program));
    return m_programs.size() - 1;
}

std::string
ChakraReader::Describe(const ChakraPart& part, uint32_t rank) const
{
    return m_files[rank] + ": node " + std::to_string(part.node) + " ";
}

void
ChakraReader::CheckMessages(uint32_t source,
                            uint32_t destination,
                            const std::vector<ChakraPart>& sends,
                            const std::vector<ChakraPart>& receives) const
{
    const auto describe = [](const ChakraPart& part, const char* verb, uint32_t rank) {
        return verb + std::to_string(part.bytes) + " bytes with tag " + std::to_string(part.label) +
               (verb[0] == 's' ? " to rank " : " from rank ") + std::to_string(rank);
    };
    for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i)
    {
        const auto* const send = i < sends.size() ? &sends[i] : nullptr;
        const auto* const receive = i < receives.size() ? &receives[i] : nullptr;
        if (send && receive && send->label == receive->label &&
            send->operation == receive->operation && send->bytes == receive->bytes)
        {
            continue;
        }
        const std::string remedy = ": each send needs a receive of its size and tag";
        if (send && receive && send->label == receive->label)
        {
            throw std::invalid_argument(
                Describe(*send, source) + describe(*send, "sends ", destination) + ", but node " +
                std::to_string(receive->node) + " of " + m_files[destination] + " expects " +
                std::to_string(receive->bytes) + " bytes" + remedy);
        }
        if (send && (!receive || send->label < receive->label))
        {
            throw std::invalid_argument(Describe(*send, source) +
                                        describe(*send, "sends ", destination) +
                                        ", which does not receive it" + remedy);
        }
        throw std::invalid_argument(Describe(*receive, destination) +
                                    describe(*receive, "receives ", source) +
                                    ", which does not send it" + remedy);
    }
}

void
ChakraReader::MatchMessages(uint32_t number, ChakraRank& rank)
{
    for (auto& peer : rank.peers)
    {
        const bool isKnown = peer.rank < number;
        const std::pair<uint32_t, uint32_t> out(number, peer.rank);
        const std::pair<uint32_t, uint32_t> in(peer.rank, number);
        if (isKnown)
        {
            // The receives and sends of the other rank have been kept until now
            CheckMessages(number, peer.rank, peer.sends, m_receives[out]);
            CheckMessages(peer.rank, number, m_sends[in], peer.receives);
            m_receives.erase(out);
            m_sends.erase(in);
            continue;
        }
        if (!peer.sends.empty())
        {
            m_sends[out] = std::move(peer.sends);
        }
        if (!peer.receives.empty())
        {
            m_receives[in] = std::move(peer.receives);
        }
    }
}

void
ChakraReader::MatchCollectives(uint32_t number, ChakraRank& rank)
{
    for (auto& membership : rank.memberships)
    {
        auto& operations = m_operations[membership.communicator];
        if (operations.ranks.empty())
        {
            operations.rank = number;
            operations.parts = membership.parts;
        }
        operations.ranks.push_back(number);
        const auto& ours = membership.parts;
        const auto& theirs = operations.parts;
        for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i)
        {
            const bool isMissing = i >= ours.size();
            if (isMissing || i >= theirs.size())
            {
                const auto& part = isMissing ? theirs[i] : ours[i];
                const uint32_t has = isMissing ? operations.rank : number;
                const uint32_t lacks = isMissing ? number : operations.rank;
                throw std::invalid_argument(Describe(part, has) +
                                            "begins a collective operation that rank " +
                                            std::to_string(lacks) +
                                            " of the same group takes no part in: all ranks of a "
                                            "group need the same operations");
            }
            if (ours[i].label != theirs[i].label || ours[i].collective != theirs[i].collective ||
                ours[i].operation != theirs[i].operation || ours[i].bytes != theirs[i].bytes)
            {
                throw std::invalid_argument(
                    Describe(ours[i], number) +
                    "begins another collective operation, or one of "
                    "another size, than node " +
                    std::to_string(theirs[i].node) + " of " + m_files[operations.rank] +
                    ", which is operation " + std::to_string(i) +
                    " of the same group as well: all ranks of a group need the same operations in "
                    "the same order");
            }
        }
    }
}

void
ChakraReader::CheckComplete() const
{
    if (m_ranks.size() != m_communicators.GetNRanks())
    {
        throw std::invalid_argument("There are traces of " + std::to_string(m_ranks.size()) +
                                    " ranks, but " + std::to_string(m_communicators.GetNRanks()) +
                                    " are needed");
    }
    for (const auto& [pair, parts] : m_sends)
    {
        CheckMessages(pair.first, pair.second, parts, {});
    }
    for (const auto& [pair, parts] : m_receives)
    {
        CheckMessages(pair.first, pair.second, {}, parts);
    }
    for (const auto& [communicator, operations] : m_operations)
    {
        const auto& members = m_communicators.GetMembers(communicator);
        for (const auto member : members)
        {
            const bool isThere =
                std::binary_search(operations.ranks.begin(), operations.ranks.end(), member);
            if (!isThere && !operations.parts.empty())
            {
                throw std::invalid_argument(
                    Describe(operations.parts.front(), operations.rank) +
                    "begins a collective operation in a group of " +
                    CountNoun(members.size(), "rank") + ", but " + m_files[member] +
                    " has none in that group: all its ranks must take part");
            }
        }
    }
}

std::vector<uint32_t>
ChakraReader::JoinPeers()
{
    // The smallest rank that each is joined to, directly or over others
    std::vector<uint32_t> first(m_ranks.size(), UINT32_MAX);
    const auto find = [&first](uint32_t rank) {
        while (first[rank] != rank)
        {
            rank = first[rank] = first[first[rank]];
        }
        return rank;
    };
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        for (std::size_t i = 0; i < m_ranks[rank].peers.size(); ++i)
        {
            const uint32_t peer = m_ranks[rank].peers[i];
            if (!m_ranks[rank].freePeers[i])
            {
                continue;
            }
            first[rank] = std::min(first[rank], rank);
            first[peer] = std::min(first[peer], peer);
            const auto [low, high] = std::minmax({find(rank), find(peer)});
            first[high] = low;
        }
    }
    std::map<uint32_t, std::vector<uint32_t>> members;
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        if (first[rank] != UINT32_MAX)
        {
            members[find(rank)].push_back(rank);
        }
    }
    std::vector<uint32_t> communicators(m_ranks.size(), UINT32_MAX);
    for (const auto& [root, ranks] : members)
    {
        const uint32_t communicator = m_communicators.Add(ranks);
        for (const auto rank : ranks)
        {
            communicators[rank] = communicator;
        }
    }
    return communicators;
}

std::string
ChakraReader::DescribeHosts() const
{
    if (m_hostNodes == 0)
    {
        return "";
    }
    std::ostringstream text;
    text << "without " << CountNoun(m_hostNodes, "node") << " of the host (up to "
         << std::setprecision(4) << m_hostSeconds * 1e3 << " ms a rank)";
    if (m_missing > 0)
    {
        text << ", and " << CountNoun(m_missing, "node") << " that others name, but no trace has";
    }
    return text.str();
}

TrainingPlan
ChakraReader::Finish()
{
    CheckComplete();
    const auto joined = JoinPeers();
    const auto kinds = m_communicators.Distribute(m_plan.groups);
    // The meaning of the indices of each rank; ranks of one program often agree on it, too
    using Meaning = std::vector<uint32_t>;
    std::map<std::pair<std::size_t, Meaning>, std::vector<uint32_t>> users;
    for (uint32_t number = 0; number < m_ranks.size(); ++number)
    {
        const Rank& rank = m_ranks[number];
        const uint32_t own = joined[number] == UINT32_MAX ? 0 : kinds[joined[number]];
        Meaning meaning{own};
        for (const auto communicator : rank.communicators)
        {
            meaning.push_back(kinds[communicator]);
        }
        for (std::size_t i = 0; i < rank.peers.size(); ++i)
        {
            meaning.push_back(rank.freePeers[i] ? m_plan.groups[own].GetPosition(rank.peers[i])
                                                : 0);
        }
        users[{rank.program, std::move(meaning)}].push_back(number);
    }
    m_plan.programs.resize(m_ranks.size());
    for (auto use = users.begin(); use != users.end(); ++use)
    {
        const auto& [index, meaning] = use->first;
        const auto next = std::next(use);
        const bool isLast = next == users.end() || next->first.first != index;
        // The last use may change the program itself
        const auto program = isLast ? std::move(m_programs[index])
                                    : std::make_shared<RankProgram>(*m_programs[index]);
        const std::size_t nGroups = m_ranks[use->second.front()].communicators.size();
        program->ChangeTasks([&meaning = meaning, nGroups](Task& task) {
            if (task.kind != TaskKind::COMPUTE && task.group == ChakraRank::NO_GROUP)
            {
                task.group = meaning.front();
                task.peer = meaning[1 + nGroups + task.peer];
            }
            else if (task.kind != TaskKind::COMPUTE)
            {
                task.group = meaning[1 + task.group];
            }
        });
        for (const auto rank : use->second)
        {
            m_plan.programs[rank] = program;
        }
    }
    m_plan.workload = DescribeHosts();
    return std::move(m_plan);
}

} // namespace lightpath
} // namespace ns3
