/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RING_FIXTURE_H
#define LIGHTPATH_RING_FIXTURE_H

#include "fabric-fixture.h"
#include "model/control/ring/ring-max-min-allocator.h"

#include "ns3/boolean.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/string.h"
#include "ns3/traffic-matrix.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief A ring with devices, which judges plans, and an allocator for it.
 */
class RingFixture
{
  public:
    /**
     * @param nodes the number of nodes
     * @param fibres the number of fibres in each direction
     * @param wavelengths the number of wavelengths of each fibre
     * @param mode "Continuity" or "LoadOnly"
     */
    RingFixture(uint32_t nodes, uint32_t fibres, uint32_t wavelengths, const std::string& mode)
        : ring(ns3::CreateObject<ns3::lightpath::MrrRingChannel>()),
          allocator(ns3::CreateObject<ns3::lightpath::RingMaxMinAllocator>())
    {
        ring->SetAttribute("NFibres", ns3::UintegerValue(fibres));
        ring->SetAttribute("NWavelengths", ns3::UintegerValue(wavelengths));
        ring->SetAttribute("WavelengthMode", ns3::StringValue(mode));
        allocator->SetAttribute("TightenBound", ns3::BooleanValue(true));
        m_devices = std::make_unique<FabricFixture>(ring, nodes);
    }

    ~RingFixture()
    {
        ns3::Simulator::Destroy();
    }

    /**
     * @param demand the bytes to be carried
     * @return what the allocator grants on the ring as it is now
     */
    ns3::lightpath::CircuitAllocation Allocate(const ns3::lightpath::TrafficMatrix& demand) const
    {
        allocator->SetGeometry(ring->GetGeometry());
        return allocator->Allocate(demand);
    }

    /**
     * Let random components of all kinds fail.
     *
     * @param random the source of random numbers
     * @param count the number of failures
     */
    void Fail(std::mt19937& random, uint32_t count)
    {
        const ns3::lightpath::RingGeometry& geometry = ring->GetGeometry();
        for (uint32_t failure = 0; failure < count; ++failure)
        {
            const std::string node = std::to_string(random() % geometry.GetNNodes());
            const std::string fibre = std::to_string(random() % (2 * geometry.GetNFibres()));
            const std::string wave = std::to_string(random() % geometry.GetNWavelengths());
            const std::vector<std::string> names{"segment:" + node + ":cw",
                                                 "segment:" + node + ":ccw",
                                                 "fibre:" + fibre,
                                                 "micro-ring:" + node + ":" + fibre + ":" + wave,
                                                 "laser:" + node + ":" + wave};
            ring->SetFailed(names[random() % names.size()], true);
        }
    }

    ns3::Ptr<ns3::lightpath::MrrRingChannel> ring;           //!< The ring
    ns3::Ptr<ns3::lightpath::RingMaxMinAllocator> allocator; //!< Plans its lightpaths

  private:
    std::unique_ptr<FabricFixture> m_devices; //!< The devices
};

#endif /* LIGHTPATH_RING_FIXTURE_H */
