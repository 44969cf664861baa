/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_WRITER_H
#define CHAKRA_WRITER_H

#include "model/base/protobuf-writer.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes a plan as Chakra execution traces, one a rank, which ASTRA-sim reads as well.
 *
 * Ranks have the numbers of their ports. What a trace cannot say goes into attributes of this
 * module, which other readers ignore: ChakraReader makes the same plan of them. Tasks that follow
 * the load of experts are those of a typical draw.
 *
 * Chakra has no ring of messages (CollectiveKind::SEND_RECV); a node that sends and one that
 * receives stand for it.
 */
class ChakraWriter
{
  public:
    /**
     * Throws std::invalid_argument for a folded plan, whose ranks stand for others.
     *
     * @param plan the plan
     */
    explicit ChakraWriter(const TrainingPlan& plan);

    /**
     * Write the traces of all ranks, and a file of their groups. Throws std::invalid_argument for a
     * file that cannot be written.
     *
     * @param pattern the names of the files, as ChakraReader::ReadFiles() takes them
     */
    void WriteFiles(const std::string& pattern) const;

    /**
     * @param rank a rank
     * @param os where to write its trace
     */
    void Write(uint32_t rank, std::ostream& os) const;

  private:
    class Node;

    /**
     * Write the groups of all ranks, as ASTRA-sim takes them.
     *
     * @param os the stream
     */
    void WriteGroups(std::ostream& os) const;

    /**
     * @param rank a rank
     * @return its groups, in the form of the process groups of PyTorch
     */
    std::string GetGroups(uint32_t rank) const;

    /**
     * @param rank a rank
     * @param kind a kind of groups
     * @return the name of its group of this kind
     */
    std::string GetGroupName(uint32_t rank, uint32_t kind) const;

    /**
     * Write the second half of a ring of messages.
     *
     * @param rank a rank
     * @param task its task
     * @param id the number of the node, next to that of the first half
     * @param os where to write
     */
    void WriteReceive(uint32_t rank, const Task& task, uint64_t id, std::ostream& os) const;

    /**
     * @param rank a rank
     * @param task its task
     * @param [out] node the node, to which the attributes of the task are added
     */
    void AddAttributes(uint32_t rank, const Task& task, Node& node) const;

    /**
     * @param options how a collective operation is carried out
     * @param [out] node the node, to which attributes are added
     */
    static void AddOptions(const CollectiveOptions& options, Node& node);

    TrainingPlan m_plan; //!< The plan, with ports as ranks

    /// The number of each group, by its members
    std::map<const std::vector<uint32_t>*, uint32_t> m_numbers;
};

} // namespace lightpath
} // namespace ns3

#endif /* CHAKRA_WRITER_H */
