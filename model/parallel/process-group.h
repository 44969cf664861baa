/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROCESS_GROUP_H
#define PROCESS_GROUP_H

#include "ns3/node.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The processes that share one simulation, by MPI.
 *
 * Each process builds the whole network. It carries out the events of its own nodes, those with its
 * number as their system ID. A program that has not called Join() is a group of one.
 */
class ProcessGroup
{
  public:
    /**
     * @return the number of processes that a launcher such as mpirun says it has started; 0 if none
     *         has started this one
     */
    static uint32_t GetLaunched();

    /**
     * Join the processes that the launcher has started, before anything uses the simulator. Without
     * the module mpi of ns-3, more than one process is refused by std::runtime_error.
     *
     * @param argc the number of arguments of the program
     * @param argv the arguments
     */
    static void Join(int& argc, char**& argv);

    /**
     * @return true after Join(): what arrives at one instant is taken in an order of its own
     *         (OrderedArrival), which does not depend on the number of processes
     */
    static bool IsJoined();

    /**
     * @return the number of this process, from 0
     */
    static uint32_t GetRank();

    /**
     * @return the number of processes
     */
    static uint32_t GetSize();

    /**
     * @param node a node
     * @return true if this process carries out its events
     */
    static bool IsHere(const Ptr<const Node>& node);

    /**
     * @param process a process
     * @param node a node
     * @return true if that process carries out its events
     */
    static bool IsOf(uint32_t process, const Ptr<const Node>& node);

    /**
     * Divide units, such as servers, evenly among the processes.
     *
     * @param unit the number of a unit
     * @param units the number of units
     * @return the process that holds it
     */
    static uint32_t GetProcess(uint32_t unit, uint32_t units);

    /**
     * Collect what the processes know; all of them must call it.
     *
     * @param bytes what this one knows, less than 2 GiB
     * @return on process 0, what each process knows; empty on the others
     */
    static std::vector<std::string> Gather(const std::string& bytes);

    /**
     * Add up numbers of all processes; all of them must call it, within events at the same instant
     * or outside of Simulator::Run().
     *
     * @param numbers the numbers of this process
     * @return the sums
     */
    static std::vector<uint64_t> Sum(const std::vector<uint64_t>& numbers);

    /**
     * Let processes of lower numbers come first, as all processes fail for the same reason before a
     * simulation begins, and the first one that tells of it ends the others.
     */
    static void AwaitLower();

    /**
     * End all processes without success. With several processes it does not return.
     */
    static void Abort();

    /// Wait for the other processes, and end the use of MPI.
    static void Leave();
};

} // namespace lightpath
} // namespace ns3

#endif /* PROCESS_GROUP_H */
