/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ALLOCATION_MEMORY_H
#define ALLOCATION_MEMORY_H

#include "circuit-allocator.h"
#include "traffic-matrix.h"

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The last allocations of an allocator, by demand.
 *
 * Equal layers of a model queue the same bytes at the same times, so that periodic decisions meet
 * the same demands again. The numbers of demanded pairs and of lanes in memory are limited; the
 * oldest allocations are dropped first.
 */
class AllocationMemory
{
  public:
    /**
     * @param size the most demanded pairs and granted lanes that are kept, of all allocations
     *        together
     */
    explicit AllocationMemory(uint64_t size);

    /**
     * @param demand a demand
     * @return the allocation that was added for it; null if it is not kept
     */
    const CircuitAllocation* Find(const TrafficMatrix& demand) const;

    /**
     * Keep an allocation.
     *
     * @param demand the demand, whose allocation is not kept
     * @param allocation its allocation
     */
    void Add(const TrafficMatrix& demand, const CircuitAllocation& allocation);

    /// Drop all allocations.
    void Clear();

  private:
    /// An allocation that is kept.
    struct Entry
    {
        TrafficMatrix demand;         //!< Its demand
        CircuitAllocation allocation; //!< The allocation
        uint64_t size{0};             //!< The number of demanded pairs and granted lanes
    };

    /**
     * @param demand a demand
     * @param [out] pairs the number of its pairs
     * @return a number that is the same for equal demands, and hardly ever for others
     */
    static uint64_t GetKey(const TrafficMatrix& demand, uint64_t& pairs);

    uint64_t m_mostSize;                           //!< The most pairs and lanes that are kept
    uint64_t m_size{0};                            //!< The pairs and lanes that are kept
    std::deque<uint64_t> m_order;                  //!< The keys of the entries, oldest first
    std::unordered_map<uint64_t, Entry> m_entries; //!< The entries, by key
};

} // namespace lightpath
} // namespace ns3

#endif /* ALLOCATION_MEMORY_H */
