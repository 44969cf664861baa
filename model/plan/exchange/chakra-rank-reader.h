/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_RANK_READER_H
#define CHAKRA_RANK_READER_H

#include "chakra-node-table.h"
#include "chakra-settings.h"
#include "communicators.h"
#include "trace-collective.h"

#include "ns3/rank-program.h"

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The part of a rank in a message or in a collective operation.
struct ChakraPart
{
    uint32_t operation{UINT32_MAX};                        //!< Task::operation, once it is known
    uint32_t label{0};                                     //!< Tag, or number of the group's name
    uint64_t bytes{0};                                     //!< Size
    CollectiveKind collective{CollectiveKind::ALL_REDUCE}; //!< Of a collective operation
    uint32_t task{0};                                      //!< Index of the task
    uint64_t node{0};                                      //!< Number of the node
};

/// The messages between a rank and another one.
struct ChakraPeer
{
    uint32_t rank{0};                 //!< The other rank
    bool isFree{false};               //!< Whether some of them name no group
    std::vector<ChakraPart> sends;    //!< To it, in the order of their operations
    std::vector<ChakraPart> receives; //!< From it, likewise
};

/// The part of a rank in the collective operations of a group.
struct ChakraMembership
{
    uint32_t communicator{0};      //!< Number of the group
    std::vector<ChakraPart> parts; //!< In the order of their operations
};

/// The trace of a rank.
struct ChakraRank
{
    /// Stands for the group of messages that name none.
    static constexpr uint32_t NO_GROUP = UINT32_MAX;

    /// Tasks: Task::group is an index of memberships, or NO_GROUP; Task::peer without a group is an
    /// index of peers
    std::shared_ptr<RankProgram> program;
    std::vector<ChakraMembership> memberships; //!< Groups, in the order of their first use
    std::vector<ChakraPeer> peers;             //!< Peers, in the order of their first use
    uint64_t hostNodes{0};                     //!< Number of nodes of the host, which take no time
    double hostSeconds{0};                     //!< Their time as it was recorded, seconds
    uint64_t missing{0};                       //!< Number of nodes that others name in vain
    std::vector<double> circuitWeights;        //!< TrainingPlan::circuitWeights
    std::vector<double> grid;                  //!< Rows and columns of the grid of a plan
    bool phaseCircuits{false};                 //!< TrainingPlan::phaseCircuits
    bool turnCircuits{false};                  //!< TrainingPlan::turnCircuits
};

/**
 * @ingroup lightpath
 * @brief Reads the Chakra trace of one rank as a program.
 *
 * Nodes that take no time become dependencies between those that do: nodes of the host, metadata
 * and invalid ones. Tasks are in the order of the file as far as their dependencies allow.
 */
class ChakraRankReader
{
  public:
    /// Numbers of the names of groups.
    using Names = std::map<std::string, uint32_t>;

    /**
     * @param settings how traces are to be understood
     * @param communicators the groups of all ranks, to which those of this one are added
     * @param names the names of groups of all ranks, to which those of this one are added
     * @param rank the rank
     */
    ChakraRankReader(const ChakraSettings& settings,
                     Communicators& communicators,
                     Names& names,
                     uint32_t rank);

    /**
     * Read the trace. Throws std::invalid_argument with a sentence that names the node for a trace
     * that cannot be understood.
     *
     * @param is the trace
     * @return the rank
     */
    ChakraRank Read(std::istream& is);

  private:
    /**
     * @param is the trace
     */
    void ReadNodes(std::istream& is);

    /**
     * @param message the record at the begin of the file
     */
    void ReadMetadata(std::string_view message);

    /**
     * Write the program.
     *
     * @param order the positions of all nodes
     */
    void Write(const std::vector<uint32_t>& order);

    /**
     * @param node the position of a node
     * @param index the index of its task
     * @return its task
     */
    Task MakeTask(uint32_t node, uint32_t index);

    /**
     * Find the place of the other rank of a message, and keep the message until that is compared.
     *
     * @param rank the other rank
     * @param isGrouped whether the message names a group
     * @param [in,out] task the task that sends or receives it
     * @param part the part of this rank in it
     */
    void FindPeer(uint32_t rank, bool isGrouped, Task& task, const ChakraPart& part);

    /**
     * @param communicator the number of a group
     * @return its index among those of the rank
     */
    uint32_t FindMembership(uint32_t communicator);

    /**
     * @param node the position of a message in a group of two ranks
     * @return the other one of them
     */
    uint32_t GetOther(uint32_t node) const;

    /**
     * @param node the position of a node
     * @return the members of the group that it names
     */
    std::vector<uint32_t> GetMembers(uint32_t node) const;

    /// Number the operations in a way that all ranks share.
    void NumberOperations();

    const ChakraSettings& m_settings; //!< How traces are to be understood
    Communicators& m_communicators;   //!< Groups of all ranks
    Names& m_names;                   //!< Names of groups
    uint32_t m_number;                //!< Number of the rank
    ChakraNodeTable m_table;          //!< The nodes
    TraceCollective m_rooted;         //!< Operations with a root
    bool m_isOrdered{false}; //!< Whether control dependencies are an order for other readers
    ChakraRank m_rank;       //!< The rank so far
    std::map<uint32_t, uint32_t> m_memberships;    //!< Index by number of the group
    std::map<uint32_t, uint32_t> m_communicatorOf; //!< Number of the group by what nodes share
    std::map<uint32_t, uint32_t> m_peers;          //!< Index by rank
};

} // namespace lightpath
} // namespace ns3

#endif /* CHAKRA_RANK_READER_H */
