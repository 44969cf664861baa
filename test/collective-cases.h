/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COLLECTIVE_CASES_H
#define LIGHTPATH_COLLECTIVE_CASES_H

#include "model/collective/double-tree-schedule.h"
#include "model/collective/grid-schedule.h"

#include "ns3/collective-schedule.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

/// A schedule to test.
struct ScheduleCase
{
    /// The schedule.
    std::shared_ptr<const ns3::lightpath::CollectiveSchedule> schedule;
    ns3::lightpath::CollectiveKind kind;       //!< The operation
    ns3::lightpath::CollectiveOptions options; //!< How it is carried out
    std::string name;                          //!< What is said of it

    /**
     * @param algorithm an algorithm
     * @return true if it is that of the schedule, or of one of its levels
     */
    bool Uses(ns3::lightpath::CollectiveAlgorithm algorithm) const
    {
        return options.algorithm == algorithm || options.inside == algorithm ||
               options.across == algorithm;
    }
};

/**
 * @ingroup lightpath-tests
 * @param kind an operation
 * @param n the number of ranks
 * @param bytes the size of the buffer
 * @return its schedules in two levels, for all sizes of servers, with every algorithm inside and
 *         every one across them
 */
inline std::vector<ScheduleCase>
MakeLevelCases(ns3::lightpath::CollectiveKind kind, uint32_t n, uint64_t bytes)
{
    using namespace ns3::lightpath;
    using A = CollectiveAlgorithm;
    std::vector<std::pair<A, A>> ways{{A::RING, A::RING},
                                      {A::DIRECT, A::HALVING_DOUBLING},
                                      {A::HALVING_DOUBLING, A::DIRECT},
                                      {A::LINE, A::MULTI_RING},
                                      {A::IN_NETWORK, A::LINE}};
    if (kind == CollectiveKind::ALL_REDUCE)
    {
        ways.insert(ways.end(),
                    {{A::RING, A::DOUBLE_TREE},
                     {A::DIRECT, A::IN_NETWORK},
                     {A::IN_NETWORK, A::IN_NETWORK}});
    }
    const bool isExchange = kind == CollectiveKind::ALL_TO_ALL;
    if (isExchange)
    {
        ways = {{A::DIRECT, A::DIRECT}, {A::DIRECT, A::PAIRWISE}, {A::PAIRWISE, A::DIRECT}};
    }
    std::vector<ScheduleCase> cases;
    for (uint32_t local = 2; local < n; ++local)
    {
        if (n % local != 0)
        {
            continue;
        }
        for (std::size_t way = 0; way < ways.size() * (isExchange ? 2 : 1); ++way)
        {
            const auto [inside, across] = ways[way % ways.size()];
            const uint32_t rings = across == A::MULTI_RING && n / local > 2 ? 2 : 1;
            CollectiveOptions options(local, A::TWO_LEVEL, rings, inside, across);
            options.isAcrossFirst = way >= ways.size();
            cases.push_back({CollectiveSchedule::Create(kind, n, bytes, options),
                             kind,
                             options,
                             CollectiveSchedule::GetName(inside) + " inside servers of " +
                                 std::to_string(local) + ", " +
                                 CollectiveSchedule::GetName(across) + " across" +
                                 (options.isAcrossFirst ? " first" : "") + ", operation " +
                                 std::to_string(static_cast<int>(kind)) + " of " +
                                 std::to_string(bytes) + " bytes over " + std::to_string(n)});
        }
    }
    return cases;
}

/**
 * @ingroup lightpath-tests
 * @param n the number of ranks
 * @param bytes the size of the buffer
 * @return its sums and gatherings over all grids of several rows and columns, by 1 to 4 pieces
 */
inline std::vector<ScheduleCase>
MakeGridCases(uint32_t n, uint64_t bytes)
{
    using namespace ns3::lightpath;
    std::vector<ScheduleCase> cases;
    for (uint32_t columns = 2; columns < n; ++columns)
    {
        for (uint32_t pieces = 1; pieces <= 4 && n % columns == 0; ++pieces)
        {
            for (const auto kind : {CollectiveKind::ALL_REDUCE,
                                    CollectiveKind::REDUCE_SCATTER,
                                    CollectiveKind::ALL_GATHER})
            {
                cases.push_back({std::make_shared<GridSchedule>(kind, n, bytes, columns, pieces),
                                 kind,
                                 {columns, CollectiveAlgorithm::GRID},
                                 std::to_string(pieces) + " pieces on " + std::to_string(columns) +
                                     " columns, operation " +
                                     std::to_string(static_cast<int>(kind)) + " of " +
                                     std::to_string(bytes) + " bytes over " + std::to_string(n)});
            }
        }
    }
    return cases;
}

/**
 * @ingroup lightpath-tests
 * @param n the number of ranks
 * @param bytes the size of the buffer
 * @return its sums and gatherings over all tori of several axes, of rings, lines or both
 */
inline std::vector<ScheduleCase>
MakeTorusCases(uint32_t n, uint64_t bytes)
{
    using namespace ns3::lightpath;
    std::vector<ScheduleCase> cases;
    for (uint32_t number = 0; number < 8 * n * n; ++number)
    {
        CollectiveOptions options(1, CollectiveAlgorithm::TORUS);
        const uint32_t x = number / 8 % n + 1;
        const uint32_t y = number / 8 / n + 1;
        if (n % (x * y) != 0)
        {
            continue;
        }
        options.axes.sizes = {x, y, n / x / y};
        options.axes.isRing = {(number & 1) != 0, (number & 2) != 0, (number & 4) != 0};
        // Of ranks, and of few servers of two
        CollectiveOptions across(2, CollectiveAlgorithm::TWO_LEVEL);
        across.across = CollectiveAlgorithm::TORUS;
        across.axes = options.axes;
        for (const auto& way : {options, across})
        {
            const uint32_t ranks = way.local * n;
            for (const auto kind : {CollectiveKind::ALL_REDUCE,
                                    CollectiveKind::REDUCE_SCATTER,
                                    CollectiveKind::ALL_GATHER})
            {
                if (ranks > n && (n > 8 || number % 7 > 0))
                {
                    continue;
                }
                cases.push_back({CollectiveSchedule::Create(kind, ranks, bytes, way),
                                 kind,
                                 way,
                                 "torus of " + std::to_string(x) + " x " + std::to_string(y) +
                                     " of " + std::to_string(ranks) + " ranks, rings " +
                                     std::to_string(number % 8) + ", operation " +
                                     std::to_string(static_cast<int>(kind)) + " of " +
                                     std::to_string(bytes) + " bytes"});
            }
        }
    }
    return cases;
}

/**
 * @ingroup lightpath-tests
 * @param n the number of ranks, at least 2
 * @param bytes the size of the buffer
 * @param allRings true for all numbers of rings up to 6, false for 2 and 4, if there are as many
 * @return the schedules of all operations by all algorithms
 */
inline std::vector<ScheduleCase>
MakeScheduleCases(uint32_t n, uint64_t bytes, bool allRings)
{
    using namespace ns3::lightpath;
    std::vector<ScheduleCase> cases;
    const auto add = [&](const std::string& kind,
                         const std::string& algorithm,
                         uint32_t rings,
                         uint32_t local) {
        const auto operation = CollectiveSchedule::GetKind(kind);
        const CollectiveOptions options(local, CollectiveSchedule::GetAlgorithm(algorithm), rings);
        cases.push_back({CollectiveSchedule::Create(operation, n, bytes, options),
                         operation,
                         options,
                         kind + " by " + algorithm + " of " + std::to_string(bytes) +
                             " bytes over " + std::to_string(n) + " ranks, " +
                             std::to_string(rings) + " rings, " + std::to_string(local) +
                             " in a server"});
    };
    uint32_t strides = 0;
    for (uint32_t stride = 1; stride < n; ++stride)
    {
        strides += std::gcd(stride, n) == 1;
    }
    for (const std::string kind : {"all-reduce", "reduce-scatter", "all-gather"})
    {
        for (const std::string algorithm :
             {"automatic", "ring", "halving-doubling", "direct", "line"})
        {
            add(kind, algorithm, 1, 1);
        }
        for (uint32_t rings = 1; rings <= std::min(strides, 6U); ++rings)
        {
            if (allRings || rings == 2 || rings == 4)
            {
                add(kind, "multi-ring", rings, 1);
            }
        }
        for (uint32_t local = 2; local < n; ++local)
        {
            if (n % local == 0)
            {
                add(kind, "grid", 1, local);
                add(kind, "server-rings", 1, local);
            }
        }
        add(kind, "grid", 1, 1);
    }
    for (const std::string kind : {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"})
    {
        const auto levels = MakeLevelCases(CollectiveSchedule::GetKind(kind), n, bytes);
        cases.insert(cases.end(), levels.begin(), levels.end());
    }
    for (const std::string algorithm : {"automatic", "direct", "pairwise", "bruck", "line"})
    {
        add("all-to-all", algorithm, 1, 1);
    }
    add("send-recv", "direct", 1, 1);
    add("all-reduce", "double-tree", 1, 1);
    for (const uint32_t chunks : {2, 3, 9, 25})
    {
        cases.push_back({std::make_shared<DoubleTreeSchedule>(n, bytes, chunks),
                         CollectiveKind::ALL_REDUCE,
                         {1, CollectiveAlgorithm::DOUBLE_TREE},
                         "two trees of " + std::to_string(chunks) + " chunks, " +
                             std::to_string(bytes) + " bytes, " + std::to_string(n) + " ranks"});
    }
    return cases;
}

#endif /* LIGHTPATH_COLLECTIVE_CASES_H */
