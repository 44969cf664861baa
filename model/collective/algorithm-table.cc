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
#include "grid-schedule.h"
#include "halving-doubling-schedule.h"
#include "in-network-schedule.h"
#include "line-schedule.h"
#include "model/base/nearest-name.h"
#include "model/base/ring-strides.h"
#include "multi-ring-schedule.h"
#include "pairwise-schedule.h"
#include "ring-schedule.h"
#include "send-recv-schedule.h"
#include "server-ring-schedule.h"
#include "torus-schedule.h"
#include "two-level-schedule.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The operation that a schedule is made for.
using Request = AlgorithmTable::Request;

/**
 * @tparam S a schedule that is made from the operation, the ranks and the bytes
 * @param request the collective to schedule
 * @return the schedule
 */
template <typename S>
std::shared_ptr<CollectiveSchedule>
MakeForKind(const Request& request)
{
    return std::make_shared<S>(request.kind, request.ranks, request.bytes);
}

/**
 * @tparam S a schedule that is made from the ranks and the bytes
 * @param request the collective to schedule
 * @return the schedule
 */
template <typename S>
std::shared_ptr<CollectiveSchedule>
MakeForRanks(const Request& request)
{
    return std::make_shared<S>(request.ranks, request.bytes);
}

/**
 * @param request the collective to schedule
 * @return recursive halving and doubling, or its form for any number of ranks
 */
std::shared_ptr<CollectiveSchedule>
MakeHalving(const Request& request)
{
    const bool isPowerOf2 = (request.ranks & (request.ranks - 1)) == 0;
    return isPowerOf2 ? MakeForKind<HalvingDoublingSchedule>(request)
                      : MakeForKind<CirculantSchedule>(request);
}

/**
 * @param request the collective to schedule
 * @return two trees, with the number of chunks that suits the buffer
 */
std::shared_ptr<CollectiveSchedule>
MakeTrees(const Request& request)
{
    return std::make_shared<DoubleTreeSchedule>(
        request.ranks,
        request.bytes,
        DoubleTreeSchedule::ChooseChunks(request.ranks, request.bytes));
}

/**
 * @param request the collective to schedule
 * @return one algorithm inside servers and one across them
 */
std::shared_ptr<CollectiveSchedule>
MakeTwoLevels(const Request& request)
{
    return std::make_shared<TwoLevelSchedule>(request.kind,
                                              request.ranks,
                                              request.bytes,
                                              request.options);
}

/**
 * @tparam S a schedule that is made from the operation, the ranks, the bytes and an option
 * @tparam option the option
 * @param request the collective to schedule
 * @return the schedule
 */
template <typename S, auto option>
std::shared_ptr<CollectiveSchedule>
MakeWith(const Request& request)
{
    return std::make_shared<S>(request.kind, request.ranks, request.bytes, request.options.*option);
}

/**
 * @param request the collective to schedule
 * @return messages straight to the ranks that need them
 */
std::shared_ptr<CollectiveSchedule>
MakeDirect(const Request& request)
{
    switch (request.kind)
    {
    case CollectiveKind::ALL_TO_ALL:
        return MakeForRanks<AllToAllSchedule>(request);
    case CollectiveKind::SEND_RECV:
        return MakeForRanks<SendRecvSchedule>(request);
    default:
        return MakeForKind<DirectSchedule>(request);
    }
}

/**
 * @param names names
 * @return the names as a list in a sentence
 */
std::string
JoinNames(const std::vector<std::string>& names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        list += i == 0 ? "" : i + 1 < names.size() ? ", " : " and ";
        list += names[i];
    }
    return list;
}

/**
 * @param algorithms algorithms
 * @return their names as a list in a sentence
 */
std::string
JoinAlgorithmNames(const std::vector<CollectiveAlgorithm>& algorithms)
{
    std::vector<std::string> names;
    for (const auto algorithm : algorithms)
    {
        names.push_back(AlgorithmTable::GetRow(algorithm).name);
    }
    return JoinNames(names);
}

} // namespace

const std::vector<AlgorithmTable::Row>&
AlgorithmTable::GetRows()
{
    using A = CollectiveAlgorithm;
    using K = CollectiveKind;
    using N = Needs;
    using O = CollectiveOptions;
    using Kinds = const std::vector<K>;
    // Inside the function: attributes read the table before main() begins
    static Kinds reduce{K::ALL_REDUCE};
    static Kinds toAll{K::ALL_TO_ALL};
    static Kinds sums{K::ALL_REDUCE, K::REDUCE_SCATTER, K::ALL_GATHER};
    static Kinds exchanges{K::ALL_REDUCE, K::REDUCE_SCATTER, K::ALL_GATHER, K::ALL_TO_ALL};
    static Kinds all{K::ALL_REDUCE, K::REDUCE_SCATTER, K::ALL_GATHER, K::ALL_TO_ALL, K::SEND_RECV};
    static const std::vector<Row> rows{
        {A::AUTOMATIC, "automatic", "", all, N::NOTHING, nullptr},
        {A::RING, "ring", "one ring", sums, N::NOTHING, MakeForKind<RingSchedule>},
        {A::MULTI_RING,
         "multi-ring",
         "rings",
         sums,
         N::NOTHING,
         MakeWith<MultiRingSchedule, &O::rings>},
        {A::HALVING_DOUBLING,
         "halving-doubling",
         "halving and doubling",
         sums,
         N::NOTHING,
         MakeHalving},
        {A::DOUBLE_TREE, "double-tree", "double tree", reduce, N::NOTHING, MakeTrees},
        {A::TWO_LEVEL, "two-level", "two levels", exchanges, N::SERVERS, MakeTwoLevels},
        {A::DIRECT, "direct", "direct messages", all, N::NOTHING, MakeDirect},
        {A::PAIRWISE,
         "pairwise",
         "one peer at a time",
         toAll,
         N::NOTHING,
         MakeForRanks<PairwiseSchedule>},
        {A::BRUCK, "bruck", "Bruck's algorithm", toAll, N::NOTHING, MakeForRanks<BruckSchedule>},
        {A::IN_NETWORK,
         "in-network",
         "averaging in the network",
         reduce,
         N::AVERAGING,
         MakeForRanks<InNetworkSchedule>},
        {A::GRID, "grid", "rows and columns", sums, N::GRID, MakeWith<GridSchedule, &O::local>},
        {A::LINE, "line", "neighbours on a line", exchanges, N::LINE, MakeForKind<LineSchedule>},
        {A::SERVER_RINGS,
         "server-rings",
         "rings through servers",
         sums,
         N::SERVERS,
         MakeWith<ServerRingSchedule, &O::local>},
        {A::TORUS, "torus", "axes of a torus", sums, N::TORUS, MakeWith<TorusSchedule, &O::axes>},
    };
    return rows;
}

std::vector<AlgorithmTable::Row>
AlgorithmTable::GetChoices()
{
    std::vector<Row> choices;
    for (const auto& row : GetRows())
    {
        if (row.needs != Needs::AVERAGING && row.needs != Needs::LINE &&
            row.needs != Needs::TORUS && IsFor(row.value, CollectiveKind::ALL_REDUCE))
        {
            choices.push_back(row);
        }
    }
    return choices;
}

const AlgorithmTable::Row&
AlgorithmTable::GetRow(CollectiveAlgorithm algorithm)
{
    const auto number = static_cast<std::size_t>(algorithm);
    const auto& rows = GetRows();
    if (number >= rows.size())
    {
        throw std::invalid_argument("There is no algorithm number " + std::to_string(number) +
                                    " for collective operations: the last one is " +
                                    std::to_string(rows.size() - 1) + ", " + rows.back().name);
    }
    return rows[number];
}

CollectiveAlgorithm
AlgorithmTable::GetAlgorithm(const std::string& name)
{
    std::vector<std::string> known;
    for (const auto& row : GetRows())
    {
        if (row.name == name)
        {
            return row.value;
        }
        known.push_back(row.name);
    }
    throw std::invalid_argument("There is no algorithm \"" + name +
                                "\" for collective operations: " + ListKnown(name, known));
}

const std::vector<std::string>&
AlgorithmTable::GetKindNames()
{
    static const std::vector<std::string> names{"all-reduce",
                                                "reduce-scatter",
                                                "all-gather",
                                                "all-to-all",
                                                "send-recv"};
    return names;
}

CollectiveKind
AlgorithmTable::GetKind(const std::string& name)
{
    const auto& names = GetKindNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        throw std::invalid_argument("There is no collective operation \"" + name +
                                    "\": " + ListKnown(name, names));
    }
    return static_cast<CollectiveKind>(found - names.begin());
}

std::string
AlgorithmTable::Describe(CollectiveAlgorithm algorithm, uint32_t rings)
{
    const std::string& words = GetRow(algorithm).words;
    return algorithm == CollectiveAlgorithm::MULTI_RING ? std::to_string(rings) + " " + words
                                                        : words;
}

bool
AlgorithmTable::IsFor(CollectiveAlgorithm algorithm, CollectiveKind kind)
{
    const auto& kinds = GetRow(algorithm).kinds;
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

void
AlgorithmTable::Check(const Request& request)
{
    const CollectiveOptions& options = request.options;
    const uint32_t ranks = request.ranks;
    const auto& kinds = GetKindNames();
    const auto operation = static_cast<std::size_t>(request.kind);
    if (operation >= kinds.size())
    {
        throw std::invalid_argument("There is no collective operation number " +
                                    std::to_string(operation) + ": the last one is 4, send-recv");
    }
    const std::string& name = GetRow(options.algorithm).name;
    if (!IsFor(options.algorithm, request.kind))
    {
        std::vector<CollectiveAlgorithm> others;
        for (const auto& row : GetRows())
        {
            if (IsFor(row.value, request.kind))
            {
                others.push_back(row.value);
            }
        }
        throw std::invalid_argument("The algorithm " + name + " does not carry out " +
                                    kinds[operation] + ": " + JoinAlgorithmNames(others) +
                                    (others.size() > 1 ? " do" : " does"));
    }
    const bool isTwoLevel = options.algorithm == CollectiveAlgorithm::TWO_LEVEL;
    const auto inRings = isTwoLevel ? options.across : options.algorithm;
    if (inRings != CollectiveAlgorithm::MULTI_RING && options.rings != 1)
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
    if (options.rings > 1 && !isTwoLevel)
    {
        const uint32_t strides = RingStrides::Count(ranks);
        if (options.rings > strides)
        {
            throw std::invalid_argument("A group of " + std::to_string(ranks) +
                                        " ranks cannot have " + std::to_string(options.rings) +
                                        " rings: it has " + std::to_string(strides) +
                                        (strides == 1 ? " stride" : " strides") +
                                        " without a common divisor with " + std::to_string(ranks));
        }
    }
    CheckLevels(request);
}

void
AlgorithmTable::CheckLevels(const Request& request)
{
    using A = CollectiveAlgorithm;
    const CollectiveOptions& options = request.options;
    const bool isTwoLevel = options.algorithm == A::TWO_LEVEL;
    if (options.isAcrossFirst && (!isTwoLevel || request.kind != CollectiveKind::ALL_TO_ALL))
    {
        throw std::invalid_argument(
            "Only an all-to-all by the algorithm two-level may begin across "
            "servers");
    }
    if (!isTwoLevel && (options.inside != A::AUTOMATIC || options.across != A::AUTOMATIC))
    {
        throw std::invalid_argument("The algorithm " + GetRow(options.algorithm).name +
                                    " cannot have others inside servers and across them: these "
                                    "belong to two-level");
    }
    if (GetRow(options.algorithm).needs == Needs::SERVERS &&
        (options.local == 1 || options.local == request.ranks))
    {
        throw std::invalid_argument("The algorithm " + GetRow(options.algorithm).name +
                                    " needs several servers of several ranks: a group of " +
                                    std::to_string(request.ranks) + " ranks has " +
                                    std::to_string(options.local) + " in each server");
    }
    if (!isTwoLevel)
    {
        return;
    }
    for (const bool isAcross : {false, true})
    {
        const A algorithm = isAcross ? options.across : options.inside;
        const auto choices = GetLevelChoices(request.kind, isAcross);
        // A plan knows the axes of the servers
        const bool isTorus = isAcross && algorithm == A::TORUS &&
                             options.axes.GetNPlaces() * options.local == request.ranks;
        if (algorithm != A::AUTOMATIC && !isTorus &&
            std::find(choices.begin(), choices.end(), algorithm) == choices.end())
        {
            throw std::invalid_argument("The algorithm two-level cannot use " +
                                        GetRow(algorithm).name +
                                        (isAcross ? " across" : " inside") + " servers for " +
                                        GetKindNames()[static_cast<std::size_t>(request.kind)] +
                                        ": it can use " + JoinAlgorithmNames(choices));
        }
    }
}

std::vector<CollectiveAlgorithm>
AlgorithmTable::GetLevelChoices(CollectiveKind kind, bool isAcross)
{
    using A = CollectiveAlgorithm;
    // Chunks of an all-to-all go straight to their destinations
    if (kind == CollectiveKind::ALL_TO_ALL)
    {
        return {A::DIRECT, A::PAIRWISE};
    }
    // Inside a server each rank is left with one part of the buffer
    if (!isAcross)
    {
        return {A::RING, A::HALVING_DOUBLING, A::DIRECT, A::IN_NETWORK, A::LINE};
    }
    std::vector<A> choices;
    for (const auto& row : GetRows())
    {
        const bool isFlat =
            row.needs != Needs::SERVERS && row.needs != Needs::GRID && row.needs != Needs::TORUS;
        if (row.value != A::AUTOMATIC && isFlat && IsFor(row.value, kind))
        {
            choices.push_back(row.value);
        }
    }
    return choices;
}

CollectiveOptions
AlgorithmTable::Resolve(const Request& request)
{
    using A = CollectiveAlgorithm;
    CollectiveOptions options = request.options;
    if (options.algorithm != A::AUTOMATIC)
    {
        return options;
    }
    if (!IsFor(A::RING, request.kind))
    {
        options.algorithm = A::DIRECT;
        return options;
    }
    if (options.local > 1 && options.local < request.ranks)
    {
        options.algorithm = A::TWO_LEVEL;
        return options;
    }
    const bool isInside = options.local > 1;
    const A one = isInside ? options.inside : options.across;
    // A switch that sums neither scatters nor gathers
    const bool isDirect = isInside && one == A::IN_NETWORK && !IsFor(one, request.kind);
    options.algorithm = isDirect ? A::DIRECT : one == A::AUTOMATIC ? A::RING : one;
    if (isInside && options.across == A::MULTI_RING)
    {
        options.rings = 1;
    }
    options.inside = A::AUTOMATIC;
    options.across = A::AUTOMATIC;
    return options;
}

std::shared_ptr<CollectiveSchedule>
AlgorithmTable::Make(const Request& request)
{
    Request resolved = request;
    resolved.options = Resolve(request);
    Check(resolved);
    auto algorithm = resolved.options.algorithm;
    if (request.ranks == 1)
    {
        // One rank does nothing by any algorithm, also by those that need several
        algorithm = IsFor(CollectiveAlgorithm::RING, request.kind) ? CollectiveAlgorithm::RING
                                                                   : CollectiveAlgorithm::DIRECT;
    }
    return GetRow(algorithm).make(resolved);
}

} // namespace lightpath
} // namespace ns3
