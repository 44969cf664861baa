/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_NODE_TABLE_H
#define CHAKRA_NODE_TABLE_H

#include "chakra-format.h"
#include "chakra-node.h"
#include "chakra-settings.h"

#include "ns3/rank-program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

struct ChakraAttributes;

/**
 * @ingroup lightpath
 * @brief The nodes of the Chakra trace of one rank, as briefly as programs need them.
 */
class ChakraNodeTable
{
  public:
    /// The use of a node.
    enum class Role : uint8_t
    {
        NOTHING,
        COMPUTE,
        SEND,
        RECEIVE,
        COLLECTIVE,
    };

    static constexpr uint32_t NO_PEER = UINT32_MAX; //!< No rank

    /// Properties that many nodes share.
    struct Common
    {
        /**
         * @param other the one compared with
         * @return true if this one comes first in an order of all
         */
        bool operator<(const Common& other) const;

        std::string group;            //!< Name of the group, or empty
        std::vector<double> dims;     //!< Dimensions that take part; empty for all
        std::optional<uint32_t> kind; //!< Kind of the group, if it is given
        uint32_t phase{0};            //!< Task::phase
        Pass pass{Pass::FORWARD};     //!< Task::pass
        CollectiveKind collective{CollectiveKind::ALL_REDUCE}; //!< Task::collective
        /// The operation as the trace has it; empty if the bytes are exactly Task::bytes
        std::optional<chakra::CommType> traced;
        bool isAlgorithmGiven{false}; //!< Task::isAlgorithmGiven
        CollectiveOptions options;    //!< Task::options
    };

    /// A node.
    struct Entry
    {
        uint64_t id{0};                 //!< Its number
        uint64_t bytes{0};              //!< Size of what it sends
        double seconds{0};              //!< Time that it computes
        uint32_t common{0};             //!< Index of what it shares with others
        uint32_t peer{0};               //!< The other rank, or NO_PEER for that of the group
        uint32_t tag{0};                //!< Tag of its message
        uint32_t operation{UINT32_MAX}; //!< Task::operation, if it is given
        uint32_t nameEnd{0};            //!< Where its name ends among all names
        Role role{Role::NOTHING};       //!< What becomes of it
    };

    /**
     * @param settings how traces are to be understood
     * @param rank the rank
     */
    ChakraNodeTable(const ChakraSettings& settings, uint32_t rank);

    /**
     * Add a node. Throws std::invalid_argument, with a sentence that lacks its subject, for a node
     * that cannot be understood.
     *
     * @param node the node
     */
    void Add(const ChakraNode& node);

    /**
     * Add process groups. Text without any is left out; std::invalid_argument, with a sentence that
     * lacks its subject, for those of another form.
     *
     * @param text a list of groups with name and ranks, as PyTorch writes it into metadata
     */
    void AddGroups(std::string_view text);

    /**
     * Find the nodes that others wait for, once all have been added. Throws std::invalid_argument
     * with a sentence for one that does not exist.
     *
     * A trace with nodes of the host was recorded: then control dependencies are callers, not an
     * order, if there are data dependencies; and nodes that were not recorded count as done.
     *
     * @param isOrdered whether control dependencies only give other readers an order
     */
    void FindNodes(bool isOrdered);

    /**
     * Throws std::invalid_argument with a sentence for nodes that wait for each other.
     *
     * @return the positions of all nodes, each behind those that it waits for, and otherwise in the
     *         order of the file
     */
    std::vector<uint32_t> Sort() const;

    /**
     * @return the nodes in the order of the file
     */
    const std::vector<Entry>& GetEntries() const;

    /**
     * @param node the position of a node
     * @return what it shares with others
     */
    const Common& GetCommon(uint32_t node) const;

    /**
     * @param node the position of a node
     * @return its name
     */
    std::string GetName(uint32_t node) const;

    /**
     * @param node the position of a node
     * @param visit takes the position of each node that it waits for
     */
    template <typename T>
    void ForEachBefore(uint32_t node, T visit) const
    {
        for (std::size_t i = m_firstBefore[node]; i < m_firstBefore[node + 1]; ++i)
        {
            visit(m_before[i]);
        }
    }

    /**
     * @return the groups of ranks that metadata lists, by name; one without ranks has all of them
     */
    const std::map<std::string, std::vector<uint32_t>>& GetGroups() const;

    /**
     * @return the number of nodes of the host, which take no time
     */
    uint64_t GetNHostNodes() const;

    /**
     * @return their time as it was recorded, in seconds
     */
    double GetHostSeconds() const;

    /**
     * @return the number of nodes that others name, but the trace lacks
     */
    uint64_t GetNMissing() const;

  private:
    /**
     * @return the number and the position of each node, in the order of numbers; empty if nodes are
     *         numbered from 0 in the order of the file. Throws std::invalid_argument with a
     *         sentence for a number that occurs twice.
     */
    std::vector<std::pair<uint64_t, uint32_t>> FindPlaces() const;

    /**
     * Refuse nodes that wait for each other.
     *
     * @param waits the number of nodes that each still waits for when all others have been sorted
     */
    [[noreturn]] void RefuseCycle(const std::vector<uint32_t>& waits) const;

    /**
     * @param node a node
     * @param entry what it is for a program
     * @param common what it shares with others
     */
    void Keep(const ChakraNode& node, Entry entry, Common common);

    /**
     * @param node a node that computes, or accesses memory
     * @param attributes its attributes
     * @return its time, seconds
     */
    double GetSeconds(const ChakraNode& node, const ChakraAttributes& attributes) const;

    /**
     * @param node a node that sends or receives
     * @param attributes its attributes
     * @param [out] entry what it is for a program
     * @param [out] common what it shares with others
     */
    void TakeMessage(const ChakraNode& node,
                     const ChakraAttributes& attributes,
                     Entry& entry,
                     Common& common) const;

    /**
     * @param attributes the attributes of a collective operation
     * @param [out] entry what it is for a program
     * @param [out] common what it shares with others
     */
    void TakeCollective(const ChakraAttributes& attributes, Entry& entry, Common& common) const;

    const ChakraSettings& m_settings;                      //!< How traces are to be understood
    uint32_t m_rank;                                       //!< The rank
    std::map<std::string, std::vector<uint32_t>> m_groups; //!< Groups that metadata lists
    std::vector<Entry> m_entries;                          //!< The nodes in the order of the file
    std::vector<uint64_t> m_ids;                           //!< Nodes waited for, by their numbers
    std::vector<bool> m_isData;                            //!< Whether their data is waited for
    std::vector<uint32_t> m_before;                        //!< The same by their positions
    std::vector<std::size_t> m_firstBefore{0};             //!< Where those of each node begin
    std::string m_names;                                   //!< The names of all nodes in a row
    std::map<Common, uint32_t> m_numbers;                  //!< What nodes share, with its index
    std::vector<const Common*> m_commons;                  //!< The same by index
    std::set<uint64_t> m_missing;                          //!< Nodes that the trace lacks
    uint64_t m_hostNodes{0};                               //!< Number of nodes of the host
    double m_hostSeconds{0};                               //!< Their time as recorded, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* CHAKRA_NODE_TABLE_H */
