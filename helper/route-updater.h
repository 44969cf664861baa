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
 * @brief Has IPv4 routes follow the links of fabrics.
 *
 * As the link of a device goes down, so does its interface; both come up together. What has changed
 * of one or several fabrics at one time is followed by one update of all routes. A link that stays
 * up while circuits are switched changes no route, and causes no update.
 *
 * It lives as long as the fabrics that it follows.
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
     * Follow the links of one more fabric. Interfaces whose link has never been up are left alone
     * until it is, so that what is sent meanwhile waits for the first light.
     *
     * @param devices devices of the fabric, with or without IPv4
     */
    void Follow(const NetDeviceContainer& devices);

    /**
     * @return how often routes have been updated
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
     * Have an interface follow its link.
     *
     * @param ipv4 the IPv4 stack of the node
     * @param interface the index of the interface
     * @param isUp whether the link is up
     */
    void SetInterface(Ptr<Ipv4> ipv4, uint32_t interface, bool isUp);

    /// Update all routes.
    void Update();

    /// Forget the paths that NIX routing has found.
    static void FlushNixRoutes();

    bool m_setInterfaces;                                //!< Interfaces follow their links
    bool m_globalRouting;                                //!< Global routes are computed anew
    std::set<std::pair<uint32_t, uint32_t>> m_takenDown; //!< Interfaces taken down, by node
    EventId m_update;                                    //!< The next update
    uint64_t m_nUpdates{0};                              //!< Updates until now
    TracedCallback<> m_updateTrace;                      //!< Routes have been updated
};

} // namespace lightpath
} // namespace ns3

#endif /* ROUTE_UPDATER_H */
