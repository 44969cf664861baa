/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-group.h"

#include "ns3/global-value.h"
#include "ns3/string.h"

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

#ifdef LIGHTPATH_MPI
#include "ns3/mpi-interface.h"

// Without the C++ classes that MPI had once
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace ns3
{
namespace lightpath
{

namespace
{

bool g_isJoined = false; //!< Join() was called
uint32_t g_rank = 0;     //!< Number of this process
uint32_t g_size = 1;     //!< Number of processes

#ifdef LIGHTPATH_MPI

std::vector<uint64_t> g_places; //!< Host and process ID of each process, as two numbers
std::string g_farewell;         //!< What is printed as another process has died

/**
 * Tell why this process ends, unless a process of a lower number on this host does.
 *
 * @param signal the signal that the launcher sends once a process has died
 */
void
Farewell(int signal)
{
    bool isFirst = true;
    for (uint32_t other = 0; other < g_rank; ++other)
    {
        isFirst = isFirst && (g_places[2 * other] != g_places[2 * g_rank] ||
                              kill(static_cast<pid_t>(g_places[2 * other + 1]), 0) != 0);
    }
    if (isFirst && write(STDERR_FILENO, g_farewell.data(), g_farewell.size()) < 0)
    {
        _exit(2);
    }
    _exit(128 + signal);
}

/// Be told by the launcher that another process has died.
void
WatchOthers()
{
    std::vector<uint64_t> places(2 * g_size, 0);
    places[2 * g_rank] = static_cast<uint64_t>(gethostid());
    places[2 * g_rank + 1] = static_cast<uint64_t>(getpid());
    g_places = ProcessGroup::Sum(places);
    g_farewell = "Process " + std::to_string(g_rank) + " of " + std::to_string(g_size) +
                 " of the simulation ends by SIGTERM, which the launcher sends when another one "
                 "has died\n";
    std::signal(SIGTERM, &Farewell);
    // It comes with SIGTERM, which must not come before it
    struct sigaction quiet = {};
    quiet.sa_handler = [](int) { _exit(1); };
    sigaddset(&quiet.sa_mask, SIGTERM);
    sigaction(SIGUSR1, &quiet, nullptr);
}

#endif

} // namespace

uint32_t
ProcessGroup::GetLaunched()
{
    // Open MPI and MPICH; other launchers set the second one for programs that have nothing in
    // common
    const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
#ifdef LIGHTPATH_MPI
    size = size ? size : std::getenv("PMI_SIZE");
#endif
    return size ? static_cast<uint32_t>(std::strtoul(size, nullptr, 10)) : 0;
}

void
ProcessGroup::Join(int& argc, char**& argv)
{
    g_isJoined = true;
    if (GetLaunched() < 2)
    {
        return;
    }
#ifdef LIGHTPATH_MPI
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DistributedSimulatorImpl"));
    MpiInterface::Enable(&argc, &argv);
    g_rank = MpiInterface::GetSystemId();
    g_size = MpiInterface::GetSize();
    WatchOthers();
#else
    const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
    if (rank && std::strtoul(rank, nullptr, 10) > 0)
    {
        // The first process tells why
        std::exit(1);
    }
    throw std::runtime_error("This is one of " + std::to_string(GetLaunched()) +
                             " processes, but ns-3 was built without MPI: build its source tree "
                             "after ./ns3 configure --enable-mpi, or start one process");
#endif
}

bool
ProcessGroup::IsJoined()
{
    return g_isJoined;
}

uint32_t
ProcessGroup::GetRank()
{
    return g_rank;
}

uint32_t
ProcessGroup::GetSize()
{
    return g_size;
}

bool
ProcessGroup::IsHere(const Ptr<const Node>& node)
{
    return IsOf(g_rank, node);
}

bool
ProcessGroup::IsOf(uint32_t process, const Ptr<const Node>& node)
{
    return g_size == 1 || node->GetSystemId() == process;
}

uint32_t
ProcessGroup::GetProcess(uint32_t unit, uint32_t units)
{
    return static_cast<uint32_t>(uint64_t{unit} * g_size / units);
}

std::vector<std::string>
ProcessGroup::Gather(const std::string& bytes)
{
    if (g_size == 1)
    {
        return {bytes};
    }
    std::vector<std::string> all;
#ifdef LIGHTPATH_MPI
    const MPI_Comm group = MpiInterface::GetCommunicator();
    const int size = static_cast<int>(bytes.size());
    std::vector<int> sizes(g_size);
    std::vector<int> begins(g_size + 1, 0);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, group);
    for (uint32_t process = 0; g_rank == 0 && process < g_size; ++process)
    {
        begins[process + 1] = begins[process] + sizes[process];
    }
    std::string whole(begins.back(), '\0');
    MPI_Gatherv(bytes.data(),
                size,
                MPI_BYTE,
                whole.data(),
                sizes.data(),
                begins.data(),
                MPI_BYTE,
                0,
                group);
    for (uint32_t process = 0; g_rank == 0 && process < g_size; ++process)
    {
        all.push_back(whole.substr(begins[process], sizes[process]));
    }
#endif
    return all;
}

std::vector<uint64_t>
ProcessGroup::Sum(const std::vector<uint64_t>& numbers)
{
    std::vector<uint64_t> sums = numbers;
#ifdef LIGHTPATH_MPI
    if (g_size > 1)
    {
        MPI_Allreduce(numbers.data(),
                      sums.data(),
                      static_cast<int>(numbers.size()),
                      MPI_UINT64_T,
                      MPI_SUM,
                      MpiInterface::GetCommunicator());
    }
#endif
    return sums;
}

void
ProcessGroup::AwaitLower()
{
#ifdef LIGHTPATH_MPI
    if (g_rank > 0)
    {
        std::signal(SIGTERM, SIG_DFL);
        sleep(g_rank);
    }
#endif
}

void
ProcessGroup::Abort()
{
#ifdef LIGHTPATH_MPI
    if (g_size > 1)
    {
        std::signal(SIGTERM, SIG_DFL);
        // This one has told why
        for (uint32_t other = 0; other < g_size; ++other)
        {
            if (other != g_rank && g_places[2 * other] == g_places[2 * g_rank])
            {
                kill(static_cast<pid_t>(g_places[2 * other + 1]), SIGUSR1);
            }
        }
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
#endif
}

void
ProcessGroup::Leave()
{
#ifdef LIGHTPATH_MPI
    if (g_size > 1)
    {
        MpiInterface::Disable();
        std::signal(SIGTERM, SIG_DFL);
    }
#endif
}

} // namespace lightpath
} // namespace ns3
