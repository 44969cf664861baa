/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PASS_WRITER_H
#define PASS_WRITER_H

#include "model/plan/program-writer.h"

#include "ns3/operator-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the passes of microbatches one behind the other: a GPU computes all of one pass
 * before it begins the next.
 */
class PassWriter
{
  public:
    /**
     * @return the writer of the program, for tasks that belong to no pass
     */
    ProgramWriter& GetWriter();

    /**
     * Begin a pass, or passes that overlap.
     *
     * @param waits whether it waits for the passes before, even if it reads nothing of them
     */
    void Begin(bool waits);

    /**
     * @param pass the kind of the compute tasks that follow, forward or backward
     */
    void SetKind(Pass pass);

    /**
     * @param task a task that the first tasks of the current pass wait for
     */
    void AddToFence(uint32_t task);

    /**
     * @return the compute tasks that no other one waits for yet
     */
    const std::vector<uint32_t>& GetEnds() const;

    /**
     * @return the number of calls of AddCommunication() so far
     */
    uint32_t GetNCommunications() const;

    /**
     * Write a compute task. If nothing else orders it behind the passes before, it waits for them.
     *
     * @param name its name
     * @param seconds its time on the GPU, seconds
     * @param after the tasks that it waits for
     * @param routed the experts that it depends on
     * @return the index of its task
     */
    uint32_t AddCompute(const std::string& name,
                        double seconds,
                        std::vector<uint32_t> after,
                        const RoutedLayer& routed = RoutedLayer());

    /**
     * @param task a send, receive or collective
     * @param after the tasks that it waits for
     * @return the index of its task
     */
    uint32_t AddCommunication(Task task, const std::vector<uint32_t>& after);

  private:
    /**
     * Make room for the notes on tasks, of which some may belong to no pass.
     *
     * @param tasks the indices of the tasks
     */
    void Reach(const std::vector<uint32_t>& tasks);

    ProgramWriter m_writer;         //!< The writer of the program
    Pass m_pass{Pass::FORWARD};     //!< Kind of the current pass
    uint32_t m_nPasses{0};          //!< Number of passes so far
    uint32_t m_nCommunications{0};  //!< Number of communications so far
    std::vector<uint32_t> m_fence;  //!< Tasks that the first tasks of the pass wait for
    std::vector<uint32_t> m_ends;   //!< Compute tasks that no other one waits for yet
    std::vector<uint32_t> m_behind; //!< The number of the last pass before which all has been
                                    //!< computed when a task begins, by task
    std::vector<std::vector<uint32_t>> m_computed; //!< Compute tasks before each communication
};

} // namespace lightpath
} // namespace ns3

#endif /* PASS_WRITER_H */
