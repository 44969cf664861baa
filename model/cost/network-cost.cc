/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-cost.h"

#include "model/base/lightpath-compatibility.h"

#include "ns3/double.h"
#include "ns3/enum.h"

#include <map>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(NetworkCost);

TypeId
NetworkCost::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::NetworkCost")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<NetworkCost>()
            .AddAttribute("Optics",
                          "Optics in the ports of electrical switches.",
                          EnumValue(PLUGGABLE),
                          MakeEnumAccessorFor<Optics>(0, &NetworkCost::m_optics),
                          MakeEnumChecker(PLUGGABLE, "Pluggable", CO_PACKAGED, "CoPackaged"))
            .AddAttribute("LifeYears",
                          "Years in which prices are paid.",
                          DoubleValue(4),
                          MakeDoubleAccessor(&NetworkCost::m_lifeYears),
                          MakeDoubleChecker<double>(1e-3))
            .AddAttribute("PowerUsageEffectiveness",
                          "Power of a data centre over that of its computers and networks.",
                          DoubleValue(1.1),
                          MakeDoubleAccessor(&NetworkCost::m_overhead),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("ElectricityPrice",
                          "Price of electricity in US dollars a kWh.",
                          DoubleValue(0.075),
                          MakeDoubleAccessor(&NetworkCost::m_tariff),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("IdlePower",
                          "Power of a GPU that waits, over that of one that computes.",
                          DoubleValue(0.3),
                          MakeDoubleAccessor(&NetworkCost::m_idleShare),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

void
NetworkCost::SetTable(const ComponentTable& table)
{
    m_table = table;
}

CostReport
NetworkCost::Estimate(const BillOfMaterials& bill,
                      const std::string& accelerator,
                      uint32_t gpus) const
{
    constexpr double year = 365.25 * 86400;
    constexpr double kilowattHour = 3.6e6;
    CostReport report;
    report.gpus = gpus;
    report.idleShare = m_idleShare;
    report.lifeSeconds = m_lifeYears * year;
    report.joulePrice = m_overhead * m_tariff / kilowattHour;
    const Component* const gpu = m_table.Find("gpu-" + accelerator);
    if (gpu == nullptr || !gpu->watts)
    {
        throw std::invalid_argument("The power of a " + accelerator +
                                    " is not known: state that of gpu-" + accelerator +
                                    " in a file of components");
    }
    report.gpuWatts = gpu->watts->value;
    report.gpuPrice = gpu->price ? gpu->price->value : 0;
    std::map<std::string, double> counts;
    for (const auto& [name, count] : bill.GetCounts())
    {
        const bool isChoice = name.rfind(BillOfMaterials::SWITCH_OPTICS, 0) == 0;
        const std::string kind = m_optics == PLUGGABLE ? "transceiver" : "co-packaged";
        counts[isChoice ? kind + name.substr(BillOfMaterials::SWITCH_OPTICS.size()) : name] +=
            count;
    }
    for (const auto& [name, count] : counts)
    {
        const Component* const component = m_table.Find(name);
        if (component == nullptr || !component->watts || !component->price)
        {
            throw std::invalid_argument("Power and price of the component '" + name +
                                        "' are not known: state them in a file of components");
        }
        report.lines.push_back({name, count, *component->watts, *component->price});
    }
    return report;
}

} // namespace lightpath
} // namespace ns3
