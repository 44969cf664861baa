/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_READER_H
#define CHAKRA_READER_H

#include "chakra-rank-reader.h"
#include "chakra-settings.h"
#include "communicators.h"

#include "ns3/training-plan.h"

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reads Chakra execution traces, one a rank, as a plan.
 *
 * The n-th collective operation of a group on each of its ranks belongs together, and the n-th
 * message of a rank to another with a tag to the n-th receive. Ranks whose programs are the same
 * share one. Only what the ranks wait for each other is kept of a trace besides its program, and
 * only until both sides are known.
 *
 * All refusals are std::invalid_argument with one sentence, which names file and node.
 */
class ChakraReader
{
  public:
    /**
     * @param nRanks the number of ranks
     * @param settings how traces are to be understood
     */
    explicit ChakraReader(uint32_t nRanks, ChakraSettings settings = ChakraSettings());

    /**
     * Read the traces of all ranks of a workload.
     *
     * @param pattern what all names begin with, before ".RANK.et"; or a name with an asterisk, or
     *        %d, for the number of the rank
     * @param settings how traces are to be understood
     * @return the plan
     */
    static TrainingPlan ReadFiles(const std::string& pattern, const ChakraSettings& settings);

    /**
     * Read the trace of the next rank, from rank 0 on.
     *
     * @param is the trace
     * @param name its name in error messages
     */
    void Read(std::istream& is, const std::string& name);

    /**
     * Make the plan, once the traces of all ranks have been read.
     *
     * @return the plan
     */
    TrainingPlan Finish();

  private:
    /// The collective operations of a group, as the first member that was read has them.
    struct Operations
    {
        uint32_t rank{0};              //!< That member
        std::vector<ChakraPart> parts; //!< Its parts
        std::vector<uint32_t> ranks;   //!< The members that were read
    };

    /// A rank that has been read.
    struct Rank
    {
        std::size_t program{0};              //!< Index of its program
        std::vector<uint32_t> communicators; //!< The groups that the program names
        std::vector<uint32_t> peers;         //!< The peers that the program names
        std::vector<bool> freePeers;         //!< Whether it names no group for their messages
    };

    /**
     * @param part the part of a rank
     * @param rank the rank
     * @return both in words
     */
    std::string Describe(const ChakraPart& part, uint32_t rank) const;

    /**
     * Refuse messages whose other side differs.
     *
     * @param source the rank that sends
     * @param destination the rank that receives
     * @param sends the messages as they are sent
     * @param receives the messages as they are received
     */
    void CheckMessages(uint32_t source,
                       uint32_t destination,
                       const std::vector<ChakraPart>& sends,
                       const std::vector<ChakraPart>& receives) const;

    /**
     * Compare the messages of a rank with those of its peers that have been read.
     *
     * @param number the rank
     * @param rank its trace
     */
    void MatchMessages(uint32_t number, ChakraRank& rank);

    /**
     * Compare the collective operations of a rank with those of other members.
     *
     * @param number the rank
     * @param rank its trace
     */
    void MatchCollectives(uint32_t number, ChakraRank& rank);

    /// Refuse what only some of its ranks take part in.
    void CheckComplete() const;

    /**
     * @param program a program
     * @return the index of an equal one, which may be this one
     */
    std::size_t Share(std::shared_ptr<RankProgram> program);

    /**
     * Make groups of ranks that send messages to each other, directly or over others.
     *
     * @return the number of the group of each rank; UINT32_MAX for a rank without messages
     */
    std::vector<uint32_t> JoinPeers();

    /**
     * @return what traces have besides the plan, in words; empty if they have no nodes of the host
     */
    std::string DescribeHosts() const;

    ChakraSettings m_settings;                            //!< How to understand traces
    Communicators m_communicators;                        //!< The groups of all ranks
    ChakraRankReader::Names m_names;                      //!< Names of groups
    std::vector<std::string> m_files;                     //!< Names of the traces
    std::vector<Rank> m_ranks;                            //!< The ranks that were read
    std::vector<std::shared_ptr<RankProgram>> m_programs; //!< Different programs
    std::multimap<std::size_t, std::size_t> m_hashes;     //!< Their indices by hash
    std::map<uint32_t, Operations> m_operations;          //!< By group
    std::map<std::pair<uint32_t, uint32_t>, std::vector<ChakraPart>> m_sends; //!< Without receive
    std::map<std::pair<uint32_t, uint32_t>, std::vector<ChakraPart>> m_receives; //!< Without send
    TrainingPlan m_plan;     //!< The plan, as far as traces of this module describe it
    uint64_t m_hostNodes{0}; //!< Number of nodes of hosts
    double m_hostSeconds{0}; //!< The longest time of those of a rank, seconds
    uint64_t m_missing{0};   //!< Number of nodes that others name in vain
};

} // namespace lightpath
} // namespace ns3

#endif /* CHAKRA_READER_H */
