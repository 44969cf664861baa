/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIP_RING_HELPER_H
#define SIP_RING_HELPER_H

#include "circuit-fabric-helper.h"

#include "ns3/ring-allocator.h"
#include "ns3/ring-geometry.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a ring of micro-ring resonators: SiP-Ring of SiP-ML.
 *
 * Each node has as many wavelengths as its bandwidth is a multiple of the wavelength rate; they are
 * shared out evenly over the fibres of both directions.
 */
class SipRingHelper : public CircuitFabricHelper
{
  public:
    /**
     * A ring with 5 fibres in each direction, 2 Tb/s a node and a switching delay of 25 us.
     */
    SipRingHelper();
    ~SipRingHelper() override;

    /**
     * @param nFibres the number of fibres in each direction
     */
    void SetNFibres(uint32_t nFibres);

    /**
     * @param hops the most peers that a planner should give a node, so that they fit within as many
     *        segments; 16 at first
     */
    void SetPlanningDistance(uint32_t hops);

    /**
     * @param mode what a lightpath has to itself on each segment; continuity at first
     */
    void SetWavelengthMode(RingGeometry::WavelengthMode mode);

    std::vector<CircuitAlgorithm> GetAlgorithms() const override;
    std::string CheckComponent(const std::string& component, uint32_t nNodes) const override;

  private:
    void ConfigureChannel(ObjectFactory& factory) const override;
    void ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const override;
    void Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const override;
    void ConfigurePaths(FabricLimits& limits, uint32_t nNodes) const override;
    uint32_t GetDegree() const override;
    uint32_t GetNCircuits() const override;

    /**
     * @return the number of wavelengths of each fibre; std::invalid_argument if they cannot make up
     *         the bandwidth
     */
    uint32_t GetNWavelengths() const;

    /**
     * @param nNodes the number of nodes, at least 2
     * @return the ring over so many nodes, whole
     */
    RingGeometry GetGeometry(uint32_t nNodes) const;

    /**
     * @param allocator an allocator
     * @return the same, if it is one for rings; std::invalid_argument if not
     */
    static Ptr<RingAllocator> GetRingAllocator(Ptr<CircuitAllocator> allocator);

    uint32_t m_nFibres{5};           //!< Fibres in each direction
    uint32_t m_planningDistance{16}; //!< Most peers of a node in a plan
    RingGeometry::WavelengthMode m_wavelengthMode{
        RingGeometry::CONTINUITY}; //!< What a lightpath has to itself
};

} // namespace lightpath
} // namespace ns3

#endif /* SIP_RING_HELPER_H */
