/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "iteration-work.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param rate a number
 * @return it with four significant digits, or as a whole number from 1000 on
 */
std::string
FormatRate(double rate)
{
    std::ostringstream text;
    text.precision(4);
    if (rate >= 1000)
    {
        text << std::fixed;
        text.precision(0);
    }
    text << rate;
    return text.str();
}

} // namespace

IterationWork
IterationWork::Count(const OperatorGraph& graph,
                     const Strategy& strategy,
                     uint64_t globalBatch,
                     uint32_t gpus,
                     const Accelerator& accelerator,
                     const ExpertLoad& load)
{
    const auto& operators = graph.GetOperators();
    std::vector<double> backward(operators.size(), 0); // multiply-adds by forward operator
    std::map<std::pair<uint32_t, uint32_t>, double> kept{{{0, 0}, 1}}; // by experts and choice
    double model = 0;
    double hardware = 0;
    IterationWork work;
    const auto getKept = [&](const Operator& op) {
        const RoutedLayer routed{0, op.experts, op.experts > 0 ? op.choice.perToken : 0};
        const auto [found, isNew] = kept.try_emplace({routed.experts, routed.perToken});
        return isNew ? found->second = load.GetKept(routed) : found->second;
    };
    for (const auto& op : operators)
    {
        const double share = getKept(op);
        work.droppedShare = std::max(work.droppedShare, 1 - share);
        const double multiplyAdds = share * static_cast<double>(op.multiplyAdds);
        const bool isRecomputed = strategy.IsRecomputed(op, graph.GetNLayers());
        hardware += (isRecomputed ? 2 : 1) * multiplyAdds;
        model += op.pass == Pass::FORWARD ? multiplyAdds : 0;
        backward[op.forward] += op.pass == Pass::BACKWARD ? multiplyAdds : 0;
        // Utilisation is relative to the fastest precision in use
        if (op.multiplyAdds > 0)
        {
            work.peakFlops = std::max(work.peakFlops, accelerator.GetPeak(op.precision));
        }
    }
    for (std::size_t op = 0; op < operators.size(); ++op)
    {
        model +=
            std::min(backward[op],
                     2 * getKept(operators[op]) * static_cast<double>(operators[op].multiplyAdds));
    }
    work.sample = graph.GetSample();
    work.samples = static_cast<double>(globalBatch);
    work.tokens = work.samples * static_cast<double>(graph.sampleTokens);
    work.modelFlops = 2 * work.samples * model;
    work.hardwareFlops = 2 * work.samples * hardware;
    work.gpus = gpus;
    return work;
}

nlohmann::ordered_json
IterationWork::GetJson(double seconds) const
{
    nlohmann::ordered_json json = {{"samplesPerSecond", samples / seconds}};
    if (tokens > 0)
    {
        json["tokensPerSecond"] = tokens / seconds;
        json["tokensPerSecondPerGpu"] = tokens / seconds / gpus;
    }
    json["modelFlopsPerSecondPerGpu"] = modelFlops / seconds / gpus;
    if (peakFlops > 0)
    {
        json["modelFlopsUtilization"] = modelFlops / seconds / gpus / peakFlops;
        json["hardwareFlopsUtilization"] = hardwareFlops / seconds / gpus / peakFlops;
    }
    if (droppedShare > 0)
    {
        json["droppedTokenShare"] = droppedShare;
    }
    return json;
}

std::string
IterationWork::Describe(double seconds) const
{
    std::ostringstream text;
    if (tokens > 0)
    {
        text << FormatRate(tokens / seconds) << " tokens/s, " << FormatRate(tokens / seconds / gpus)
             << " tokens/s/GPU";
    }
    else
    {
        text << FormatRate(samples / seconds) << " " << sample << "s/s";
    }
    text << ", " << FormatRate(modelFlops / seconds / gpus * 1e-12) << " TFLOP/s/GPU";
    if (peakFlops > 0)
    {
        text.precision(3);
        text << ", MFU " << 100 * modelFlops / seconds / gpus / peakFlops << " %, HFU "
             << 100 * hardwareFlops / seconds / gpus / peakFlops << " %";
    }
    if (droppedShare > 0)
    {
        text.precision(3);
        text << "; experts drop " << 100 * droppedShare << " % of their tokens";
    }
    return text.str();
}

} // namespace lightpath
} // namespace ns3
