/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_SPAN_H
#define RING_SPAN_H

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An arc of a ring of fibres: a segment and those that follow it upwards (mod N).
 */
struct RingSpan
{
    uint32_t first{0}; //!< The lowest segment
    uint32_t hops{0};  //!< The number of segments

    /**
     * @param other the arc compared with
     * @param nodes the number N of segments of the ring
     * @return true if both cover a segment in common
     */
    bool Overlaps(const RingSpan& other, uint32_t nodes) const
    {
        const uint32_t gap =
            other.first >= first ? other.first - first : other.first + nodes - first;
        return gap < hops || (gap > 0 && nodes - gap < other.hops);
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_SPAN_H */
