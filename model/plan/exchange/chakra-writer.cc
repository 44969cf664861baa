/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-writer.h"

#include "chakra-format.h"
#include "model/base/whole-files.h"
#include "trace-files.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A record with attributes.
class AttributeWriter
{
  public:
    /**
     * @param field the field of attributes
     */
    explicit AttributeWriter(uint32_t field)
        : m_field(field)
    {
    }

    /**
     * @param name the name of an attribute
     * @param value its value
     */
    void AddText(const char* name, const std::string& value)
    {
        ProtobufWriter attribute;
        attribute.AddBytes(chakra::ATTRIBUTE_NAME, name);
        attribute.AddBytes(chakra::STRING_VALUE, value);
        record.AddMessage(m_field, attribute);
    }

    /**
     * @param name the name of an attribute
     * @param value its value
     */
    void AddReal(const char* name, double value)
    {
        ProtobufWriter attribute;
        attribute.AddBytes(chakra::ATTRIBUTE_NAME, name);
        attribute.AddDouble(chakra::DOUBLE_VALUE, value);
        record.AddMessage(m_field, attribute);
    }

    /**
     * @param name the name of an attribute
     * @param value its value
     * @param type the field of its type
     */
    void AddNumber(const char* name,
                   uint64_t value,
                   chakra::AttributeField type = chakra::INT64_VALUE)
    {
        ProtobufWriter attribute;
        attribute.AddBytes(chakra::ATTRIBUTE_NAME, name);
        attribute.AddVarint(type, value);
        record.AddMessage(m_field, attribute);
    }

    /**
     * @param name the name of an attribute
     * @param values its values
     */
    void AddList(const char* name, const std::vector<double>& values)
    {
        ProtobufWriter list;
        for (const auto value : values)
        {
            list.AddDouble(chakra::LIST_VALUES, value);
        }
        ProtobufWriter attribute;
        attribute.AddBytes(chakra::ATTRIBUTE_NAME, name);
        attribute.AddMessage(chakra::DOUBLE_LIST, list);
        record.AddMessage(m_field, attribute);
    }

    ProtobufWriter record; //!< The record

  private:
    uint32_t m_field; //!< The field of attributes
};

/**
 * @param kind a collective operation other than a ring of messages
 * @return its number
 */
chakra::CommType
GetCommType(CollectiveKind kind)
{
    switch (kind)
    {
    case CollectiveKind::REDUCE_SCATTER:
        return chakra::REDUCE_SCATTER;
    case CollectiveKind::ALL_GATHER:
        return chakra::ALL_GATHER;
    case CollectiveKind::ALL_TO_ALL:
        return chakra::ALL_TO_ALL;
    default:
        return chakra::ALL_REDUCE;
    }
}

/**
 * @param task a ring of messages
 * @return the tag of its messages, which no message of another task has
 */
uint64_t
GetRingTag(const Task& task)
{
    return task.operation + uint64_t{MOST_OPERATIONS} * (1 + task.group);
}

/**
 * @param task a task
 * @return the type of its node
 */
chakra::NodeType
GetNodeType(const Task& task)
{
    switch (task.kind)
    {
    case TaskKind::COMPUTE:
        return chakra::COMP_NODE;
    case TaskKind::SEND:
        return chakra::COMM_SEND_NODE;
    case TaskKind::RECEIVE:
        return chakra::COMM_RECV_NODE;
    default:
        return task.collective == CollectiveKind::SEND_RECV ? chakra::COMM_SEND_NODE
                                                            : chakra::COMM_COLL_NODE;
    }
}

} // namespace

/// A node of a trace.
class ChakraWriter::Node : public AttributeWriter
{
  public:
    /**
     * @param id its number
     * @param name its name
     * @param type its type
     * @param after the numbers of the nodes that it waits for
     */
    Node(uint64_t id,
         const std::string& name,
         chakra::NodeType type,
         const std::vector<uint64_t>& after)
        : AttributeWriter(chakra::NODE_ATTRIBUTE)
    {
        record.AddVarint(chakra::NODE_ID, id);
        record.AddBytes(chakra::NODE_NAME, name);
        record.AddVarint(chakra::NODE_TYPE, type);
        record.AddPacked(chakra::NODE_DATA_DEPS, after);
    }

    /**
     * Add the two ends of a message.
     *
     * @param source the rank that sends
     * @param destination the rank that receives
     * @param tag the tag, below 2^32
     * @param bytes the size
     */
    void AddMessage(uint32_t source, uint32_t destination, uint64_t tag, uint64_t bytes)
    {
        AddNumber("comm_src", source);
        AddNumber("comm_dst", destination);
        AddNumber("comm_tag", tag);
        AddNumber("comm_size", bytes);
    }
};

ChakraWriter::ChakraWriter(const TrainingPlan& plan)
    : m_plan(plan.WithTypicalLoads().OnPorts())
{
    if (plan.representedRanks > 0)
    {
        throw std::invalid_argument("A folded plan, whose ranks stand for others, cannot be "
                                    "written as traces: leave out --fold");
    }
    // The default group of a trace, all ranks, has number 0
    for (uint32_t kind = 0; kind < m_plan.groups.size(); ++kind)
    {
        for (uint32_t rank = 0; rank < m_plan.programs.size(); ++rank)
        {
            const auto& members = m_plan.groups[kind].GetMembers(rank);
            if (!members.empty())
            {
                m_numbers.try_emplace(&members, static_cast<uint32_t>(m_numbers.size() + 1));
            }
        }
    }
}

void
ChakraWriter::WriteFiles(const std::string& pattern) const
{
    WholeFiles files;
    for (uint32_t rank = 0; rank < m_plan.programs.size(); ++rank)
    {
        files.Write(TraceFiles::GetName(pattern, rank),
                    [this, rank](std::ostream& os) { Write(rank, os); });
    }
    files.Write(TraceFiles::GetGroupsName(pattern), [this](std::ostream& os) { WriteGroups(os); });
    files.Finish();
}

void
ChakraWriter::WriteGroups(std::ostream& os) const
{
    // By number, so that the file is the same in each run
    std::map<uint32_t, const std::vector<uint32_t>*> groups;
    for (const auto& [members, number] : m_numbers)
    {
        groups[number] = members;
    }
    auto json = nlohmann::ordered_json::object();
    for (const auto& [number, members] : groups)
    {
        json[std::to_string(number)] = *members;
    }
    os << json.dump() << "\n";
}

std::string
ChakraWriter::GetGroupName(uint32_t rank, uint32_t kind) const
{
    return std::to_string(m_numbers.at(&m_plan.groups.at(kind).GetMembers(rank)));
}

std::string
ChakraWriter::GetGroups(uint32_t rank) const
{
    std::string text;
    for (uint32_t kind = 0; kind < m_plan.groups.size(); ++kind)
    {
        const auto& members = m_plan.groups[kind].GetMembers(rank);
        std::string list;
        for (const auto member : members)
        {
            list += (list.empty() ? "" : ", ") + std::to_string(member);
        }
        if (!members.empty())
        {
            text += (text.empty() ? "" : ", ") + std::string("{\"pg_name\": \"") +
                    GetGroupName(rank, kind) + "\", \"ranks\": [" + list + "]}";
        }
    }
    return "[" + text + "]";
}

void
ChakraWriter::Write(uint32_t rank, std::ostream& os) const
{
    AttributeWriter metadata(chakra::METADATA_ATTRIBUTE);
    metadata.record.AddBytes(chakra::METADATA_VERSION, "0.0.4");
    metadata.AddNumber(chakra::PHASE_CIRCUITS, m_plan.phaseCircuits ? 1 : 0, chakra::BOOL_VALUE);
    metadata.AddNumber(chakra::TURN_CIRCUITS, m_plan.turnCircuits ? 1 : 0, chakra::BOOL_VALUE);
    metadata.AddList(chakra::WEIGHTS, m_plan.circuitWeights);
    if (m_plan.gridRows > 0)
    {
        metadata.AddList(
            chakra::GRID,
            {static_cast<double>(m_plan.gridRows), static_cast<double>(m_plan.gridColumns)});
    }
    metadata.AddNumber(chakra::ORDERED, 1, chakra::BOOL_VALUE);
    metadata.AddText(chakra::GROUPS, GetGroups(rank));
    metadata.record.WriteDelimited(os);

    const RankProgram& program = *m_plan.programs[rank];
    const auto& tasks = program.GetTasks();
    std::vector<std::vector<uint64_t>> before(tasks.size());
    uint64_t next = 0;
    // Where a rank has one communication at a time, any other order may be a deadlock
    std::vector<uint64_t> last;
    for (uint32_t index = 0; index < tasks.size(); ++index)
    {
        const Task& task = tasks[index];
        uint64_t id = next++;
        Node node(id, task.name, GetNodeType(task), before[index]);
        if (task.kind == TaskKind::COMPUTE)
        {
            const auto micros = static_cast<uint64_t>(std::llround(task.seconds * 1e6));
            node.record.AddVarint(chakra::NODE_DURATION, micros);
        }
        else if (task.kind != TaskKind::RECEIVE)
        {
            node.record.AddPacked(chakra::NODE_CTRL_DEPS, last);
            last = {id};
        }
        AddAttributes(rank, task, node);
        node.record.WriteDelimited(os);
        if (task.kind == TaskKind::COLLECTIVE && task.collective == CollectiveKind::SEND_RECV)
        {
            // The next task waits for the other half, which waits for the first
            WriteReceive(rank, task, next, os);
            id = next++;
        }
        for (const auto after : program.GetSuccessors(index))
        {
            before[after].push_back(id);
        }
        before[index] = {};
    }
}

void
ChakraWriter::WriteReceive(uint32_t rank, const Task& task, uint64_t id, std::ostream& os) const
{
    const auto& groups = m_plan.groups[task.group];
    const auto& members = groups.GetMembers(rank);
    const std::size_t size = members.size();
    Node node(id, task.name, chakra::COMM_RECV_NODE, {id - 1});
    node.AddNumber("is_cpu_op", 0, chakra::BOOL_VALUE);
    node.AddNumber(chakra::SEND_RECV, 1, chakra::BOOL_VALUE);
    node.AddMessage(members[(groups.GetPosition(rank) + size - 1) % size],
                    rank,
                    GetRingTag(task),
                    task.bytes);
    node.record.WriteDelimited(os);
}

void
ChakraWriter::AddAttributes(uint32_t rank, const Task& task, Node& node) const
{
    node.AddNumber("is_cpu_op", 0, chakra::BOOL_VALUE);
    node.AddNumber(chakra::PASS, static_cast<uint64_t>(task.pass));
    if (task.kind == TaskKind::COMPUTE)
    {
        node.AddReal(chakra::SECONDS, task.seconds);
        return;
    }
    node.AddNumber(chakra::PHASE, task.phase);
    node.AddNumber(chakra::OPERATION, task.operation);
    node.AddNumber(chakra::KIND, task.group);
    node.AddText("pg_name", GetGroupName(rank, task.group));
    AddOptions(task.options, node);
    const auto& members = m_plan.groups[task.group].GetMembers(rank);
    const uint32_t size = static_cast<uint32_t>(members.size());
    if (task.kind == TaskKind::SEND)
    {
        node.AddMessage(rank, members[task.peer], task.operation, task.bytes);
        return;
    }
    if (task.kind == TaskKind::RECEIVE)
    {
        node.AddMessage(members[task.peer], rank, task.operation, task.bytes);
        return;
    }
    if (task.collective == CollectiveKind::SEND_RECV)
    {
        node.AddNumber(chakra::SEND_RECV, 1, chakra::BOOL_VALUE);
        const uint32_t position = m_plan.groups[task.group].GetPosition(rank);
        node.AddMessage(rank, members[(position + 1) % size], GetRingTag(task), task.bytes);
        return;
    }
    // Chakra states what a rank has before an all-gather, this module what it has afterwards
    const bool isGather = task.collective == CollectiveKind::ALL_GATHER;
    node.AddNumber("comm_type", GetCommType(task.collective));
    node.AddNumber("comm_size", isGather ? (task.bytes + size - 1) / size : task.bytes);
    node.AddNumber(chakra::BYTES, task.bytes);
}

void
ChakraWriter::AddOptions(const CollectiveOptions& options, Node& node)
{
    if (options == CollectiveOptions())
    {
        return;
    }
    node.AddText(chakra::ALGORITHM, CollectiveSchedule::GetName(options.algorithm));
    node.AddText(chakra::INSIDE, CollectiveSchedule::GetName(options.inside));
    node.AddText(chakra::ACROSS, CollectiveSchedule::GetName(options.across));
    node.AddNumber(chakra::RINGS, options.rings);
    node.AddNumber(chakra::LOCAL, options.local);
    node.AddNumber(chakra::ACROSS_FIRST, options.isAcrossFirst ? 1 : 0, chakra::BOOL_VALUE);
    if (options.axes.GetNPlaces() > 1)
    {
        const auto& [sizes, isRing] = options.axes;
        std::vector<double> numbers(sizes.begin(), sizes.end());
        numbers.insert(numbers.end(), isRing.begin(), isRing.end());
        node.AddList(chakra::AXES, numbers);
    }
    if (options.routing)
    {
        const TokenRouting& routing = *options.routing;
        node.AddList(chakra::ROUTING,
                     {routing.isReturn ? 1.0 : 0.0,
                      static_cast<double>(routing.perToken),
                      static_cast<double>(routing.groups),
                      static_cast<double>(routing.topGroups)});
        node.AddList(chakra::LOADS, routing.loads);
    }
}

} // namespace lightpath
} // namespace ns3
