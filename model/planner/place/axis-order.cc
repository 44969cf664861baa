/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "axis-order.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The names of the axes, as ranks are numbered: the fastest one first.
const std::array<std::string, 5> NAMES{"tp", "cp", "ep", "dp", "pp"};

/// Suffix of the name of a folded axis.
const std::string FOLDED = ":folded";

/**
 * @param member the position of a member along an axis
 * @param size the number of members
 * @return its place if the axis is folded
 */
uint32_t
Fold(uint32_t member, uint32_t size)
{
    return 2 * member < size ? 2 * member : 2 * (size - 1 - member) + 1;
}

} // namespace

AxisOrder
AxisOrder::Parse(const std::string& text)
{
    if (text == "linear" || text == "folded")
    {
        const std::string end = text == "folded" ? FOLDED : "";
        return Parse("tp" + end + ",dp" + end + ",pp" + end);
    }
    static const std::regex word("(tp|cp|ep|dp|pp)(/[1-9][0-9]{0,8})?(:folded)?");
    AxisOrder order;
    std::set<uint32_t> begun;
    std::set<uint32_t> ended;
    std::vector<Axis> implied;
    for (const auto axis : {CONTEXT, EXPERT})
    {
        if (text.find(NAMES[axis]) == std::string::npos)
        {
            implied.push_back(axis);
        }
    }
    bool isGood = true;
    std::istringstream list(text);
    std::smatch parts;
    for (std::string part; std::getline(list, part, ',') && isGood;)
    {
        isGood = std::regex_match(part, parts, word);
        const auto axis =
            static_cast<Axis>(std::find(NAMES.begin(), NAMES.end(), parts[1]) - NAMES.begin());
        const bool isBlock = isGood && parts[2].matched;
        const bool isFolded = isGood && parts[3].matched;
        for (const auto other : implied)
        {
            if (axis == DATA && begun.insert(other).second)
            {
                order.m_axes.push_back({other, 0, isFolded});
                ended.insert(other);
            }
        }
        begun.insert(axis);
        isGood = isGood && ended.count(axis) == 0;
        if (!isBlock)
        {
            ended.insert(axis);
        }
        const std::string block = isBlock ? parts[2].str().substr(1) : "0";
        order.m_axes.push_back({axis, static_cast<uint32_t>(std::stoul(block)), isFolded});
    }
    if (!isGood || ended.size() != begun.size())
    {
        throw std::invalid_argument("There is no placement '" + text +
                                    "': an order of axes names tp, dp and pp once, as in "
                                    "dp,tp:folded,pp, or again after a block, as in tp/2,dp,tp,pp");
    }
    return order;
}

std::vector<std::pair<AxisOrder, Placement>>
AxisOrder::PlaceAll(const Strategy& strategy, bool isAll)
{
    const auto sizes = GetSizes(strategy);
    std::vector<Axis> axes;
    for (uint32_t axis = 0; axis < N_AXES; ++axis)
    {
        if (sizes[axis] > 1)
        {
            axes.push_back(static_cast<Axis>(axis));
        }
    }
    std::vector<std::pair<AxisOrder, Placement>> placements;
    std::set<std::vector<uint32_t>> seen;
    do
    {
        AxisOrder plain;
        for (const auto axis : axes)
        {
            plain.m_axes.push_back({axis, 0, false});
        }
        for (auto& order : plain.GetVariants(isAll, sizes))
        {
            Placement placement = order.Place(strategy);
            if (seen.insert(placement.GetPorts()).second)
            {
                placements.emplace_back(std::move(order), std::move(placement));
            }
        }
    } while (std::next_permutation(axes.begin(), axes.end()));
    return placements;
}

std::vector<AxisOrder>
AxisOrder::GetRefolded() const
{
    std::vector<AxisOrder> orders(m_axes.size(), *this);
    for (std::size_t i = 0; i < orders.size(); ++i)
    {
        orders[i].m_axes[i].isFolded = !m_axes[i].isFolded;
    }
    return orders;
}

std::vector<AxisOrder>
AxisOrder::GetVariants(bool isAll, const std::array<uint32_t, N_AXES>& sizes) const
{
    std::vector<AxisOrder> orders;
    for (uint32_t set = 0; set < (1U << m_axes.size()); ++set)
    {
        orders.push_back(*this);
        for (std::size_t i = 0; i < m_axes.size(); ++i)
        {
            orders.back().m_axes[i].isFolded = (set >> i & 1) != 0;
        }
    }
    for (std::size_t last = 1; isAll && last < m_axes.size(); ++last)
    {
        const Axis axis = m_axes[last].axis;
        for (uint32_t block = 2; 2 * block <= sizes[axis]; ++block)
        {
            for (std::size_t first = 0; sizes[axis] % block == 0 && first < last; ++first)
            {
                orders.push_back(*this);
                auto& entries = orders.back().m_axes;
                entries.insert(entries.begin() + first, {axis, block, false});
            }
        }
    }
    return orders;
}

std::vector<AxisOrder::Part>
AxisOrder::Cut(const Strategy& strategy, std::string& name) const
{
    const auto sizes = GetSizes(strategy);
    auto rest = sizes;
    std::vector<Part> parts;
    uint32_t stride = 1;
    for (const auto& entry : m_axes)
    {
        uint32_t& left = rest[entry.axis];
        const uint32_t size = entry.block > 0 ? entry.block : left;
        if (left % size != 0)
        {
            throw std::invalid_argument("The placement has blocks of " + std::to_string(size) +
                                        " along " + NAMES[entry.axis] +
                                        ", which do not divide its " + std::to_string(left) +
                                        " members");
        }
        left /= size;
        if (size > 1)
        {
            const bool isFolded = entry.isFolded && size > 2;
            parts.push_back({entry.axis, size, stride, isFolded});
            stride *= size;
            name += (name.empty() ? "" : ",") + NAMES[entry.axis] +
                    (left > 1 ? "/" + std::to_string(size) : "") + (isFolded ? FOLDED : "");
        }
    }
    for (uint32_t axis = 0; axis < N_AXES; ++axis)
    {
        if (rest[axis] > 1)
        {
            throw std::invalid_argument("The placement leaves out " + NAMES[axis] +
                                        ", along which the plan has " +
                                        std::to_string(sizes[axis]) + " members");
        }
    }
    return parts;
}

Placement
AxisOrder::Place(const Strategy& strategy) const
{
    std::string name;
    const std::vector<Part> parts = Cut(strategy, name);
    const auto sizes = GetSizes(strategy);
    const auto n = static_cast<uint32_t>(strategy.GetGpus());
    std::vector<uint32_t> ports;
    ports.reserve(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        std::array<uint32_t, N_AXES> members{};
        uint32_t outer = rank;
        for (uint32_t axis = 0; axis < N_AXES; ++axis)
        {
            members[axis] = outer % sizes[axis];
            outer /= sizes[axis];
        }
        uint32_t port = 0;
        for (const auto& part : parts)
        {
            uint32_t& member = members[part.axis];
            const uint32_t place = member % part.size;
            port += (part.isFolded ? Fold(place, part.size) : place) * part.stride;
            member /= part.size;
        }
        ports.push_back(port);
    }
    return Placement(std::move(ports), name);
}

std::array<uint32_t, AxisOrder::N_AXES>
AxisOrder::GetSizes(const Strategy& strategy)
{
    // Groups that share out experts hold whole shares of a sample, or lie in them: then there is no
    // axis of their own
    const uint32_t inner =
        strategy.contextParallel * (strategy.wholeExperts ? strategy.tensorParallel : 1);
    const uint32_t experts =
        strategy.expertParallel % inner == 0 ? strategy.expertParallel / inner : 1;
    return {strategy.tensorParallel,
            strategy.contextParallel,
            experts,
            strategy.dataParallel / experts,
            strategy.pipelineParallel};
}

} // namespace lightpath
} // namespace ns3
