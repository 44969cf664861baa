/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_TIMES_H
#define MESSAGE_TIMES_H

#include "ns3/planning-problem.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The time of messages that ranks send at once, on a fabric that says what it takes
 * (LinkLimits::getTime).
 */
class MessageTimes
{
  public:
    /**
     * @param fabric the fabric, which must outlive this object
     */
    explicit MessageTimes(const FabricLimits& fabric);

    /**
     * @return whether the fabric says what messages take
     */
    bool AreKnown() const;

    /**
     * Add a message, unless it stays inside a server.
     *
     * @param source the rank that sends it
     * @param destination the rank that it is for, another one
     * @param bytes its size
     */
    void Add(uint32_t source, uint32_t destination, double bytes);

    /**
     * @return the time until all messages have come in that were added since the last call, and the
     *         time for which the busiest port can send nothing else, seconds; 0 if none leaves a
     *         server
     */
    std::pair<double, double> Take();

  private:
    const FabricLimits& m_fabric;                                //!< The fabric
    std::map<uint32_t, std::vector<LinkLimits::Message>> m_sent; //!< Messages by rail
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_TIMES_H */
