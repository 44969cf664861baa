/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-components.h"

#include "fabric-description.h"
#include "model/base/nearest-name.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Collects components.
class ComponentList
{
  public:
    /**
     * @param ports the number of ports
     */
    explicit ComponentList(uint32_t ports)
        : m_ports(ports)
    {
    }

    /**
     * @param name the name of a component
     * @param first its first port
     * @param count the number of its ports from there; fewer at the end of the fabric
     * @param years its mean time between failures; 0 for one that does not fail
     * @param isBypassed whether the fabric finds ways without it
     */
    void Add(const std::string& name, uint32_t first, uint32_t count, double years, bool isBypassed)
    {
        if (years == 0)
        {
            return;
        }
        constexpr double year = 365.25 * 86400;
        ClusterComponent component{name, {}, 1 / (year * years), isBypassed};
        component.ports.resize(std::min(count, m_ports - first));
        std::iota(component.ports.begin(), component.ports.end(), first);
        m_list.push_back(std::move(component));
    }

    /**
     * Add components that have successive ports each.
     *
     * @param kind the kind of the components
     * @param count the ports of each
     * @param years its mean time between failures
     */
    void AddRows(const std::string& kind, uint32_t count, double years)
    {
        for (uint32_t first = 0; first < m_ports; first += count)
        {
            Add(kind + ":" + std::to_string(first / count), first, count, years, false);
        }
    }

    /**
     * @return the components
     */
    const std::vector<ClusterComponent>& Get() const
    {
        return m_list;
    }

  private:
    uint32_t m_ports;                     //!< The number of ports
    std::vector<ClusterComponent> m_list; //!< The components
};

} // namespace

ClusterReliability
ClusterReliability::Create(const std::string& name)
{
    constexpr double year = 365.25;
    ClusterReliability reliability;
    if (name == "llama-3")
    {
        // 148 failures of GPUs, 72 of their HBM3, 19 of SRAM and 17 of their processors; 35 of
        // switches and cables; 128 others, each of one of 2048 servers
        constexpr double days = 54;
        constexpr double gpus = 16384;
        reliability.gpuYears = gpus * days / (148 + 72 + 19 + 17) / year;
        reliability.linkYears = gpus * days / 35 / year;
        reliability.serverYears = gpus / 8 * days / 128 / year;
    }
    else if (name == "rsc-1")
    {
        reliability.serverYears = 1000 / 6.50 / year;
    }
    else if (name != "none")
    {
        throw std::invalid_argument("There are no failures '" + name +
                                    "': " + ListKnown(name, {"none", "llama-3", "rsc-1"}));
    }
    return reliability;
}

std::vector<ClusterComponent>
ListClusterComponents(const InterconnectHelper& fabric,
                      uint32_t ports,
                      bool isBypassing,
                      const ClusterReliability& reliability)
{
    ComponentList list(ports);
    list.AddRows("gpu", 1, reliability.gpuYears);
    list.AddRows("server", std::max(1U, reliability.serverGpus), reliability.serverYears);
    const bool isCircuit = dynamic_cast<const CircuitFabricHelper*>(&fabric) != nullptr;
    const bool isRing = dynamic_cast<const SipRingHelper*>(&fabric) != nullptr;
    const bool isBank = dynamic_cast<const SipOcsHelper*>(&fabric) != nullptr;
    if (reliability.linkYears == 0 && reliability.switchYears == 0)
    {
        return list.Get();
    }
    if (isCircuit && !(isBypassing && (isRing || isBank)))
    {
        throw std::invalid_argument("Links and switches of circuits fail where circuits are "
                                    "decided on once, on sip-ring and sip-ocs: let only GPUs and "
                                    "servers fail (--linkMtbf=0, --switchMtbf=0)");
    }
    const FabricLimits limits = FabricDescription::Create(fabric)->GetLimits(ports);
    for (uint32_t segment = 0; isRing && segment < ports; ++segment)
    {
        for (const std::string direction : {":cw", ":ccw"})
        {
            list.Add("segment:" + std::to_string(segment) + direction,
                     0,
                     ports,
                     reliability.linkYears,
                     true);
        }
    }
    for (uint32_t bank = 0; isBank && bank < limits.circuits; ++bank)
    {
        const std::string number = std::to_string(bank);
        list.Add("switch:" + number, 0, ports, reliability.switchYears, true);
        for (uint32_t port = 0; port < ports; ++port)
        {
            list.Add("port:" + number + ":" + std::to_string(port),
                     port,
                     1,
                     reliability.linkYears,
                     true);
        }
    }
    if (!isCircuit)
    {
        list.AddRows("link", 1, reliability.linkYears);
        if (limits.leaf.gpus > 0)
        {
            list.AddRows("leaf", limits.leaf.gpus, reliability.switchYears);
        }
    }
    return list.Get();
}

} // namespace lightpath
} // namespace ns3
