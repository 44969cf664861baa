/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-collective.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

CollectiveKind
TraceCollective::GetKind(chakra::CommType type)
{
    switch (type)
    {
    case chakra::REDUCE:
    case chakra::REDUCE_SCATTER:
    case chakra::REDUCE_SCATTER_BLOCK:
        return CollectiveKind::REDUCE_SCATTER;
    case chakra::ALL_GATHER:
    case chakra::BROADCAST:
        return CollectiveKind::ALL_GATHER;
    case chakra::GATHER:
    case chakra::SCATTER:
    case chakra::ALL_TO_ALL:
        return CollectiveKind::ALL_TO_ALL;
    default:
        return CollectiveKind::ALL_REDUCE;
    }
}

void
TraceCollective::Complete(chakra::CommType type, uint32_t members, Task& task)
{
    // A barrier sums one word
    constexpr uint64_t word = 4;
    if (type == chakra::BARRIER)
    {
        task.bytes = std::max(task.bytes, word);
    }
    if (members < 2)
    {
        return;
    }
    const uint64_t others = members - 1;
    const bool isScatter = type == chakra::SCATTER;
    switch (type)
    {
    case chakra::ALL_GATHER:
        task.bytes *= members;
        break;
    case chakra::BROADCAST:
    case chakra::REDUCE:
        task.bytes += (task.bytes + others - 1) / others;
        break;
    case chakra::GATHER:
    case chakra::SCATTER: {
        auto& routing = m_routings[{isScatter, members}];
        if (!routing)
        {
            TokenRouting all;
            all.isReturn = isScatter;
            all.loads.assign(members, 0);
            all.loads[0] = members;
            routing = std::make_shared<const TokenRouting>(all);
        }
        task.options.routing = routing;
        task.bytes = isScatter ? (task.bytes + others) / members : task.bytes;
        break;
    }
    default:
        break;
    }
}

} // namespace lightpath
} // namespace ns3
