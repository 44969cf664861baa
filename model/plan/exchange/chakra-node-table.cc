/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-node-table.h"

#include "chakra-attributes.h"
#include "trace-collective.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

bool
ChakraNodeTable::Common::operator<(const Common& other) const
{
    const auto key = [](const Common& common) {
        return std::tie(common.group,
                        common.dims,
                        common.kind,
                        common.phase,
                        common.pass,
                        common.collective,
                        common.traced,
                        common.isAlgorithmGiven,
                        common.options);
    };
    return key(*this) < key(other);
}

ChakraNodeTable::ChakraNodeTable(const ChakraSettings& settings, uint32_t rank)
    : m_settings(settings),
      m_rank(rank)
{
}

void
ChakraNodeTable::Add(const ChakraNode& node)
{
    const ChakraAttributes attributes(node.attributes);
    Common common;
    common.kind = attributes.kind;
    common.phase = attributes.phase;
    common.pass = attributes.pass;
    common.options = attributes.options;
    Entry entry;
    entry.id = node.id;
    switch (node.type)
    {
    case chakra::METADATA_NODE:
        AddGroups(node.inputs);
        break;
    case chakra::INVALID_NODE:
        break;
    default:
        if (node.type > chakra::COMM_COLL_NODE)
        {
            throw std::invalid_argument("has the unknown type " + std::to_string(node.type) +
                                        ": types 0 to 7 can be simulated");
        }
        if (attributes.isHost)
        {
            ++m_hostNodes;
            m_hostSeconds += static_cast<double>(node.durationMicros) * 1e-6;
        }
        else if (node.type == chakra::COMM_COLL_NODE)
        {
            TakeCollective(attributes, entry, common);
        }
        else if (node.type == chakra::COMM_SEND_NODE || node.type == chakra::COMM_RECV_NODE)
        {
            TakeMessage(node, attributes, entry, common);
        }
        else
        {
            entry.role = Role::COMPUTE;
            entry.seconds = GetSeconds(node, attributes);
        }
    }
    entry.operation = attributes.operation.value_or(UINT32_MAX);
    Keep(node, entry, std::move(common));
}

void
ChakraNodeTable::Keep(const ChakraNode& node, Entry entry, Common common)
{
    if (common.group.rfind('[', 0) == 0 && m_groups.count(common.group) == 0)
    {
        AddGroups("{\"pg_name\": \"" + common.group + "\", \"ranks\": " + common.group + "}");
    }
    // Names are for reports only
    constexpr std::size_t mostLetters = 100;
    if (entry.role != Role::NOTHING && m_names.size() < UINT32_MAX - mostLetters)
    {
        m_names += node.name.substr(0, mostLetters);
    }
    entry.nameEnd = static_cast<uint32_t>(m_names.size());
    const auto [found, isNew] =
        m_numbers.try_emplace(std::move(common), static_cast<uint32_t>(m_commons.size()));
    if (isNew)
    {
        m_commons.push_back(&found->first);
    }
    entry.common = found->second;
    m_entries.push_back(entry);
    m_ids.insert(m_ids.end(), node.dependencies.begin(), node.dependencies.end());
    m_isData.resize(m_ids.size(), true);
    m_ids.insert(m_ids.end(), node.controls.begin(), node.controls.end());
    m_isData.resize(m_ids.size(), false);
    m_firstBefore.push_back(m_ids.size());
}

double
ChakraNodeTable::GetSeconds(const ChakraNode& node, const ChakraAttributes& attributes) const
{
    if (attributes.seconds)
    {
        if (!(*attributes.seconds >= 0) || std::isinf(*attributes.seconds))
        {
            throw std::invalid_argument("takes a time that is not 0 or more seconds");
        }
        return *attributes.seconds;
    }
    const bool isSized = attributes.flops.value_or(0) > 0 || attributes.tensorBytes.value_or(0) > 0;
    if (node.durationMicros > 0 && !(m_settings.isComputed && isSized))
    {
        return static_cast<double>(node.durationMicros) * 1e-6;
    }
    if (!isSized)
    {
        return 0;
    }
    if (!m_settings.accelerator)
    {
        throw std::invalid_argument("has no recorded time, but num_ops or tensor_size: name the "
                                    "accelerator that it runs on");
    }
    Operator op;
    op.kind = OperatorKind::MATMUL;
    constexpr double most = 1e18;
    const double flops = attributes.flops.value_or(0);
    if (!(flops >= 0 && flops <= most))
    {
        throw std::invalid_argument("has an attribute num_ops that is not from 0 to 1e18");
    }
    op.flops = static_cast<uint64_t>(flops);
    op.multiplyAdds = op.flops - op.flops / 2;
    op.readBytes = attributes.tensorBytes.value_or(0);
    return m_settings.accelerator->GetSeconds(op, 1);
}

void
ChakraNodeTable::TakeMessage(const ChakraNode& node,
                             const ChakraAttributes& attributes,
                             Entry& entry,
                             Common& common) const
{
    const bool sends = node.type == chakra::COMM_SEND_NODE;
    const std::string verb = sends ? "sends" : "receives";
    const auto& own = sends ? attributes.source : attributes.destination;
    const auto& peer = sends ? attributes.destination : attributes.source;
    if (own && *own != m_rank)
    {
        throw std::invalid_argument(verb + " for rank " + std::to_string(*own) +
                                    ", but its file is that of rank " + std::to_string(m_rank));
    }
    // The other one of two ranks has no name in traces of PyTorch
    const bool isNamed = peer || attributes.group.empty();
    if (isNamed && (!peer || (*peer == m_rank && !attributes.isSendRecv) || *peer >= UINT32_MAX))
    {
        throw std::invalid_argument(verb + " without the other rank: give it the attribute " +
                                    (sends ? "comm_dst" : "comm_src") +
                                    " with the number of another rank");
    }
    if (attributes.bytes.value_or(0) == 0)
    {
        throw std::invalid_argument(verb + " a message without comm_size, or of 0 bytes: give it a "
                                           "size of 1 byte at least");
    }
    common.group = common.kind || !isNamed ? attributes.group : "";
    if (attributes.isSendRecv)
    {
        // The node that sends stands for both
        entry.role = sends ? Role::COLLECTIVE : Role::NOTHING;
        common.collective = CollectiveKind::SEND_RECV;
    }
    else
    {
        entry.role = sends ? Role::SEND : Role::RECEIVE;
    }
    entry.peer = isNamed ? static_cast<uint32_t>(*peer) : NO_PEER;
    entry.tag = attributes.tag;
    entry.bytes = *attributes.bytes;
}

void
ChakraNodeTable::TakeCollective(const ChakraAttributes& attributes,
                                Entry& entry,
                                Common& common) const
{
    if (!attributes.commType)
    {
        throw std::invalid_argument("is a collective operation without comm_type: give it that "
                                    "attribute, or mark it as one of the host by is_cpu_op");
    }
    const uint64_t type = *attributes.commType;
    if (type > chakra::BARRIER)
    {
        throw std::invalid_argument("is a collective operation of comm_type " +
                                    std::to_string(type) + ": types 0 to 9 can be simulated");
    }
    if (!attributes.bytes && type != chakra::BARRIER)
    {
        throw std::invalid_argument("is a collective operation without comm_size: give it that "
                                    "attribute, in bytes");
    }
    const auto traced = static_cast<chakra::CommType>(type);
    common.collective = TraceCollective::GetKind(traced);
    entry.role = Role::COLLECTIVE;
    entry.bytes = attributes.exactBytes.value_or(attributes.bytes.value_or(0));
    common.group = attributes.group;
    const bool isAll = std::all_of(attributes.dims.begin(), attributes.dims.end(), [](double dim) {
        return dim != 0;
    });
    if (!isAll && common.group.empty())
    {
        common.dims = attributes.dims;
    }
    if (!attributes.exactBytes)
    {
        common.traced = traced;
    }
    common.isAlgorithmGiven = m_settings.algorithm != CollectiveAlgorithm::AUTOMATIC &&
                              common.collective != CollectiveKind::ALL_TO_ALL;
    if (common.isAlgorithmGiven)
    {
        // In place of what a plan that was written as traces had
        common.options = CollectiveOptions(1, m_settings.algorithm);
    }
}

void
ChakraNodeTable::AddGroups(std::string_view text)
{
    // PyTorch writes a list of objects as text within a list
    const auto begin = text.find('{');
    const auto end = text.rfind('}');
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin ||
        text.find("pg_name") == std::string_view::npos)
    {
        return;
    }
    const auto json =
        nlohmann::json::parse("[" + std::string(text.substr(begin, end + 1 - begin)) + "]",
                              nullptr,
                              false);
    const auto refuse = []() {
        throw std::invalid_argument("lists process groups in another form than "
                                    "[{\"pg_name\": \"1\", \"ranks\": [0, 1]}]");
    };
    if (!json.is_array())
    {
        refuse();
    }
    for (const auto& group : json)
    {
        if (!group.is_object() || !group.contains("pg_name") || !group["pg_name"].is_string() ||
            !group.contains("ranks") || !group["ranks"].is_array())
        {
            refuse();
        }
        auto& members = m_groups[group["pg_name"].get<std::string>()];
        members.clear();
        for (const auto& member : group["ranks"])
        {
            if (!member.is_number_unsigned() || member.get<uint64_t>() >= UINT32_MAX)
            {
                refuse();
            }
            members.push_back(member.get<uint32_t>());
        }
    }
}

std::vector<std::pair<uint64_t, uint32_t>>
ChakraNodeTable::FindPlaces() const
{
    const auto size = static_cast<uint32_t>(m_entries.size());
    bool isCounted = true;
    for (uint32_t node = 0; node < size && isCounted; ++node)
    {
        isCounted = m_entries[node].id == node;
    }
    std::vector<std::pair<uint64_t, uint32_t>> places;
    if (isCounted)
    {
        return places;
    }
    places.reserve(size);
    for (uint32_t node = 0; node < size; ++node)
    {
        places.emplace_back(m_entries[node].id, node);
    }
    std::sort(places.begin(), places.end());
    for (uint32_t i = 1; i < size; ++i)
    {
        if (places[i].first == places[i - 1].first)
        {
            throw std::invalid_argument("node " + std::to_string(places[i].first) +
                                        " occurs twice: each node needs a number of its own");
        }
    }
    return places;
}

void
ChakraNodeTable::FindNodes(bool isOrdered)
{
    const auto size = static_cast<uint32_t>(m_entries.size());
    const auto places = FindPlaces();
    const bool isRecorded = m_hostNodes > 0;
    const bool hasData = std::find(m_isData.begin(), m_isData.end(), true) != m_isData.end();
    const bool isDataAlone = isOrdered || (isRecorded && hasData);
    const auto find = [&](uint64_t id) -> uint64_t {
        if (places.empty())
        {
            return id < size ? id : size;
        }
        const auto found =
            std::lower_bound(places.begin(), places.end(), std::make_pair(id, uint32_t{0}));
        return found == places.end() || found->first != id ? size : found->second;
    };
    m_before.reserve(m_ids.size());
    std::size_t i = 0;
    for (uint32_t node = 0; node < size; ++node)
    {
        for (const std::size_t end = m_firstBefore[node + 1]; i < end; ++i)
        {
            const uint64_t id = m_ids[i];
            const uint64_t before = find(id);
            if (before == size && isRecorded)
            {
                m_missing.insert(id);
            }
            else if (before == size)
            {
                throw std::invalid_argument(
                    "node " + std::to_string(m_entries[node].id) + " waits for node " +
                    std::to_string(id) +
                    ", which does not exist: write that node, or leave the dependency out");
            }
            else if (m_isData[i] || !isDataAlone)
            {
                m_before.push_back(static_cast<uint32_t>(before));
            }
        }
        m_firstBefore[node + 1] = m_before.size();
    }
    m_ids = {};
    m_isData = {};
}

std::vector<uint32_t>
ChakraNodeTable::Sort() const
{
    const auto size = static_cast<uint32_t>(m_entries.size());
    // Nodes that wait, by the node that they wait for
    std::vector<std::size_t> first(size + std::size_t{1}, 0);
    for (const auto before : m_before)
    {
        ++first[before + std::size_t{1}];
    }
    for (uint32_t node = 0; node < size; ++node)
    {
        first[node + std::size_t{1}] += first[node];
    }
    std::vector<uint32_t> after(m_before.size());
    std::vector<uint32_t> waits(size);
    auto next = first;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    for (uint32_t node = 0; node < size; ++node)
    {
        ForEachBefore(node, [&](uint32_t before) { after[next[before]++] = node; });
        waits[node] = static_cast<uint32_t>(m_firstBefore[node + 1] - m_firstBefore[node]);
        if (waits[node] == 0)
        {
            ready.push(node);
        }
    }
    std::vector<uint32_t> order;
    order.reserve(size);
    while (!ready.empty())
    {
        const uint32_t node = ready.top();
        ready.pop();
        order.push_back(node);
        for (std::size_t i = first[node]; i < first[node + std::size_t{1}]; ++i)
        {
            if (--waits[after[i]] == 0)
            {
                ready.push(after[i]);
            }
        }
    }
    if (order.size() < size)
    {
        RefuseCycle(waits);
    }
    return order;
}

void
ChakraNodeTable::RefuseCycle(const std::vector<uint32_t>& waits) const
{
    // Going from a node that still waits to one that it waits for leads into a cycle
    uint32_t node = 0;
    while (waits[node] == 0)
    {
        ++node;
    }
    std::vector<bool> seen(waits.size(), false);
    while (!seen[node])
    {
        seen[node] = true;
        uint32_t open = node;
        ForEachBefore(node, [&](uint32_t before) { open = waits[before] > 0 ? before : open; });
        node = open;
    }
    throw std::invalid_argument("node " + std::to_string(m_entries[node].id) +
                                " waits for itself, directly or over other nodes: leave out "
                                "one of the dependencies of this cycle");
}

const std::vector<ChakraNodeTable::Entry>&
ChakraNodeTable::GetEntries() const
{
    return m_entries;
}

const ChakraNodeTable::Common&
ChakraNodeTable::GetCommon(uint32_t node) const
{
    return *m_commons[m_entries[node].common];
}

std::string
ChakraNodeTable::GetName(uint32_t node) const
{
    const std::size_t begin = node == 0 ? 0 : m_entries[node - 1].nameEnd;
    return m_names.substr(begin, m_entries[node].nameEnd - begin);
}

const std::map<std::string, std::vector<uint32_t>>&
ChakraNodeTable::GetGroups() const
{
    return m_groups;
}

uint64_t
ChakraNodeTable::GetNHostNodes() const
{
    return m_hostNodes;
}

double
ChakraNodeTable::GetHostSeconds() const
{
    return m_hostSeconds;
}

uint64_t
ChakraNodeTable::GetNMissing() const
{
    return m_missing.size();
}

} // namespace lightpath
} // namespace ns3
