/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ROUTES_H
#define LIGHTPATH_ROUTES_H

#include "circuit-plan.h"

#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief The shortest ways from port to port over the lightpaths of a fabric, one after the other.
 *
 * All ports agree on how many lightpaths it takes from each one to a destination, so that whatever
 * goes on over GetNext() from port to port comes closer with each. Among several ports that are
 * equally close, that with the widest lightpath to it is next; among several of these, sources and
 * destinations are spread over them.
 *
 * Ways are those of the lightpaths that carry light, and while circuits are being switched, of
 * those that are switched to. They are found as they are asked for, with one breadth-first search a
 * destination and plan. The object is aggregated to the channel.
 */
class LightpathRoutes : public Object
{
  public:
    /// No port.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param channel a fabric
     * @return its ways, which come into being if need be
     */
    static Ptr<LightpathRoutes> Get(Ptr<OpticalChannel> channel);

    /**
     * @param source a port
     * @param destination another port
     * @return the port that is next on the way there, which is the destination itself if there is a
     *         lightpath; NONE if there is no way
     */
    uint32_t GetNext(uint32_t source, uint32_t destination);

    /**
     * TracedCallback signature for a change of lightpaths.
     */
    typedef void (*ChangeTracedCallback)();

  protected:
    void DoDispose() override;
    void NotifyNewAggregate() override;

  private:
    /**
     * Follow another plan.
     *
     * @param plan the lightpaths
     */
    void Follow(const CircuitPlan& plan);

    /**
     * Hear that circuits are being switched.
     *
     * @param plan the lightpaths that they are switched to
     */
    void NotifyDark(const CircuitPlan& plan);

    /**
     * Hear that circuits have been switched.
     *
     * @param plan the lightpaths that carry light
     */
    void NotifyLight(const CircuitPlan& plan);

    /**
     * Follow what a failure or a repair has left.
     *
     * @param component the name of the component
     * @param failed true if it has failed
     */
    void NotifyFault(const std::string& component, bool failed);

    /**
     * @param destination a port
     * @return the next port on the way there from each port
     */
    std::vector<uint32_t> FindWays(uint32_t destination) const;

    /**
     * @param destination a port
     * @return the least number of lightpaths to it, one after the other, by port; NONE where none
     *         lead there
     */
    std::vector<uint32_t> CountHops(uint32_t destination) const;

    OpticalChannel* m_channel{nullptr}; //!< The fabric, which this is aggregated to
    CircuitPlan m_plan;                 //!< The lightpaths
    bool m_isDark{false};               //!< Circuits are being switched
    /// Ports with a lightpath to a port, by port; empty until it is asked for
    std::vector<std::vector<uint32_t>> m_sources;
    std::map<uint32_t, std::vector<uint32_t>> m_next; //!< Next port by destination and port
    TracedCallback<> m_changeTrace;                   //!< The lightpaths have changed
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_ROUTES_H */
