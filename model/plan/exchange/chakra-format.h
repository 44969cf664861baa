/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_FORMAT_H
#define CHAKRA_FORMAT_H

#include <cstdint>

/**
 * @file
 * @ingroup lightpath
 * Numbers and names of Chakra execution traces, as the schema et_def.proto of version 2 has them,
 * and the names of the attributes that this module adds.
 */

namespace ns3
{
namespace lightpath
{
namespace chakra
{

/// The kinds of nodes.
enum NodeType : uint32_t
{
    INVALID_NODE,
    METADATA_NODE,
    MEM_LOAD_NODE,
    MEM_STORE_NODE,
    COMP_NODE,
    COMM_SEND_NODE,
    COMM_RECV_NODE,
    COMM_COLL_NODE,
};

/// The collective operations.
enum CommType : uint64_t
{
    ALL_REDUCE,
    REDUCE,
    ALL_GATHER,
    GATHER,
    SCATTER,
    BROADCAST,
    ALL_TO_ALL,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    BARRIER,
};

/// Fields of a node.
enum NodeField : uint32_t
{
    NODE_ID = 1,
    NODE_NAME = 2,
    NODE_TYPE = 3,
    NODE_CTRL_DEPS = 4,
    NODE_DATA_DEPS = 5,
    NODE_DURATION = 7, //!< In microseconds
    NODE_INPUTS = 8,
    NODE_ATTRIBUTE = 10,
};

/// Fields of the record at the begin of a file.
enum MetadataField : uint32_t
{
    METADATA_VERSION = 1,
    METADATA_ATTRIBUTE = 2,
};

/// Fields of the inputs of a node.
enum InputField : uint32_t
{
    INPUT_VALUES = 1,
};

/// Fields of an attribute: its name, and one value of many types.
enum AttributeField : uint32_t
{
    ATTRIBUTE_NAME = 1,
    DOUBLE_VALUE = 3,
    DOUBLE_LIST = 4,
    FLOAT_VALUE = 5,
    INT32_VALUE = 7,
    INT64_VALUE = 9,
    UINT32_VALUE = 11,
    UINT64_VALUE = 13,
    SINT32_VALUE = 15,
    SINT64_VALUE = 17,
    FIXED32_VALUE = 19,
    FIXED64_VALUE = 21,
    SFIXED32_VALUE = 23,
    SFIXED64_VALUE = 25,
    BOOL_VALUE = 27,
    BOOL_LIST = 28,
    STRING_VALUE = 29,
    BYTES_VALUE = 31,
};

/// Field of the values of a list.
inline constexpr uint32_t LIST_VALUES = 1;

// Attributes of this module. They hold what the published ones cannot, so that a plan that is
// written and read again is the same; other readers ignore them.
inline constexpr char SECONDS[] = "lightpath_seconds";           //!< Time of a computation, s
inline constexpr char PASS[] = "lightpath_pass";                 //!< Number of its Pass
inline constexpr char PHASE[] = "lightpath_phase";               //!< Task::phase
inline constexpr char OPERATION[] = "lightpath_operation";       //!< Task::operation
inline constexpr char KIND[] = "lightpath_group_kind";           //!< Task::group
inline constexpr char BYTES[] = "lightpath_bytes";               //!< Task::bytes
inline constexpr char SEND_RECV[] = "lightpath_send_recv";       //!< Half of a ring of messages
inline constexpr char ALGORITHM[] = "lightpath_algorithm";       //!< CollectiveOptions
inline constexpr char INSIDE[] = "lightpath_inside";             //!< Algorithm inside servers
inline constexpr char ACROSS[] = "lightpath_across";             //!< Algorithm across servers
inline constexpr char RINGS[] = "lightpath_rings";               //!< Number of rings
inline constexpr char LOCAL[] = "lightpath_local";               //!< Ranks that share a server
inline constexpr char ACROSS_FIRST[] = "lightpath_across_first"; //!< Order of two levels
inline constexpr char AXES[] = "lightpath_axes";                 //!< Sizes and rings of RankAxes
inline constexpr char ROUTING[] = "lightpath_routing";           //!< Numbers of TokenRouting
inline constexpr char LOADS[] = "lightpath_loads";               //!< Its loads
inline constexpr char GROUPS[] = "lightpath_groups";             //!< Process groups, as text
inline constexpr char ORDERED[] =
    "lightpath_ordered"; //!< Whether ctrl_deps are an order for others
inline constexpr char WEIGHTS[] = "lightpath_circuit_weights";       //!< Of a plan
inline constexpr char PHASE_CIRCUITS[] = "lightpath_phase_circuits"; //!< Of a plan
inline constexpr char TURN_CIRCUITS[] = "lightpath_turn_circuits";   //!< Of a plan
inline constexpr char GRID[] = "lightpath_grid";                     //!< Rows and columns of a plan

} // namespace chakra
} // namespace lightpath
} // namespace ns3

#endif /* CHAKRA_FORMAT_H */
