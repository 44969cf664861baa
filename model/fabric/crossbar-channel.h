/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CROSSBAR_CHANNEL_H
#define CROSSBAR_CHANNEL_H

#include "shared-link-channel.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/transmission-clock.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An ideal electrical switch: non-blocking, with max-min fair sharing of its ports.
 *
 * Only the links between devices and switch limit the traffic, each at LinkRate in either
 * direction. The pairs that have frames share them max-min fairly (progressive filling), and rates
 * change at once whenever a pair begins or ceases to have frames. Rates are rounded down to whole
 * bit/s.
 *
 * If it Reduces, the switch adds up what all ports hand over (Reduce()) and returns the sum to all
 * of them, as NVLink switches can. Such a reduction is one flow over both directions of the links
 * of all ports, and shares them with the frames.
 */
class CrossbarChannel : public SharedLinkChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CrossbarChannel();
    ~CrossbarChannel() override;

    /**
     * @return true if the switch reduces
     */
    bool Reduces() const;

    /**
     * Hand over a port's part of a reduction, which begins once all ports have done so. The bytes
     * go up from each port and their sum goes down to it, at the same time.
     *
     * @param port a port
     * @param tag the number of the reduction; it can be used again once the reduction has ended
     * @param bytes the bytes of the part, the same of all ports and above 0
     * @param done called when the last byte of the sum has arrived, in the order of the ports
     */
    void Reduce(uint32_t port, uint64_t tag, uint64_t bytes, Callback<void> done);

    std::string GetFabricName() const override;

  protected:
    void DoDispose() override;

  private:
    class Reduction;

    void FindRoute(uint32_t source, uint32_t destination, Route& route) override;

    /**
     * @param port a port
     * @param receive true for the direction out of the switch, false for the direction into it
     * @return the link, which is added if it is new
     */
    uint32_t GetLink(uint32_t port, bool receive);

    DataRate m_linkRate;  //!< Rate of each direction of a port's link
    Time m_delay;         //!< Delay from port to port
    uint32_t m_nLinks{0}; //!< Links so far
    bool m_reduces;       //!< The switch reduces
    std::map<uint64_t, std::unique_ptr<Reduction>> m_reductions; //!< Reductions by tag
};

} // namespace lightpath
} // namespace ns3

#endif /* CROSSBAR_CHANNEL_H */
