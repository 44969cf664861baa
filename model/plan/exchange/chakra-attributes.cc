/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-attributes.h"

#include "chakra-format.h"

#include "ns3/rank-program.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Most bytes of a message or a buffer, 16 TiB.
constexpr uint64_t MOST_ATTRIBUTE_BYTES = uint64_t{1} << 44;

} // namespace

ChakraAttributes::ChakraAttributes(const std::vector<ChakraAttribute>& attributes)
{
    for (const auto& attribute : attributes)
    {
        if (!Take(attribute) && attribute.GetName().rfind("lightpath_", 0) == 0)
        {
            TakeOwn(attribute);
        }
    }
}

bool
ChakraAttributes::Take(const ChakraAttribute& attribute)
{
    const auto name = attribute.GetName();
    const auto is = [&name](const char* other) { return name == other; };
    if (is("is_cpu_op"))
    {
        isHost = attribute.GetUint() != 0;
    }
    else if (is("num_ops"))
    {
        flops = attribute.GetNumber();
    }
    else if (is("tensor_size"))
    {
        tensorBytes = attribute.GetUint();
    }
    else if (is("comm_type"))
    {
        commType = attribute.GetUint();
    }
    else if (is("comm_size"))
    {
        bytes = attribute.GetUint(MOST_ATTRIBUTE_BYTES);
    }
    else if (is("comm_src"))
    {
        source = attribute.GetUint();
    }
    else if (is("comm_dst"))
    {
        destination = attribute.GetUint();
    }
    else if (is("comm_tag"))
    {
        tag = static_cast<uint32_t>(attribute.GetUint(UINT32_MAX));
    }
    else if (is("pg_name"))
    {
        group = attribute.GetText();
    }
    else if (is("involved_dim"))
    {
        dims = attribute.GetList();
    }
    else
    {
        return false;
    }
    return true;
}

void
ChakraAttributes::TakeOwn(const ChakraAttribute& attribute)
{
    const auto name = attribute.GetName();
    if (name == chakra::SECONDS)
    {
        seconds = attribute.GetNumber();
    }
    else if (name == chakra::PASS)
    {
        pass = static_cast<Pass>(attribute.GetUint(static_cast<uint64_t>(Pass::UPDATE)));
    }
    else if (name == chakra::PHASE)
    {
        constexpr uint64_t most = UINT16_MAX;
        phase = static_cast<uint32_t>(attribute.GetUint(most));
    }
    else if (name == chakra::OPERATION)
    {
        operation = static_cast<uint32_t>(attribute.GetUint(MOST_OPERATIONS - 1));
    }
    else if (name == chakra::KIND)
    {
        kind = static_cast<uint32_t>(attribute.GetUint(MOST_GROUP_KINDS - 1));
    }
    else if (name == chakra::BYTES)
    {
        exactBytes = attribute.GetUint(MOST_ATTRIBUTE_BYTES);
    }
    else if (name == chakra::SEND_RECV)
    {
        isSendRecv = attribute.GetUint() != 0;
    }
    else
    {
        TakeOption(attribute);
    }
}

void
ChakraAttributes::TakeOption(const ChakraAttribute& attribute)
{
    const auto name = attribute.GetName();
    const auto getAlgorithm = [&attribute]() {
        return CollectiveSchedule::GetAlgorithm(attribute.GetText());
    };
    if (name == chakra::ALGORITHM)
    {
        options.algorithm = getAlgorithm();
    }
    else if (name == chakra::INSIDE)
    {
        options.inside = getAlgorithm();
    }
    else if (name == chakra::ACROSS)
    {
        options.across = getAlgorithm();
    }
    else if (name == chakra::RINGS)
    {
        options.rings = static_cast<uint32_t>(attribute.GetUint(UINT32_MAX));
    }
    else if (name == chakra::LOCAL)
    {
        options.local = static_cast<uint32_t>(attribute.GetUint(UINT32_MAX));
    }
    else if (name == chakra::ACROSS_FIRST)
    {
        options.isAcrossFirst = attribute.GetUint() != 0;
    }
    else if (name == chakra::AXES)
    {
        TakeAxes(attribute);
    }
    else if (name == chakra::ROUTING || name == chakra::LOADS)
    {
        TakeRouting(attribute);
    }
}

void
ChakraAttributes::TakeAxes(const ChakraAttribute& attribute)
{
    const auto list = attribute.GetList();
    constexpr std::size_t numbers = 2 * RankAxes::MOST;
    const bool isRight = list.size() == numbers &&
                         std::all_of(list.begin(), list.begin() + RankAxes::MOST, [](double size) {
                             return size >= 1 && size < UINT32_MAX;
                         });
    if (!isRight)
    {
        throw std::invalid_argument("has an attribute " + std::string(attribute.GetName()) +
                                    " without the sizes of 3 axes, and whether they are rings");
    }
    for (uint32_t axis = 0; axis < RankAxes::MOST; ++axis)
    {
        options.axes.sizes[axis] = static_cast<uint32_t>(list[axis]);
        options.axes.isRing[axis] = list[RankAxes::MOST + axis] != 0;
    }
}

void
ChakraAttributes::TakeRouting(const ChakraAttribute& attribute)
{
    const auto name = attribute.GetName();
    auto routing = options.routing ? *options.routing : TokenRouting();
    const auto list = attribute.GetList();
    if (name == chakra::LOADS)
    {
        routing.loads = list;
    }
    else
    {
        constexpr std::size_t numbers = 4;
        const bool isRight =
            list.size() == numbers && std::all_of(list.begin(), list.end(), [](double x) {
                return x >= 0 && x < UINT32_MAX;
            });
        if (!isRight)
        {
            throw std::invalid_argument("has an attribute " + std::string(name) +
                                        " without its 4 numbers");
        }
        routing.isReturn = list[0] != 0;
        routing.perToken = static_cast<uint32_t>(list[1]);
        routing.groups = static_cast<uint32_t>(list[2]);
        routing.topGroups = static_cast<uint32_t>(list[3]);
    }
    options.routing = std::make_shared<const TokenRouting>(routing);
}

} // namespace lightpath
} // namespace ns3
