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
#include "ns3/relay-paths.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief The shortest paths from port to port over the lightpaths of a fabric (RelayPaths): those
 * that carry light or, while circuits are being switched, the new ones.
 *
 * The object is aggregated to the channel.
 */
class LightpathRoutes : public Object
{
  public:
    /// No port.
    static constexpr uint32_t NONE = RelayPaths::NONE;

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

    OpticalChannel* m_channel{nullptr}; //!< The fabric, to which this object is aggregated
    RelayPaths m_paths;                 //!< The paths
    bool m_isDark{false};               //!< Circuits are being switched
    TracedCallback<> m_changeTrace;     //!< The lightpaths have changed
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_ROUTES_H */
