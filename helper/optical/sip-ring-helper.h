/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIP_RING_HELPER_H
#define SIP_RING_HELPER_H

#include "circuit-fabric-helper.h"

#include "ns3/ring-geometry.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a ring of micro-ring resonators: SiP-Ring of SiP-ML.
 *
 * The bandwidth of a node is that of its wavelengths, which are spread evenly over the fibres of
 * both directions; the number of wavelengths of a fibre follows. Where the fibres of the channel's
 * default do not suit the bandwidth, fewer do, unless their number is set.
 */
class SipRingHelper : public CircuitFabricHelper
{
  public:
    /**
     * A ring with the defaults of its channel, and the bandwidth of all its lanes: 2 Tb/s a node.
     */
    SipRingHelper();

    /**
     * @param nFibres the number of fibres in each direction: the attribute NFibres of the channel
     */
    void SetNFibres(uint32_t nFibres);

    /**
     * @param hops the largest number of peers of a node in a plan, so that they fit within as many
     *        segments; 16 by default
     */
    void SetPlanningDistance(uint32_t hops);

    /**
     * @param mode which lanes a lightpath occupies: the attribute WavelengthMode of the channel
     */
    void SetWavelengthMode(RingGeometry::WavelengthMode mode);

    std::vector<CircuitAlgorithm> GetAlgorithms() const override;
    std::string CheckBandwidth() const override;
    Time GetPathDelay() const override;
    std::string CheckComponent(const std::string& component, uint32_t nNodes) const override;

    /**
     * @param nNodes the number of nodes, at least 2
     * @return the ring over these nodes, whole
     */
    RingGeometry GetGeometry(uint32_t nNodes) const;

    /**
     * @return the number of fibres in each direction: as set, or else the largest one up to the
     *         default that the wavelengths can be spread over evenly
     */
    uint64_t GetNFibres() const;
    uint32_t GetDegree() const override;
    uint32_t GetNCircuits() const override;

  private:
    std::vector<DerivedAttribute> GetDerived() const override;
    std::string CheckAllocator(TypeId type) const override;
    std::pair<uint32_t, std::string> GetSliceable() const override;
    void KeepShare(uint32_t count) override;
    void ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const override;
    void Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const override;

    /**
     * @return the number of wavelengths of each fibre, rounded down
     */
    uint32_t GetNWavelengths() const;

    uint32_t m_planningDistance{16}; //!< Most peers of a node in a plan
};

} // namespace lightpath
} // namespace ns3

#endif /* SIP_RING_HELPER_H */
