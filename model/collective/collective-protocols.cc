/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-protocols.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

CollectiveProtocols::CollectiveProtocols(std::vector<CollectiveProtocol> table)
    : m_table(std::move(table))
{
    const CollectiveProtocol* before = nullptr;
    for (const auto& protocol : m_table)
    {
        const std::string who = "Protocol " + protocol.name + " of collective operations ";
        if (protocol.dataBytes == 0 || protocol.wireBytes < protocol.dataBytes ||
            protocol.wireBytes > UINT32_MAX)
        {
            throw std::invalid_argument(who + "sends " + std::to_string(protocol.wireBytes) +
                                        " bytes for " + std::to_string(protocol.dataBytes) +
                                        " bytes of data: it must send at least its data, and less "
                                        "than 4 GiB at once");
        }
        if (!(protocol.latency >= 0))
        {
            throw std::invalid_argument(who + "takes less than no time to launch");
        }
        if (before != nullptr && protocol.mostBytes <= before->mostBytes)
        {
            throw std::invalid_argument(who + "is used up to " +
                                        std::to_string(protocol.mostBytes) + " bytes, as is " +
                                        before->name + " before it: sizes must ascend");
        }
        before = &protocol;
    }
    if (before != nullptr && before->mostBytes != UINT64_MAX)
    {
        throw std::invalid_argument("Protocol " + before->name +
                                    " of collective operations is the last one and must be used "
                                    "for buffers of any size");
    }
}

const CollectiveProtocol&
CollectiveProtocols::Get(uint64_t bytes) const
{
    static const CollectiveProtocol none;
    const auto found = std::find_if(m_table.begin(), m_table.end(), [bytes](const auto& protocol) {
        return bytes <= protocol.mostBytes;
    });
    return found == m_table.end() ? none : *found;
}

uint64_t
CollectiveProtocols::GetWireBytes(uint64_t bytes) const
{
    const auto& protocol = Get(bytes);
    // Whole units first, so that no product overflows
    const uint64_t units = bytes / protocol.dataBytes;
    const uint64_t rest = bytes % protocol.dataBytes * protocol.wireBytes;
    return units * protocol.wireBytes + (rest + protocol.dataBytes - 1) / protocol.dataBytes;
}

bool
CollectiveProtocols::IsEmpty() const
{
    return m_table.empty();
}

CollectiveProtocols
CollectiveProtocols::WithoutLatency() const
{
    CollectiveProtocols prompt = *this;
    for (auto& protocol : prompt.m_table)
    {
        protocol.latency = 0;
    }
    return prompt;
}

} // namespace lightpath
} // namespace ns3
