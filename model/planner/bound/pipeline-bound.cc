/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pipeline-bound.h"

#include "layer-times.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @tparam F a convex function of a whole number
 * @param low the least number
 * @param high the greatest number
 * @param get the function
 * @return its least value
 */
template <typename F>
double
FindLeast(uint32_t low, uint32_t high, const F& get)
{
    // Search for the first number behind which the function does not fall
    while (low < high)
    {
        const uint32_t middle = low + (high - low) / 2;
        if (get(middle) <= get(middle + 1))
        {
            high = middle;
        }
        else
        {
            low = middle + 1;
        }
    }
    return get(low);
}

} // namespace

PipelineBound::PipelineBound(const PipelineLimits& limits)
    : m_limits(limits),
      m_times(*limits.times),
      m_microbatches(limits.strategy.microbatches),
      m_stages(limits.strategy.pipelineParallel)
{
}

double
PipelineBound::GetLatest(uint32_t from, uint32_t to) const
{
    double latest = -NEVER;
    for (uint32_t layer = from; layer < to; ++layer)
    {
        latest = std::max(latest,
                          m_times.spine.gradientsReady[layer] +
                              m_limits.sum * m_times.gradientBytes[layer + 1]);
    }
    return latest;
}

bool
PipelineBound::HasTensorTraffic(uint32_t from, uint32_t to) const
{
    return m_limits.strategy.expertParallel == 1 && m_times.HasCollectives(from, to);
}

bool
PipelineBound::HasMessages() const
{
    return m_stages > 1 && m_times.crossingBytes > 0;
}

double
PipelineBound::GetSumsAt(uint32_t from,
                         uint32_t to,
                         double latest,
                         double data,
                         double shared,
                         double later) const
{
    const LayerTimes& t = m_times;
    const double all = t.gradientBytes[to] - t.gradientBytes[from];
    const auto layers = static_cast<uint32_t>(t.spine.forwardBegin.size());
    const bool isSummed = m_limits.sum > 0;
    const bool hasSums = m_limits.sum > 0 && all + later > 0;
    const double gathers =
        m_limits.gather * (all + later) / (data > 0 && !m_limits.hasGatherPhase ? data : 1);
    // Gathers for experts follow the sums for experts alone, which may end earlier
    const double behind = m_limits.strategy.expertParallel == 1 ? gathers : 0;
    double common = 0;
    if (from == 0 && m_stages > 1 && t.tiedBytes > 0)
    {
        // The first and the last stage sum the gradients of their common parameters
        common = std::max(0.0, t.spine.tiedReady - t.spine.backwardBegin[to - 1]) +
                 m_limits.sharedLaunch + m_limits.sharedSum / shared;
    }
    if (data == 0)
    {
        // The sums follow all messages, all collectives, and the switching of the circuits
        common = std::max(common,
                          from == 0 ? t.spine.collectivesEnd[to - 1] - t.spine.backwardBegin[to - 1]
                                    : 0);
        const double dark =
            HasMessages() || t.HasCollectives(0, layers) ? m_limits.switchSeconds : 0;
        return hasSums ? common + dark + m_limits.sumLaunch +
                             std::max(m_limits.sum, m_limits.pairSum) * (all + later) + gathers
                       : common;
    }
    double sums = 0;
    if (isSummed && all > 0)
    {
        // The greatest of three bounds: up to each layer, over all layers, and for the first layer
        const double each = std::max(m_limits.sum / data, m_limits.pairSum);
        sums = std::max({latest - m_limits.sum * t.gradientBytes[from] + each * later + behind,
                         t.spine.gradientsReady[to - 1] + each * (all + later) + gathers,
                         t.spine.gradientsReady[from] + behind +
                             each * (t.gradientBytes[from + 1] - t.gradientBytes[from] + later)}) -
               t.spine.backwardBegin[to - 1] + m_limits.sumLaunch;
    }
    if (common > 0 && isSummed)
    {
        common += m_limits.sumLaunch + m_limits.sum / data * t.tiedBytes + behind;
    }
    return std::max(sums, common);
}

double
PipelineBound::GetSums(uint32_t from, uint32_t to, double latest, double tensor, double later) const
{
    const Strategy& strategy = m_limits.strategy;
    if (m_limits.circuits == 0)
    {
        return GetSumsAt(from, to, latest, 1, 1, later);
    }
    // The stages that the first stage sends to: the next one and the last one
    const bool isRing = strategy.virtualStages > 1;
    const bool isCommon = m_stages > 1 && m_times.tiedBytes > 0;
    const uint32_t next = HasMessages() && !(isCommon && m_stages == 2) ? 1 : 0;
    const uint32_t last = HasMessages() && isRing && m_stages > 2 && !isCommon ? 1 : 0;
    // Circuits without messages or tensor parallelism are left for the sums
    const double all = m_limits.circuits;
    const double least = all - next - last - tensor;
    double sums = NEVER;
    if (strategy.GetDataMembers() < 2)
    {
        sums = GetSumsAt(from, to, latest, 1, std::max(least, 1.0) / all, later);
    }
    else if (!isCommon)
    {
        sums = GetSumsAt(from, to, latest, std::max(least, 1.0) / all, 1, later);
    }
    else
    {
        // Divide them between the replicas and the last stage where the sums end soonest
        const auto most = static_cast<uint32_t>(std::max(least - 1, 1.0));
        sums = FindLeast(1, most, [&](uint32_t data) {
            return GetSumsAt(from,
                             to,
                             latest,
                             data / all,
                             std::max(least - data, 1.0) / all,
                             later);
        });
    }
    return m_limits.hasPhases ? std::min(sums, GetSumsAt(from, to, latest, 0, 1, later)) : sums;
}

double
PipelineBound::GetPasses(uint32_t stage, uint32_t from, uint32_t to, const Ends& ends) const
{
    const LayerTimes& t = m_times;
    const double m = m_microbatches;
    const double ahead = m_stages - stage; // n
    const double turn = 2 * (ahead - 1) * m_limits.message;
    // Along the spine: the forward pass, the turn, and the backward pass
    const double spineForward =
        std::max(0.0, t.spine.forwardEnd[to - 1] - t.spine.forwardBegin[from]);
    const double spineTurn = t.spine.backwardBegin[to - 1] - t.spine.forwardEnd[to - 1] + turn;
    const double spineBackward =
        std::max(0.0, t.spine.backwardEnd[from] - t.spine.backwardBegin[to - 1]);
    // All work of each pass
    const double allForward = t.work.forward[to] - t.work.forward[from];
    const double allBackward = t.work.backward[to] - t.work.backward[from];
    const bool isLast = ahead == 1;
    const double forward = std::max(allForward, spineForward);
    const double backward = std::max(allBackward, spineBackward);
    // Both passes of a microbatch, which overlap in the last stage
    const double both = isLast ? std::max(allForward + allBackward,
                                          t.spine.backwardEnd[from] - t.spine.forwardBegin[from])
                               : forward + backward;
    const double work = allForward + allBackward;
    const double lead = ends.leadForward + ends.leadBackward;
    const double begin = ends.head + ends.leadForward;
    const auto finish = [&](double busy, double reached) {
        // The last backward pass begins after all other work, and not before the spine enters it
        return std::max({busy + std::max(ends.leadBackward + ends.tail, allBackward + ends.updates),
                         reached + std::max(spineBackward + ends.behind, ends.sums)});
    };
    double bound = std::max(ends.head + (m - 1) * work + lead + ends.tail, m * work + ends.updates);
    if (m < 2)
    {
        return std::max(
            {bound,
             begin + allBackward + ends.updates,
             ends.first - spineBackward + std::max(spineBackward + ends.behind, ends.sums)});
    }
    if (isLast)
    {
        // The last stage alternates between forward and backward passes from the start
        const double begun = std::max(begin + allBackward, ends.first);
        return std::max(bound,
                        begun + (m - 2) * both + finish(allForward, spineForward + spineTurn));
    }
    if (ahead < m)
    {
        // Warm-up, alternating passes, and the remaining backward passes
        const double begun = std::max(begin + (ahead - 1) * forward + backward, ends.first);
        const double busy = forward + (ahead - 1) * backward;
        return std::max(bound,
                        begun + (m - 1 - ahead) * both +
                            finish(busy, std::max(busy, spineForward + spineTurn)));
    }
    // All forward passes fit into the warm-up
    const double busy = forward + (m - 1) * backward;
    bound = std::max(bound,
                     begin + (m - 2) * forward +
                         finish(busy, std::max(busy, spineForward + spineTurn)));
    return std::max(bound, ends.first + (m - 2) * backward + finish(0, 0));
}

double
PipelineBound::GetShared(uint32_t from, uint32_t to, double latest, Ends ends) const
{
    const LayerTimes& t = m_times;
    const Strategy& strategy = m_limits.strategy;
    const auto get = [&](uint32_t tensor) {
        ends.sums = GetSums(from, to, latest, tensor);
        return GetPasses(0, from, to, ends);
    };
    if (strategy.tensorParallel < 2 || m_limits.circuits == 0)
    {
        return get(0);
    }
    // Collectives of tensor parallelism run at the rate of their circuits
    const double forward = std::max(0.0, t.spine.forwardEnd[to - 1] - t.spine.forwardBegin[from]);
    const double turn = t.spine.backwardBegin[to - 1] - t.spine.forwardEnd[to - 1] +
                        2 * (m_stages - 1) * m_limits.message;
    const double backward =
        std::max(0.0, t.spine.backwardEnd[from] - t.spine.backwardBegin[to - 1]);
    const bool isKnown = strategy.expertParallel == 1;
    const double bytesForward =
        isKnown ? t.spine.traffic.forward[to] - t.spine.traffic.forward[from] : 0;
    const double bytesBackward =
        isKnown ? t.spine.traffic.backward[to] - t.spine.traffic.backward[from] : 0;
    // Only peers with traffic have a circuit
    const bool hasSums = m_limits.sum > 0 && t.gradientBytes[to] > t.gradientBytes[from];
    const bool hasTensor = HasTensorTraffic(from, to);
    const uint32_t other = (hasSums ? 1 : 0) + (HasMessages() ? 1 : 0);
    const uint32_t most = std::max(m_limits.circuits, other + 1) - other;
    const auto getAt = [&](uint32_t tensor) {
        const double slower = tensor > 0 ? static_cast<double>(m_limits.circuits) / tensor - 1 : 0;
        const double base = get(tensor);
        const double first = forward + slower * bytesForward;
        const double both = first + backward + slower * bytesBackward;
        const double last = std::max(turn + ends.sums, backward + slower * bytesBackward);
        const double data = std::max(static_cast<double>(most) + 1 - tensor, 1.0);
        const double early = m_limits.early * m_limits.circuits / data;
        return std::max({base, (m_microbatches - 1) * both + first + last, early});
    };
    const double fixed = hasTensor ? FindLeast(1, most, getAt) : getAt(0);
    if (!m_limits.hasPhases)
    {
        return fixed;
    }
    ends.sums = GetSumsAt(from, to, latest, 0, 1, 0);
    return std::min(fixed, GetPasses(0, from, to, ends));
}

double
PipelineBound::GetStage(uint32_t stage, uint32_t from, uint32_t to, double latest) const
{
    const LayerTimes& t = m_times;
    const double before = stage * m_limits.message;
    const double turn = 2.0 * (m_stages - stage - 1) * m_limits.message;
    const double spineBackward =
        std::max(0.0, t.spine.backwardEnd[from] - t.spine.backwardBegin[to - 1]);
    // One bound covers the iteration as the GPUs of this stage see it
    Ends own;
    own.leadForward = t.work.forward[to] - t.work.forward[from];
    own.leadBackward = t.work.backward[to] - t.work.backward[from];
    own.updates = (*m_limits.updates)[to] - (*m_limits.updates)[from];
    own.first = t.spine.backwardBegin[to - 1] + turn + spineBackward;
    if (stage > 0)
    {
        own.first -= std::min(t.spine.forwardBegin[from], t.spine.backwardBegin[to - 1] + turn);
    }
    if (m_limits.strategy.schedule == PipelineScheduleKind::ZB_H1)
    {
        return GetPutOff(stage, own);
    }
    if (stage == 0)
    {
        return GetShared(from, to, latest, own);
    }
    own.sums = GetSumsAt(from, to, latest, 1, 1, 0);
    // The other bound covers the iteration of the first stage, which does not wait for the last
    // work of this stage, such as its updates
    Ends way;
    way.updates = -NEVER;
    way.head = t.leadBegin[from] + before;
    way.leadForward = t.lead.forward[to] - t.lead.forward[from];
    way.leadBackward = t.lead.backward[to] - t.lead.backward[from];
    way.first = t.spine.backwardBegin[to - 1] + before + turn + spineBackward;
    way.tail = t.leadRest[from] + before;
    way.behind = t.spine.length - t.spine.backwardEnd[from] + before;
    return std::max(GetPasses(stage, from, to, own), GetPasses(stage, from, to, way));
}

double
PipelineBound::GetPutOff(uint32_t stage, const Ends& own) const
{
    // Before the first backward pass has ended, there are the forward passes of the warm-up and
    // this pass
    const double m = m_microbatches;
    const double ahead = m_stages - stage;
    return std::max(m * (own.leadForward + own.leadBackward),
                    own.first + std::max(m - ahead, 0.0) * own.leadForward +
                        (m - 1) * own.leadBackward) +
           own.updates;
}

double
PipelineBound::GetBest(uint32_t stage,
                       uint32_t from,
                       const std::vector<double>& behind,
                       double limit) const
{
    const LayerTimes& t = m_times;
    const auto layers = static_cast<uint32_t>(t.spine.forwardBegin.size());
    const uint32_t left = m_stages - stage - 1;
    double best = limit;
    double latest = -NEVER;
    const bool isPutOff = m_limits.strategy.schedule == PipelineScheduleKind::ZB_H1;
    const double outside = stage > 0 && !isPutOff
                               ? t.leadBegin[from] + t.leadRest[from] + 2 * stage * m_limits.message
                               : 0;
    for (uint32_t to = from + 1; to + left <= layers; ++to)
    {
        // The gradients up to layer to - 1 of the stage
        latest =
            std::max(latest, t.spine.gradientsReady[to - 1] + m_limits.sum * t.gradientBytes[to]);
        const double work =
            t.work.forward[to] - t.work.forward[from] + t.work.backward[to] - t.work.backward[from];
        if (m_microbatches * work >= best || (m_microbatches - 1) * work + outside >= best)
        {
            // More layers only take longer
            break;
        }
        if (left == 0 && to < layers)
        {
            // The last stage takes all layers that are left
            continue;
        }
        const double rest = left > 0 ? behind[to] : 0;
        if (rest >= best)
        {
            continue;
        }
        best = std::min(best, std::max(rest, GetStage(stage, from, to, latest)));
    }
    return best;
}

double
PipelineBound::GetSeconds() const
{
    const LayerTimes& t = m_times;
    const auto layers = static_cast<uint32_t>(t.spine.forwardBegin.size());
    if (m_stages > layers)
    {
        return 0;
    }
    const double total = t.work.forward[layers] + t.work.backward[layers];
    // The bound of an even split limits the search
    double limit = 0;
    for (uint32_t stage = 0; stage < m_stages; ++stage)
    {
        const auto from = static_cast<uint32_t>(uint64_t{layers} * stage / m_stages);
        const auto to = static_cast<uint32_t>(uint64_t{layers} * (stage + 1) / m_stages);
        limit = std::max(limit, GetStage(stage, from, to, GetLatest(from, to)));
    }
    // Dynamic programming from the last stage to the first, by the first layer of the stage
    std::vector<double> behind(layers + 1, NEVER);
    for (uint32_t stage = m_stages; stage-- > 0;)
    {
        std::vector<double> mine(layers + 1, NEVER);
        const uint32_t last = stage == 0 ? 0 : layers - (m_stages - stage);
        for (uint32_t from = stage; from <= last; ++from)
        {
            // The stages before, and the stages from here on, cannot both be within the limit
            // otherwise
            const double before = m_microbatches * (t.work.forward[from] + t.work.backward[from]);
            if (before <= stage * limit &&
                m_microbatches * total - before <= (m_stages - stage) * limit)
            {
                mine[from] = GetBest(stage, from, behind, limit);
            }
        }
        behind = std::move(mine);
    }
    return std::min(limit, behind[0]);
}

} // namespace lightpath
} // namespace ns3
