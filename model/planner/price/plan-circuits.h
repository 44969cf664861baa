/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_CIRCUITS_H
#define PLAN_CIRCUITS_H

#include "ns3/planner.h"
#include "ns3/relay-paths.h"
#include "ns3/training-plan.h"

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
 * @brief The circuits that a fabric gives a plan: one setting for all of it or one for each phase.
 *
 * Of several allocators each one decides, and a pair has the least of the lanes that they give it.
 */
class PlanCircuits
{
  public:
    /**
     * Asks the allocators of the fabric. std::invalid_argument if a pair with traffic gets no
     * lightpath.
     *
     * @param plan the plan
     * @param fabric the fabric
     */
    PlanCircuits(const TrainingPlan& plan, const FabricLimits& fabric);

    /**
     * Refuse, by std::invalid_argument, traffic of a GPU with more peers than the fabric lets it
     * have.
     *
     * @param traffic the bytes by source and destination GPU
     * @param fabric the fabric
     */
    static void CheckDegree(const TrafficMatrix& traffic, const FabricLimits& fabric);

    /**
     * Refuse, by std::invalid_argument, an allocation that leaves pairs out which do not reach each
     * other indirectly either.
     *
     * @param allocation the decision of an allocator
     * @param fabric the fabric
     */
    static void CheckServed(const CircuitAllocation& allocation, const FabricLimits& fabric);

    /**
     * @return the number of different settings; 0 if the fabric has no allocators, or lanes of no
     *         known rate
     */
    uint32_t GetNSettings() const;

    /**
     * @return true if circuits are decided on for each phase
     */
    bool IsPhased() const;

    /**
     * @return true if circuits follow operations: all lightpaths then have the whole rate of a port
     */
    bool AreTurned() const;

    /**
     * @param phase a phase
     * @return its setting
     */
    uint32_t GetSetting(uint32_t phase) const;

    /**
     * @param some a setting
     * @param other another one
     * @param rail one of the fabrics between servers; 0 without rails
     * @return true if its circuits are the same in both
     */
    bool AreSame(uint32_t some, uint32_t other, uint32_t rail) const;

    /**
     * @param setting a setting
     * @param rail one of the fabrics between servers; 0 without rails
     * @param source the port that sends; without servers, the rank
     * @param destination the port that receives
     * @return the rate of its lightpath, in bytes/s; 0 if there is none
     */
    double GetRate(uint32_t setting, uint32_t rail, uint32_t source, uint32_t destination) const;

    /**
     * @param setting a setting of circuits that do not follow operations
     * @param rail one of the fabrics between servers; 0 without rails
     * @param source the port that sends
     * @param destination the port that receives
     * @return the rate of its lightpath, in bit/s; 0 if there is none
     */
    uint64_t GetBitRate(uint32_t setting,
                        uint32_t rail,
                        uint32_t source,
                        uint32_t destination) const;

    /**
     * @param settings settings, one at least
     * @param rail one of the fabrics between servers; 0 without rails
     * @param source the port that sends
     * @param destination the port that receives
     * @return the rate of the lanes of its lightpath that all of them have, in bit/s
     */
    uint64_t GetKeptBitRate(const std::vector<uint32_t>& settings,
                            uint32_t rail,
                            uint32_t source,
                            uint32_t destination) const;

    /**
     * @return true if messages without a lightpath take those of others, which are known
     */
    bool HasRelays() const;

    /**
     * @param rail one of the fabrics between servers; 0 without rails
     * @param source the port that sends
     * @param destination the port that receives
     * @return the ports where lightpaths end that a message takes, one after the other, if
     *         HasRelays(): the last one is the destination
     */
    std::vector<uint32_t> GetHops(uint32_t rail, uint32_t source, uint32_t destination) const;

    /**
     * @param setting a setting
     * @param rail one of the fabrics between servers; 0 without rails
     * @param source the port that sends
     * @param destination the port that receives
     * @return true if it has no lightpath for them, and all that has none shares a rate
     */
    bool IsIndirect(uint32_t setting, uint32_t rail, uint32_t source, uint32_t destination) const;

    /**
     * @param rail one of the fabrics between servers; 0 without rails
     * @param source the port that sends; without servers, the rank
     * @param destination the port that receives
     * @return the longest time of its lightpaths besides the bytes of a message, in seconds
     */
    double GetLatency(uint32_t rail, uint32_t source, uint32_t destination) const;

    /**
     * @param setting a setting
     * @param rail one of the fabrics between servers; 0 without rails
     * @param source the port that sends; without servers, the rank
     * @param destination the port that receives
     * @return the time of its lightpath besides the bytes of a message, in seconds
     */
    double GetLatency(uint32_t setting, uint32_t rail, uint32_t source, uint32_t destination) const;

  private:
    /// The circuits that each allocator grants on one fabric.
    using Decision = std::vector<CircuitPlan>;

    /// The number of the decision for each fabric.
    using Setting = std::vector<uint32_t>;

    /**
     * Decide on the settings.
     *
     * @param demands the demand for circuits in each phase; one for all if there are none
     */
    void Decide(const std::vector<TrafficMatrix>& demands);

    /**
     * @param demand the demand for circuits of one fabric
     * @return the number of the decision
     */
    uint32_t DecidePorts(const TrafficMatrix& demand);

    const FabricLimits& m_fabric;      //!< The fabric
    bool m_isPhased;                   //!< Whether circuits are decided on for each phase
    std::vector<Setting> m_settings;   //!< The different settings
    std::vector<Decision> m_decisions; //!< The different decisions
    /// Demands that have been decided on, with their decisions: those of rails are often equal
    std::vector<std::pair<TrafficMatrix, uint32_t>> m_decided;
    std::vector<uint32_t> m_ofPhases; //!< Setting by phase
    /// The paths over the lightpaths of a decision, once they are needed
    mutable std::map<uint32_t, RelayPaths> m_relays;
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_CIRCUITS_H */
