/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACE_COLLECTIVE_H
#define TRACE_COLLECTIVE_H

#include "chakra-format.h"

#include "ns3/rank-program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The collective operations of traces and text workloads, by those that this module carries
 * out. The first rank of a group is the root.
 *
 * A broadcast of S bytes to n ranks is a ring that passes parts of S / (n - 1) bytes on: an
 * all-gather of n S / (n - 1) bytes. A reduction is the reduce-scatter of as many. The root gathers
 * by direct messages, as an all-to-all whose tokens are all for it, and scatters by its return. A
 * barrier is an all-reduce.
 */
class TraceCollective
{
  public:
    /**
     * @param type an operation
     * @return the one that carries it out
     */
    static CollectiveKind GetKind(chakra::CommType type);

    /**
     * Turn the size of an operation, what a rank has before it, into that of its task.
     *
     * @param type the operation
     * @param members the ranks that take part
     * @param [in,out] task its task, with the size
     */
    void Complete(chakra::CommType type, uint32_t members, Task& task);

  private:
    /// Messages that all go to the root, or come from it, by that and by the number of ranks
    std::map<std::pair<bool, uint32_t>, std::shared_ptr<const TokenRouting>> m_routings;
};

} // namespace lightpath
} // namespace ns3

#endif /* TRACE_COLLECTIVE_H */
