/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTE_UPDATER_H
#define ROUTE_UPDATER_H

#include "ns3/event-id.h"
#include "ns3/net-device-container.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

class Ipv4;

namespace lightpath
{

class FabricChannel;

/**
 * @ingroup lightpath
 * @brief Updates IPv4 routes when links of fabrics go up or down.
 *
 * An interface goes down and up with the link of its device. All changes at one time, also of
 * several fabrics, lead to one update of all routes. A link that stays up while circuits are
 * switched causes no update.
 *
 * The fabrics keep the object alive.
 */
class RouteUpdater : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Follow the links of one more fabric. An interface is unchanged until its link comes up for
     * the first time, so that earlier packets wait for the first light.
     *
     * @param devices devices of the fabric, with or without IPv4
     */
    void Follow(const NetDeviceContainer& devices);

    /**
     * @return the number of updates of routes
     */
    uint64_t GetNUpdates() const;

    /**
     * TracedCallback signature for an update.
     */
    typedef void (*UpdateTracedCallback)();

  protected:
    void DoDispose() override;

  private:
    /**
     * Hear that links go up or down.
     *
     * @param channel the fabric
     * @param ports the ports whose link has changed
     */
    void NotifyLinks(FabricChannel* channel, const std::vector<uint32_t>& ports);

    /**
     * Set the state of an interface to that of its link.
     *
     * @param ipv4 the IPv4 stack of the node
     * @param interface the index of the interface
     * @param isUp whether the link is up
     */
    void SetInterface(Ptr<Ipv4> ipv4, uint32_t interface, bool isUp);

    /// Update all routes.
    void Update();

    /// Clear the paths that NIX routing has found.
    static void FlushNixRoutes();

    bool m_setInterfaces;                                //!< Interfaces follow their links
    bool m_globalRouting;                                //!< Global routes are recomputed
    std::set<std::pair<uint32_t, uint32_t>> m_takenDown; //!< Interfaces taken down, by node
    EventId m_update;                                    //!< The next update
    uint64_t m_nUpdates{0};                              //!< Updates until now
    TracedCallback<> m_updateTrace;                      //!< Routes have been updated
};

} // namespace lightpath
} // namespace ns3

#endif /* ROUTE_UPDATER_H */
