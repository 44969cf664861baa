/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "axis-order.h"

#include <algorithm>
#include <array>
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
const std::array<std::string, 4> NAMES{"tp", "ep", "dp", "pp"};

/// What follows the name of an axis that is folded.
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
    AxisOrder order;
    std::set<uint32_t> seen;
    const auto add = [&](std::size_t axis, bool isFolded) {
        order.m_axes.push_back({static_cast<Axis>(axis), isFolded});
        return seen.insert(axis).second;
    };
    const bool hasExperts = text.find(NAMES[EXPERT]) != std::string::npos;
    bool isGood = true;
    std::istringstream list(text);
    for (std::string word; std::getline(list, word, ',');)
    {
        const bool isFolded = word.size() > FOLDED.size() &&
                              word.compare(word.size() - FOLDED.size(), FOLDED.size(), FOLDED) == 0;
        word = isFolded ? word.substr(0, word.size() - FOLDED.size()) : word;
        const std::size_t axis = std::find(NAMES.begin(), NAMES.end(), word) - NAMES.begin();
        isGood = isGood && axis < N_AXES && (axis != DATA || hasExperts || add(EXPERT, isFolded)) &&
                 add(axis, isFolded);
    }
    if (!isGood || seen.size() != N_AXES)
    {
        throw std::invalid_argument("There is no placement '" + text +
                                    "': an order of axes names tp, dp and pp once, as in "
                                    "dp,tp:folded,pp");
    }
    return order;
}

std::vector<AxisOrder>
AxisOrder::GetAll(const Strategy& strategy)
{
    std::vector<uint32_t> axes(N_AXES);
    std::vector<AxisOrder> orders;
    std::set<std::vector<uint32_t>> seen;
    for (uint32_t axis = 0; axis < N_AXES; ++axis)
    {
        axes[axis] = axis;
    }
    do
    {
        for (uint32_t folded = 0; folded < (1U << N_AXES); ++folded)
        {
            AxisOrder order;
            for (const auto axis : axes)
            {
                order.m_axes.push_back({static_cast<Axis>(axis), (folded >> axis & 1) != 0});
            }
            // Axes with one member have no place in the order, and two members cannot be folded
            bool isNew = true;
            for (uint32_t axis = 0; axis < N_AXES; ++axis)
            {
                const uint32_t size = GetSize(strategy, static_cast<Axis>(axis));
                isNew = isNew && (size > 2 || (folded >> axis & 1) == 0);
            }
            if (isNew && seen.insert(order.Place(strategy).GetPorts()).second)
            {
                orders.push_back(order);
            }
        }
    } while (std::next_permutation(axes.begin(), axes.end()));
    return orders;
}

Placement
AxisOrder::Place(const Strategy& strategy) const
{
    std::array<uint32_t, N_AXES> strides{};
    std::array<bool, N_AXES> isFolded{};
    uint32_t stride = 1;
    for (const auto& entry : m_axes)
    {
        strides[entry.axis] = stride;
        isFolded[entry.axis] = entry.isFolded;
        stride *= GetSize(strategy, entry.axis);
    }
    std::vector<uint32_t> ports;
    ports.reserve(stride);
    for (uint32_t rank = 0; rank < stride; ++rank)
    {
        uint32_t port = 0;
        uint32_t rest = rank;
        for (uint32_t axis = 0; axis < N_AXES; ++axis)
        {
            const uint32_t size = GetSize(strategy, static_cast<Axis>(axis));
            const uint32_t member = rest % size;
            rest /= size;
            port += (isFolded[axis] ? Fold(member, size) : member) * strides[axis];
        }
        ports.push_back(port);
    }
    return Placement(std::move(ports), GetName());
}

std::string
AxisOrder::GetName() const
{
    std::string name;
    for (const auto& entry : m_axes)
    {
        name += (name.empty() ? "" : ",") + NAMES[entry.axis] + (entry.isFolded ? FOLDED : "");
    }
    return name;
}

uint32_t
AxisOrder::GetSize(const Strategy& strategy, Axis axis)
{
    switch (axis)
    {
    case TENSOR:
        return strategy.tensorParallel;
    case EXPERT:
        return strategy.expertParallel;
    case DATA:
        return strategy.dataParallel / strategy.expertParallel;
    default:
        return strategy.pipelineParallel;
    }
}

} // namespace lightpath
} // namespace ns3
