/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "placement.h"

#include "model/base/read-line.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

Placement::Placement(std::vector<uint32_t> ports, std::string name)
    : m_ports(std::move(ports)),
      m_name(std::move(name))
{
    const std::size_t n = m_ports.size();
    std::vector<char> isTaken(n, 0);
    bool isLinear = true;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        const uint32_t port = m_ports[rank];
        if (port >= n || isTaken[port])
        {
            throw std::invalid_argument(
                "A placement of " + std::to_string(n) + " ranks must name each port from 0 to " +
                std::to_string(n - 1) + " once, but rank " + std::to_string(rank) + " has port " +
                std::to_string(port) + (port < n ? ", which another rank has" : ""));
        }
        isTaken[port] = 1;
        isLinear = isLinear && port == rank;
    }
    // An empty list stands for the linear placement
    if (isLinear)
    {
        m_ports.clear();
    }
}

Placement
Placement::Read(std::istream& is, const std::string& name)
{
    std::vector<uint32_t> ports;
    for (std::string line; ReadLine(is, line, name);)
    {
        line = line.substr(0, line.find('#'));
        std::string word;
        // The added blank ends the last number
        for (const char c : line + " ")
        {
            // Nine digits fit into 32 bits; a further one is refused below
            if (std::isdigit(static_cast<unsigned char>(c)) && word.size() < 9)
            {
                word += c;
                continue;
            }
            if (c != ',' && !std::isspace(static_cast<unsigned char>(c)))
            {
                throw std::invalid_argument(name + ": \"" + word + c +
                                            "\" is no port: give the port of each rank, as in "
                                            "\"0 2 3 1\"");
            }
            if (!word.empty())
            {
                ports.push_back(static_cast<uint32_t>(std::stoul(word)));
                word.clear();
            }
        }
    }
    if (ports.empty())
    {
        throw std::invalid_argument(name + " names no ports: give the port of each rank, as in "
                                           "\"0 2 3 1\"");
    }
    return Placement(std::move(ports), name);
}

Placement
Placement::ReadFile(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        throw std::invalid_argument("There is no placement '" + path +
                                    "': give linear, folded, automatic, an order of axes like "
                                    "dp,pp,tp, or a file that can be read");
    }
    return Read(file, path);
}

std::string
Placement::GetName() const
{
    return IsLinear() ? "linear" : m_name;
}

bool
Placement::IsLinear() const
{
    return m_ports.empty();
}

uint32_t
Placement::GetPort(uint32_t rank) const
{
    return m_ports.empty() ? rank : m_ports.at(rank);
}

const std::vector<uint32_t>&
Placement::GetPorts() const
{
    return m_ports;
}

void
Placement::Check(std::size_t nRanks) const
{
    if (!m_ports.empty() && m_ports.size() != nRanks)
    {
        throw std::invalid_argument("The placement is for " + std::to_string(m_ports.size()) +
                                    " ranks, but the plan has " + std::to_string(nRanks));
    }
}

void
Placement::CheckServers(std::size_t nRanks, uint32_t gpus) const
{
    Check(nRanks);
    for (uint32_t rank = 0; rank < m_ports.size(); ++rank)
    {
        const uint32_t place = rank % gpus;
        if (m_ports[rank] % gpus != place || m_ports[rank] - place != m_ports[rank - place])
        {
            throw std::invalid_argument("The plan has the placement " + GetName() +
                                        ", which takes the ranks of a server apart: only a plan "
                                        "that keeps them together in their order can be folded");
        }
    }
}

Placement
Placement::Select(const std::vector<uint32_t>& ranks) const
{
    std::vector<uint32_t> order(ranks.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t one, uint32_t other) {
        return GetPort(ranks[one]) < GetPort(ranks[other]);
    });
    std::vector<uint32_t> ports(order.size());
    for (uint32_t port = 0; port < order.size(); ++port)
    {
        ports[order[port]] = port;
    }
    return Placement(std::move(ports), m_name);
}

bool
Placement::operator==(const Placement& other) const
{
    return m_ports == other.m_ports;
}

} // namespace lightpath
} // namespace ns3
