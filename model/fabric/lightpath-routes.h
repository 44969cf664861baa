/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ROUTES_H
#define LIGHTPATH_ROUTES_H

#include "ns3/circuit-plan.h"
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
 * @brief The shortest paths from port to port over the lightpaths of a fabric.
 *
 * All ports agree on the distances to a destination, so that each hop of GetNext() comes closer to
 * it. Among equally close ports, the one with the widest lightpath is next; among several of these,
 * the choice varies with source and destination.
 *
 * Paths use the lightpaths that carry light or, while circuits are being switched, the new
 * lightpaths. They are computed on demand, by one breadth-first search for each destination and
 * plan. The object is aggregated to the channel.
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
     * @return its paths, created if necessary
     */
    static Ptr<LightpathRoutes> Get(Ptr<OpticalChannel> channel);

    /**
     * @param source a port
     * @param destination another port
     * @return the next port on the path, which is the destination itself if there is a lightpath;
     *         NONE if there is no path
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
     * Handle the beginning of a reconfiguration.
     *
     * @param plan the new lightpaths
     */
    void NotifyDark(const CircuitPlan& plan);

    /**
     * Handle the end of a reconfiguration.
     *
     * @param plan the lightpaths that carry light
     */
    void NotifyLight(const CircuitPlan& plan);

    /**
     * Follow the lightpaths after a failure or a repair.
     *
     * @param component the name of the component
     * @param failed true if it has failed
     */
    void NotifyFault(const std::string& component, bool failed);

    /**
     * @param destination a port
     * @return the next port on the path to it from each port
     */
    std::vector<uint32_t> FindWays(uint32_t destination) const;

    /**
     * @param destination a port
     * @return the least number of lightpaths to it from each port; NONE without a path
     */
    std::vector<uint32_t> CountHops(uint32_t destination) const;

    OpticalChannel* m_channel{nullptr}; //!< The fabric, to which this object is aggregated
    CircuitPlan m_plan;                 //!< The lightpaths
    bool m_isDark{false};               //!< Circuits are being switched
    /// Ports with a lightpath to a port, by port; empty until needed
    std::vector<std::vector<uint32_t>> m_sources;
    std::map<uint32_t, std::vector<uint32_t>> m_next; //!< Next port by destination and port
    TracedCallback<> m_changeTrace;                   //!< The lightpaths have changed
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_ROUTES_H */
