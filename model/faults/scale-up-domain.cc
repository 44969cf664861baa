/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scale-up-domain.h"

#include "node-line.h"
#include "switched-cubes.h"
#include "switched-groups.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr uint32_t MAX_REACH = 16; //!< Farthest node that a node of a line reaches

/**
 * @param name the name of a fabric
 * @param gpusPerNode GPUs of a node
 * @param gpus GPUs of a part of the fabric
 * @return nodes of it
 */
uint32_t
GetPartNodes(const std::string& name, uint32_t gpusPerNode, uint32_t gpus)
{
    if (gpus % gpusPerNode != 0)
    {
        throw std::invalid_argument("'" + name + "' has parts of " + std::to_string(gpus) +
                                    " GPUs, which nodes of " + std::to_string(gpusPerNode) +
                                    " GPUs do not make up: give a divisor of " +
                                    std::to_string(gpus) + " as GPUs of a node");
    }
    return gpus / gpusPerNode;
}

} // namespace

std::unique_ptr<ScaleUpDomain>
ScaleUpDomain::Create(const std::string& name, uint32_t gpusPerNode)
{
    const std::size_t colon = name.find(':');
    const std::string kind = name.substr(0, colon);
    const bool hasNumber = colon != std::string::npos;
    uint32_t number = 0;
    std::istringstream text(hasNumber ? name.substr(colon + 1) : "");
    const bool isNumber =
        text >> std::noskipws >> number && text.eof() && number > 0 && name[colon + 1] != '-';
    if (!hasNumber && (kind == "switch" || kind == "blocks"))
    {
        const auto groups = kind == "switch" ? SwitchedGroups::ALL : SwitchedGroups::JOB;
        return std::make_unique<SwitchedGroups>(groups);
    }
    if (!hasNumber && kind == "nvl72")
    {
        return std::make_unique<SwitchedGroups>(GetPartNodes(name, gpusPerNode, 72));
    }
    if (isNumber && kind == "group")
    {
        return std::make_unique<SwitchedGroups>(GetPartNodes(name, gpusPerNode, number));
    }
    if ((isNumber || !hasNumber) && kind == "cubes")
    {
        constexpr uint32_t cube = 64;
        return std::make_unique<SwitchedCubes>(
            GetPartNodes(name, gpusPerNode, hasNumber ? number : cube));
    }
    if (isNumber && kind == "line" && number <= MAX_REACH)
    {
        return std::make_unique<NodeLine>(number);
    }
    throw std::invalid_argument("There is no fabric '" + name +
                                "': the known ones are switch, blocks, nvl72, group:GPUS, cubes, "
                                "cubes:GPUS and line:K, with K up to " +
                                std::to_string(MAX_REACH) + " and numbers above 0");
}

uint32_t
ScaleUpDomain::FindNodes(uint32_t jobs, uint32_t jobNodes, double faulty, double probability) const
{
    const auto suffice = [&](uint32_t nNodes) {
        return GetJobs(nNodes, jobNodes, faulty).GetGuaranteed(probability) >= jobs;
    };
    // More nodes never have room for fewer jobs
    uint32_t few = 0;
    uint32_t enough = 1;
    while (!suffice(enough))
    {
        if (enough >= MAX_NODES)
        {
            throw std::invalid_argument(std::to_string(MAX_NODES) + " nodes are too few for " +
                                        std::to_string(jobs) +
                                        " jobs: ask for fewer jobs, or with a lower probability");
        }
        few = enough;
        enough *= 2;
    }
    while (enough - few > 1)
    {
        const uint32_t middle = (few + enough) / 2;
        (suffice(middle) ? enough : few) = middle;
    }
    return enough;
}

double
GetBinomial(uint32_t n, uint32_t k, double p)
{
    if (p <= 0 || p >= 1)
    {
        return k == (p <= 0 ? 0 : n) ? 1 : 0;
    }
    return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                    k * std::log(p) + (n - k) * std::log1p(-p));
}

} // namespace lightpath
} // namespace ns3
