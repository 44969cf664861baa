/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "algorithm-table.h"

#include "all-to-all-schedule.h"
#include "bruck-schedule.h"
#include "circulant-schedule.h"
#include "direct-schedule.h"
#include "double-tree-schedule.h"
#include "halving-doubling-schedule.h"
#include "in-network-schedule.h"
#include "multi-ring-schedule.h"
#include "pairwise-schedule.h"
#include "ring-schedule.h"
#include "send-recv-schedule.h"
#include "two-level-schedule.h"

#include <array>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The names of all algorithms, in the order of CollectiveAlgorithm
constexpr std::array<const char*, 10> NAMES{"automatic",
                                            "ring",
                                            "multi-ring",
                                            "halving-doubling",
                                            "double-tree",
                                            "two-level",
                                            "direct",
                                            "pairwise",
                                            "bruck",
                                            "in-network"};

/// The names of all operations, in the order of CollectiveKind
constexpr std::array<const char*, 5> KINDS{"all-reduce",
                                           "reduce-scatter",
                                           "all-gather",
                                           "all-to-all",
                                           "send-recv"};

/**
 * @param names names
 * @return a list of them as in a sentence
 */
std::string
Join(const std::vector<std::string>& names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        list += i == 0 ? "" : i + 1 < names.size() ? ", " : " and ";
        list += names[i];
    }
    return list;
}

} // namespace

CollectiveAlgorithm
AlgorithmTable::GetAlgorithm(const std::string& name)
{
    for (std::size_t i = 0; i < NAMES.size(); ++i)
    {
        if (name == NAMES[i])
        {
            return static_cast<CollectiveAlgorithm>(i);
        }
    }
    throw std::invalid_argument("There is no algorithm \"" + name +
                                "\" for collective operations: known are " +
                                Join({NAMES.begin(), NAMES.end()}));
}

std::string
AlgorithmTable::GetName(CollectiveAlgorithm algorithm)
{
    const auto number = static_cast<std::size_t>(algorithm);
    if (number >= NAMES.size())
    {
        throw std::invalid_argument("There is no algorithm number " + std::to_string(number) +
                                    " for collective operations: the last one is 9, in-network");
    }
    return NAMES[number];
}

bool
AlgorithmTable::IsFor(CollectiveAlgorithm algorithm, CollectiveKind kind)
{
    switch (algorithm)
    {
    case CollectiveAlgorithm::AUTOMATIC:
    case CollectiveAlgorithm::DIRECT:
        return true;
    case CollectiveAlgorithm::RING:
    case CollectiveAlgorithm::MULTI_RING:
    case CollectiveAlgorithm::HALVING_DOUBLING:
    case CollectiveAlgorithm::TWO_LEVEL:
        return kind != CollectiveKind::ALL_TO_ALL && kind != CollectiveKind::SEND_RECV;
    case CollectiveAlgorithm::DOUBLE_TREE:
    case CollectiveAlgorithm::IN_NETWORK:
        return kind == CollectiveKind::ALL_REDUCE;
    case CollectiveAlgorithm::PAIRWISE:
    case CollectiveAlgorithm::BRUCK:
        return kind == CollectiveKind::ALL_TO_ALL;
    }
    return false;
}

void
AlgorithmTable::Check(CollectiveKind kind, uint32_t ranks, const CollectiveOptions& options)
{
    const auto operation = static_cast<std::size_t>(kind);
    if (operation >= KINDS.size())
    {
        throw std::invalid_argument("There is no collective operation number " +
                                    std::to_string(operation) + ": the last one is 4, send-recv");
    }
    const std::string name = GetName(options.algorithm);
    if (!IsFor(options.algorithm, kind))
    {
        std::vector<std::string> others;
        for (std::size_t i = 0; i < NAMES.size(); ++i)
        {
            if (IsFor(static_cast<CollectiveAlgorithm>(i), kind))
            {
                others.emplace_back(NAMES[i]);
            }
        }
        throw std::invalid_argument("The algorithm " + name + " does not carry out " +
                                    KINDS[operation] + ": " + Join(others) +
                                    (others.size() > 1 ? " do" : " does"));
    }
    if (options.algorithm != CollectiveAlgorithm::MULTI_RING && options.rings != 1)
    {
        throw std::invalid_argument("The algorithm " + name + " cannot have " +
                                    std::to_string(options.rings) +
                                    " rings: several rings belong to multi-ring");
    }
    if (options.rings == 0)
    {
        throw std::invalid_argument("The algorithm multi-ring needs at least 1 ring, not 0");
    }
    if (ranks == 1)
    {
        return;
    }
    if (options.rings > 1)
    {
        const uint32_t strides = MultiRingSchedule::GetNStrides(ranks);
        if (options.rings > strides)
        {
            throw std::invalid_argument("A group of " + std::to_string(ranks) +
                                        " ranks cannot have " + std::to_string(options.rings) +
                                        " rings: it has " + std::to_string(strides) +
                                        (strides == 1 ? " stride" : " strides") +
                                        " without a common divisor with " + std::to_string(ranks));
        }
    }
    if (options.algorithm == CollectiveAlgorithm::TWO_LEVEL &&
        (options.local == 1 || options.local == ranks))
    {
        throw std::invalid_argument("The algorithm two-level needs several servers of several "
                                    "ranks: a group of " +
                                    std::to_string(ranks) + " ranks has " +
                                    std::to_string(options.local) + " in each server");
    }
}

CollectiveAlgorithm
AlgorithmTable::GetAutomatic(CollectiveKind kind, uint32_t ranks, uint32_t local)
{
    if (kind == CollectiveKind::ALL_TO_ALL || kind == CollectiveKind::SEND_RECV)
    {
        return CollectiveAlgorithm::DIRECT;
    }
    return local > 1 && local < ranks ? CollectiveAlgorithm::TWO_LEVEL : CollectiveAlgorithm::RING;
}

std::shared_ptr<CollectiveSchedule>
AlgorithmTable::Make(CollectiveKind kind,
                     uint32_t ranks,
                     uint64_t bytes,
                     const CollectiveOptions& options)
{
    Check(kind, ranks, options);
    const bool isAutomatic = options.algorithm == CollectiveAlgorithm::AUTOMATIC || ranks == 1;
    switch (isAutomatic ? GetAutomatic(kind, ranks, options.local) : options.algorithm)
    {
    case CollectiveAlgorithm::MULTI_RING:
        return std::make_shared<MultiRingSchedule>(kind, ranks, bytes, options.rings);
    case CollectiveAlgorithm::HALVING_DOUBLING:
        if ((ranks & (ranks - 1)) != 0)
        {
            return std::make_shared<CirculantSchedule>(kind, ranks, bytes);
        }
        return std::make_shared<HalvingDoublingSchedule>(kind, ranks, bytes);
    case CollectiveAlgorithm::DOUBLE_TREE:
        return std::make_shared<DoubleTreeSchedule>(ranks,
                                                    bytes,
                                                    DoubleTreeSchedule::ChooseChunks(ranks, bytes));
    case CollectiveAlgorithm::TWO_LEVEL:
        return std::make_shared<TwoLevelSchedule>(kind, ranks, bytes, options.local);
    case CollectiveAlgorithm::PAIRWISE:
        return std::make_shared<PairwiseSchedule>(ranks, bytes);
    case CollectiveAlgorithm::BRUCK:
        return std::make_shared<BruckSchedule>(ranks, bytes);
    case CollectiveAlgorithm::IN_NETWORK:
        return std::make_shared<InNetworkSchedule>(ranks, bytes);
    case CollectiveAlgorithm::DIRECT:
        if (kind == CollectiveKind::ALL_TO_ALL)
        {
            return std::make_shared<AllToAllSchedule>(ranks, bytes);
        }
        if (kind == CollectiveKind::SEND_RECV)
        {
            return std::make_shared<SendRecvSchedule>(ranks, bytes);
        }
        return std::make_shared<DirectSchedule>(kind, ranks, bytes);
    case CollectiveAlgorithm::RING:
    case CollectiveAlgorithm::AUTOMATIC:
        break;
    }
    return std::make_shared<RingSchedule>(kind, ranks, bytes);
}

} // namespace lightpath
} // namespace ns3
