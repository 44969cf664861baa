/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bill-of-materials.h"

#include "ns3/optical-switch.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The rates of ports of switches and cards, Gbit/s: each is twice the next.
constexpr std::array<uint32_t, 4> PORT_RATES{800, 400, 200, 100};

/// The rate of all ports of a chip of an electrical switch, Gbit/s.
constexpr uint64_t CHIP_RATE = 51200;

/// Ports of one rate that are part of a link.
struct Ports
{
    uint64_t rate;      //!< Rate of a port, Gbit/s
    double parallel;    //!< Number of ports, which need not be whole
    std::string suffix; //!< End of the names of components with this rate
};

/**
 * @param bitRate a rate, bit/s
 * @return the fewest ports whose rates add up to it, and a share of the slowest port for the rest
 */
std::vector<Ports>
FindPorts(double bitRate)
{
    // Rounding is no rest
    constexpr double least = 1e-6;
    std::vector<Ports> all;
    double rest = bitRate * 1e-9;
    for (const uint32_t rate : PORT_RATES)
    {
        const bool isLast = rate == PORT_RATES.back();
        const double ports = isLast ? rest / rate : std::floor(rest / rate + least);
        if (ports > least)
        {
            all.push_back({rate, ports, "-" + std::to_string(rate) + "g"});
            rest -= ports * rate;
        }
    }
    return all;
}

} // namespace

void
BillOfMaterials::Add(const std::string& component, double count)
{
    if (count > 0)
    {
        m_counts[component] += count;
    }
}

void
BillOfMaterials::Add(const BillOfMaterials& other, double times)
{
    for (const auto& [component, count] : other.m_counts)
    {
        Add(component, count * times);
    }
}

void
BillOfMaterials::AddCards(double cards, double bitRate)
{
    for (const Ports& ports : FindPorts(bitRate))
    {
        Add("nic" + ports.suffix, cards * ports.parallel);
    }
    AddPluggables(cards, bitRate);
}

void
BillOfMaterials::AddPluggables(double count, double bitRate)
{
    for (const Ports& ports : FindPorts(bitRate))
    {
        Add("transceiver" + ports.suffix, count * ports.parallel);
    }
}

void
BillOfMaterials::AddSwitch(uint64_t ports, double bitRate, double switches)
{
    // Ports of each rate are a network of their own
    for (const Ports& link : FindPorts(bitRate))
    {
        const uint64_t radix = CHIP_RATE / link.rate;
        uint32_t levels = 1;
        for (uint64_t room = radix; room < ports; room *= radix / 2)
        {
            ++levels;
        }
        const double outer = switches * static_cast<double>(ports) * link.parallel;
        Add("switch-port" + link.suffix, (2 * levels - 1) * outer);
        Add(SWITCH_OPTICS + link.suffix, 2 * (levels - 1) * outer);
    }
}

void
BillOfMaterials::AddSwitchOptics(double ports, double bitRate)
{
    for (const Ports& link : FindPorts(bitRate))
    {
        Add(SWITCH_OPTICS + link.suffix, ports * link.parallel);
    }
}

void
BillOfMaterials::AddOpticalSwitch(const std::string& component,
                                  const OpticalSwitch& element,
                                  uint32_t ports,
                                  double switches)
{
    const uint32_t stages = element.GetStages(ports);
    if (stages == 0)
    {
        throw std::invalid_argument("There is no price of a switch with " + std::to_string(ports) +
                                    " ports: three stages of a " + element.GetName() + " with " +
                                    std::to_string(element.GetPorts()) + " ports have fewer");
    }
    Add(component, switches * stages * ports);
}

void
BillOfMaterials::AddTransceivers(const std::string& laser, double lasers, double bitRate)
{
    const double hundreds = bitRate / 100e9;
    Add("optical-io-100g", hundreds);
    Add("modulator-100g", hundreds);
    Add(laser, lasers);
}

void
BillOfMaterials::AddScaleUpLinks(double bitRate)
{
    Add("scale-up-link-200g", bitRate / 200e9);
}

double
BillOfMaterials::GetCount(const std::string& component) const
{
    const auto found = m_counts.find(component);
    return found == m_counts.end() ? 0 : found->second;
}

const std::map<std::string, double>&
BillOfMaterials::GetCounts() const
{
    return m_counts;
}

} // namespace lightpath
} // namespace ns3
