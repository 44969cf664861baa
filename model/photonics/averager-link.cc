/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "averager-link.h"

#include "model/base/lightpath-compatibility.h"

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(AveragerLink);

TypeId
AveragerLink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::AveragerLink")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<AveragerLink>()
            .AddAttribute("InterferometerLoss",
                          "Loss of an interferometer in dB.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&AveragerLink::m_interferometerLoss),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("CouplerLoss",
                          "Loss of a coupler of a splitter or merger beyond that of the division "
                          "by two in dB.",
                          DoubleValue(0.33),
                          MakeDoubleAccessor(&AveragerLink::m_couplerLoss),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("FibreLength",
                          "Fibre between a server and the averager in m.",
                          DoubleValue(20),
                          MakeDoubleAccessor(&AveragerLink::m_fibreLength),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("ErrorRate",
                          "Wanted share of wrong averages.",
                          DoubleValue(1e-3),
                          MakeDoubleAccessor(&AveragerLink::m_errorRate),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

AveragerLink::AveragerLink()
    // 4-64-128-256-128-64-4 in square blocks: a column more than the smaller of the sizes around a
    // layer, and as many blocks as fit into the larger one
    : m_layers{{5, 16}, {65, 2}, {129, 2}, {129, 2}, {65, 2}, {5, 16}},
      m_link(CreateObject<OpticalLink>())
{
}

void
AveragerLink::SetLayers(std::vector<Layer> layers)
{
    m_layers = std::move(layers);
}

const std::vector<AveragerLink::Layer>&
AveragerLink::GetLayers() const
{
    return m_layers;
}

LinkBudget
AveragerLink::GetMergeBudget(uint32_t servers) const
{
    OpticalPath path = OpticalLink::MakeSegment(m_fibreLength);
    path.emplace_back(CreateObjectWithAttributes<OpticalMerger>("Inputs",
                                                                UintegerValue(servers),
                                                                "ExcessLoss",
                                                                DoubleValue(GetExcess(servers))),
                      1);
    return m_link->GetBudget(path, 1);
}

LinkBudget
AveragerLink::GetReturnBudget(uint32_t servers) const
{
    const auto makeSplitter = [&](uint32_t ways) {
        return CreateObjectWithAttributes<OpticalSplitter>("Outputs",
                                                           UintegerValue(ways),
                                                           "ExcessLoss",
                                                           DoubleValue(GetExcess(ways)));
    };
    const auto column =
        CreateObjectWithAttributes<PassiveElement>("Name",
                                                   StringValue("interferometer"),
                                                   "Loss",
                                                   DoubleValue(m_interferometerLoss));
    LinkBudget budget = m_link->GetBudget({}, 1);
    for (const auto& layer : m_layers)
    {
        const double before = budget.GetLoss();
        budget.Add(*makeSplitter(layer.ways));
        budget.Add(*column, layer.columns);
        const auto amplifier = CreateObject<OpticalAmplifier>();
        amplifier->Pump(budget.GetLoss() - before, budget.GetSignal().GetTotalPower());
        budget.Add(*amplifier);
    }
    budget.Add(*makeSplitter(servers));
    budget.Add(OpticalLink::MakeSegment(m_fibreLength));
    return budget;
}

std::vector<double>
AveragerLink::GetMeanErrors(uint32_t servers) const
{
    return m_link->GetReceiver().GetLevelErrors(GetMergeBudget(servers).GetSignal(),
                                                3 * std::size_t{servers} + 1);
}

std::vector<double>
AveragerLink::GetReturnErrors(uint32_t servers) const
{
    return m_link->GetReceiver().GetLevelErrors(GetReturnBudget(servers).GetSignal(), 4);
}

double
AveragerLink::GetMeanErrorRate(uint32_t servers) const
{
    // How frequent each sum of digits is, server by server
    std::vector<double> shares{1};
    for (uint32_t server = 0; server < servers; ++server)
    {
        std::vector<double> next(shares.size() + 3);
        for (std::size_t sum = 0; sum < shares.size(); ++sum)
        {
            for (std::size_t digit = 0; digit < 4; ++digit)
            {
                next[sum + digit] += shares[sum] / 4;
            }
        }
        shares = std::move(next);
    }
    // Both sums beside a threshold are taken for each other
    const std::vector<double> errors = GetMeanErrors(servers);
    double rate = 0;
    for (std::size_t sum = 0; sum < errors.size(); ++sum)
    {
        rate += errors[sum] * (shares[sum] + shares[sum + 1]);
    }
    return rate;
}

double
AveragerLink::GetReturnErrorRate(uint32_t servers) const
{
    // Each of 4 digits is as frequent, and errs towards both of its neighbours
    const std::vector<double> errors = GetReturnErrors(servers);
    return std::accumulate(errors.begin(), errors.end(), 0.0) / 2;
}

double
AveragerLink::GetWordErrorRate(uint32_t servers, uint32_t bits) const
{
    const double mean = GetMeanErrorRate(servers);
    const double back = GetReturnErrorRate(servers);
    // Small rates keep their digits in the logarithm of the share of right averages
    double right = 0;
    double units = 1.0 / servers;
    for (uint32_t digit = 0; digit < bits / 2; ++digit)
    {
        right += std::log1p(-mean * std::min(1.0, units)) + std::log1p(-back);
        units *= 4;
    }
    return -std::expm1(right);
}

uint32_t
AveragerLink::GetMostServers(uint32_t bits) const
{
    constexpr uint32_t limit = 1024;
    uint32_t most = 0;
    while (most < limit && GetWordErrorRate(most + 1, bits) <= m_errorRate)
    {
        ++most;
    }
    return most;
}

double
AveragerLink::GetExcess(uint32_t ways) const
{
    return m_couplerLoss * std::ceil(std::log2(ways));
}

} // namespace lightpath
} // namespace ns3
