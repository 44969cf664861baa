/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRAM_WRITER_H
#define PROGRAM_WRITER_H

#include "rank-program.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the program of a rank task by task, and keeps it short.
 *
 * Successive compute tasks of one pass become one task if this changes neither the begin of any
 * communication nor the order of computation on the GPU: no communication is written between them,
 * and both wait, directly or not, for all receives and collectives that any compute task before
 * them waits for. To keep this exact, add a communication right after the last compute task that it
 * waits for.
 */
class ProgramWriter
{
  public:
    ProgramWriter();

    /**
     * @param pass the part of the iteration
     * @param name the name
     * @param seconds the time on the GPU, in seconds
     * @param after the indices of the tasks that it waits for
     * @param routed the experts that it depends on
     * @return the index of the task that it is, or is part of
     */
    uint32_t AddCompute(Pass pass,
                        const std::string& name,
                        double seconds,
                        const std::vector<uint32_t>& after,
                        const RoutedLayer& routed = RoutedLayer());

    /**
     * @param task a send, receive or collective
     * @param after the indices of the tasks that it waits for
     * @return its index
     */
    uint32_t AddCommunication(Task task, const std::vector<uint32_t>& after);

    /**
     * @return the program; the writer is empty thereafter
     */
    std::shared_ptr<const RankProgram> Finish();

  private:
    /// The state of a task that has been written.
    struct State
    {
        bool wait{false};            //!< It is a receive or a collective: it may take any time
        uint32_t number{UINT32_MAX}; //!< Number of waits that compute tasks heed before this one
        uint32_t covers{0};          //!< It comes after all waits of lower numbers than this
    };

    /**
     * @param after the tasks that a compute task waits for
     * @return the largest k such that it follows the first k of the waits that compute tasks heed
     */
    uint32_t GetCovers(const std::vector<uint32_t>& after) const;

    /**
     * Number the waits that a compute task is the first to heed.
     *
     * @param after the tasks that it waits for
     * @return true if there are any
     */
    bool Heed(const std::vector<uint32_t>& after);

    /**
     * Write the open compute task, which then takes no further ones in.
     */
    void Close();

    /**
     * @param task the task to write
     * @param after the tasks that it waits for
     */
    void Write(Task task, const std::vector<uint32_t>& after);

    std::shared_ptr<RankProgram> m_program; //!< The program so far
    std::vector<State> m_states;            //!< The state of its tasks, and of the open one
    uint32_t m_nHeeded{0};                  //!< Number of waits that compute tasks heed so far
    bool m_isOpen{false};                   //!< Whether there is a compute task not written yet
    Task m_open;                            //!< The compute task not written yet
    std::vector<uint32_t> m_openAfter;      //!< The tasks that it waits for
    std::string m_lastName;                 //!< Name of the last task joined to it, if any
};

} // namespace lightpath
} // namespace ns3

#endif /* PROGRAM_WRITER_H */
