/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interleaved-bound.h"

#include "layer-times.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

InterleavedBound::InterleavedBound(const PipelineLimits& limits)
    : m_limits(limits),
      m_times(*limits.times),
      m_strategy(limits.strategy),
      m_parts(limits.strategy.pipelineParallel * limits.strategy.virtualStages)
{
    // Two microbatches a stage reach the steady state; the microbatches left out only prolong it
    const uint32_t most = 2 * m_strategy.pipelineParallel;
    m_left = m_strategy.microbatches - std::min(m_strategy.microbatches, most);
    m_strategy.microbatches -= m_left;
}

bool
InterleavedBound::IsKnown(const Strategy& strategy, uint32_t layers)
{
    const uint32_t parts = strategy.pipelineParallel * strategy.virtualStages;
    const bool isEven = strategy.cuts.empty() && layers > 2 && (layers - 2) % parts == 0;
    return (isEven || strategy.cuts.size() + 1 == parts) &&
           strategy.microbatches % strategy.pipelineParallel == 0;
}

uint32_t
InterleavedBound::GetLayer(uint32_t part) const
{
    const auto layers = static_cast<uint32_t>(m_times.spine.forwardBegin.size());
    return part == 0                  ? 0
           : part == m_parts          ? layers
           : !m_strategy.cuts.empty() ? m_strategy.cuts[part - 1]
                                      : 1 + (layers - 2) / m_parts * part;
}

void
InterleavedBound::MeasureParts()
{
    const LayerTimes& t = m_times;
    for (uint32_t part = 0; part < m_parts; ++part)
    {
        const uint32_t from = GetLayer(part);
        const uint32_t to = GetLayer(part + 1);
        // No pass is shorter than the spine through it
        Part way;
        way.spine = std::max(0.0, t.spine.forwardEnd[to - 1] - t.spine.forwardBegin[from]);
        way.work = std::max(t.work.forward[to] - t.work.forward[from], way.spine);
        way.input = std::max(t.lead.forward[to] - t.lead.forward[from], way.spine);
        way.sent = std::max(t.far.forward[to] - t.far.forward[from], way.spine);
        way.gap = m_limits.message +
                  (part + 1 < m_parts
                       ? std::max(0.0, t.spine.forwardBegin[to] - t.spine.forwardEnd[to - 1])
                       : 0);
        m_ways[0].push_back(way);
        way.spine = std::max(0.0, t.spine.backwardEnd[from] - t.spine.backwardBegin[to - 1]);
        way.work = std::max(t.work.backward[to] - t.work.backward[from], way.spine);
        way.input = std::max(t.far.backward[to] - t.far.backward[from], way.spine);
        way.sent = std::max(t.lead.backward[to] - t.lead.backward[from], way.spine);
        way.gap =
            m_limits.message +
            (part > 0 ? std::max(0.0, t.spine.backwardBegin[from - 1] - t.spine.backwardEnd[from])
                      : 0);
        m_ways[1].push_back(way);
    }
}

InterleavedBound::Times
InterleavedBound::Add(const Times& times, double seconds)
{
    return {times.plain + seconds, times.prolonged + seconds};
}

InterleavedBound::Times
InterleavedBound::Max(const Times& a, const Times& b)
{
    return {std::max(a.plain, b.plain), std::max(a.prolonged, b.prolonged)};
}

bool
InterleavedBound::Advance(uint32_t stage)
{
    Stage& mine = m_stages[stage];
    const StagePass& pass = mine.passes[mine.next];
    const uint32_t part = pass.chunk * m_strategy.pipelineParallel + stage;
    const Part& way = m_ways[pass.backward ? 1 : 0][part];
    auto& sent = m_sent[pass.backward ? 1 : 0];
    // Message k of a microbatch goes into part k, forward, or k - 1, backward
    const std::size_t row = std::size_t{pass.microbatch} * (m_parts + 1);
    const bool isFed = pass.backward ? part + 1 < m_parts : part > 0;
    const Times& input = sent[row + part + (pass.backward ? 1 : 0)];
    if (isFed && input.plain == NEVER)
    {
        return false;
    }
    // The steady state begins here: the microbatches left out may run before this pass
    const bool isSteady = mine.next > 0 && mine.passes[mine.next - 1].backward != pass.backward;
    if (m_left > 0 && isSteady)
    {
        mine.free.prolonged = std::max(mine.free.prolonged, mine.free.plain + mine.longer);
    }
    // The pass follows the previous pass of its stage and the arrival of its input
    Times end = Add(mine.free, way.work);
    Times out = Add(mine.free, way.sent);
    Times begin = mine.free;
    if (isFed)
    {
        end = Max(end, Add(input, way.input));
        out = Max(out, Add(input, way.spine));
        begin = Max(begin, input);
    }
    if (stage == 0 && pass.backward && pass.microbatch + 1 == m_strategy.microbatches)
    {
        AddSums(part,
                m_left > 0 ? begin.prolonged : begin.plain,
                GetLayer(part),
                GetLayer(part + 1));
    }
    if (pass.backward ? part > 0 : part + 1 < m_parts)
    {
        sent[row + part + (pass.backward ? 0 : 1)] = Add(out, way.gap);
    }
    mine.free = end;
    ++mine.next;
    return true;
}

void
InterleavedBound::AddSums(uint32_t part, double begin, uint32_t first, uint32_t behind)
{
    const PipelineBound bound(m_limits);
    // Lower parts of the stage complete their gradients later
    double later = 0;
    for (uint32_t other = 0; other < part; other += m_strategy.pipelineParallel)
    {
        later +=
            m_times.gradientBytes[GetLayer(other + 1)] - m_times.gradientBytes[GetLayer(other)];
    }
    double tensor = 0;
    for (uint32_t other = 0; other < m_parts; other += m_strategy.pipelineParallel)
    {
        tensor = bound.HasTensorTraffic(GetLayer(other), GetLayer(other + 1)) ? 1 : tensor;
    }
    const double sums = bound.GetSums(first, behind, bound.GetLatest(first, behind), tensor, later);
    m_sums = std::max(m_sums, begin + sums);
}

double
InterleavedBound::GetSeconds()
{
    MeasureParts();
    const uint32_t stages = m_strategy.pipelineParallel;
    double bound = 0;
    for (auto& sent : m_sent)
    {
        sent.assign(std::size_t{m_strategy.microbatches} * (m_parts + 1), {NEVER, NEVER});
    }
    m_stages.resize(stages);
    std::size_t left = 0;
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        Stage& mine = m_stages[stage];
        mine.passes = PipelineSchedule::GetPasses(m_strategy, stage);
        // Only the first stage can begin at once
        mine.free = {stage == 0 ? 0 : -NEVER, -NEVER};
        left += mine.passes.size();
        double work = 0;
        double computed = 0;
        double updates = 0;
        for (uint32_t part = stage; part < m_parts; part += stages)
        {
            const uint32_t from = GetLayer(part);
            const uint32_t to = GetLayer(part + 1);
            work += m_ways[0][part].work + m_ways[1][part].work;
            computed += m_times.work.forward[to] - m_times.work.forward[from] +
                        m_times.work.backward[to] - m_times.work.backward[from];
            updates += (*m_limits.updates)[to] - (*m_limits.updates)[from];
        }
        mine.longer = m_left * work;
        // Updates may fill up the time in which a pass waits for collectives
        const double m = m_limits.strategy.microbatches;
        bound = std::max({bound, m * work, m * computed + updates});
    }
    // Run each pass of a stage whose input has arrived
    while (left > 0)
    {
        const std::size_t before = left;
        for (uint32_t stage = 0; stage < stages; ++stage)
        {
            while (m_stages[stage].next < m_stages[stage].passes.size() && Advance(stage))
            {
                --left;
            }
        }
        if (left == before)
        {
            // The passes wait for each other: only the work bounds the time
            return bound;
        }
    }
    const Times& end = m_stages[0].free;
    return std::max({bound, m_left > 0 ? end.prolonged : end.plain, m_sums});
}

} // namespace lightpath
} // namespace ns3
