/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "task-folder.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

bool
TaskFolder::IsEven(CollectiveAlgorithm algorithm, uint32_t members, bool isExchange)
{
    using Algorithm = CollectiveAlgorithm;
    const bool isPower = (members & (members - 1)) == 0;
    return algorithm == Algorithm::DIRECT || algorithm == Algorithm::PAIRWISE ||
           algorithm == Algorithm::IN_NETWORK || (algorithm == Algorithm::RING && !isExchange) ||
           (algorithm == Algorithm::HALVING_DOUBLING && isPower);
}

bool
TaskFolder::AreAlike(uint32_t members, bool wholeServers, const Task& task)
{
    using Algorithm = CollectiveAlgorithm;
    const bool isExchange = task.collective == CollectiveKind::ALL_TO_ALL;
    const auto isLevel = [=](Algorithm level, uint32_t ranks) {
        return level == Algorithm::AUTOMATIC || IsEven(level, ranks, isExchange);
    };
    const CollectiveOptions& options = task.options;
    const bool isOneLevel = IsEven(options.algorithm, members, isExchange) &&
                            (wholeServers || options.local == 1 || options.local == members);
    const bool isTwoLevel =
        (options.algorithm == Algorithm::AUTOMATIC || options.algorithm == Algorithm::TWO_LEVEL) &&
        isLevel(options.inside, options.local) && isLevel(options.across, members / options.local);
    // Rings of two GPUs of a server change their index in an odd number of servers
    const bool isMixed = options.algorithm == Algorithm::SERVER_RINGS &&
                         (options.local > 2 || members / options.local % 2 == 0);
    return isOneLevel || isTwoLevel || isMixed || members <= 2;
}

void
TaskFolder::Fold(uint32_t members, bool wholeServers, Task& task)
{
    const std::string name = task.group == TENSOR_GROUP ? "parts"
                             : task.group == DATA_GROUP ? "replicas"
                                                        : "ranks";
    if (task.kind != TaskKind::COLLECTIVE)
    {
        throw std::invalid_argument("Task " + task.name + " is a message between " + name +
                                    ": only a plan in which these take part in collectives alone "
                                    "can be folded");
    }
    if (!AreAlike(members, wholeServers, task))
    {
        throw std::invalid_argument(
            "Task " + task.name + " of " + std::to_string(members) + " " + name +
            " is not carried out by an algorithm, or by two in levels of whole servers, in which "
            "all members do the same: only a plan with ring, direct or pairwise messages, with "
            "halving and doubling of a power of two, or with sums in the network, can be folded");
    }
    const bool isCut = !wholeServers && task.options.local != 1 && task.options.local != members;
    if (task.group == TENSOR_GROUP && isCut)
    {
        throw std::invalid_argument("Task " + task.name + " has " +
                                    std::to_string(task.options.local) + " of " +
                                    std::to_string(members) +
                                    " parts a server: a plan whose parts do not all share a "
                                    "server cannot be folded");
    }
    if (task.collective == CollectiveKind::SEND_RECV)
    {
        if (isCut)
        {
            throw std::invalid_argument("Task " + task.name + " sends from " + name +
                                        " to the next one inside a server and in the next server: "
                                        "a plan in which these differ cannot be folded");
        }
    }
    else if (task.options.algorithm != CollectiveAlgorithm::IN_NETWORK)
    {
        // With even chunks all members do the same
        const uint64_t chunks =
            task.options.algorithm == CollectiveAlgorithm::SERVER_RINGS ? task.options.local : 1;
        const uint64_t parts = chunks * members;
        task.bytes = (task.bytes + parts - 1) / parts * parts;
    }
}

} // namespace lightpath
} // namespace ns3
