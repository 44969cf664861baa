/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MIXNET_HELPER_H
#define MIXNET_HELPER_H

#include "hybrid-helper.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs MixNet (SIGCOMM 2025): an electrical network for all nodes, and optical circuit
 * switches for successive nodes, a region, whose circuits follow the all-to-all of experts.
 *
 * A node is a server with several cards, or a GPU. Most cards are on the circuit switch of the
 * region and the others on the electrical network. Put servers below by a ServerHelper with
 * Attach::SERVER. InstallJob() lets the circuits follow the job (ExchangeControl), unless the
 * Trigger of the controllers is another than Once: with the DemandSource Backlog they follow the
 * bytes that wait, as in Helios and c-Through.
 */
class MixNetHelper : public HybridHelper
{
  public:
    /**
     * Regions of 8 nodes, 8 cards a node, 6 of them on the circuit switch, 2 Tb/s a node and a
     * switching delay of 25 ms.
     *
     * @param electrical installs the electrical network; null for a switch that does not block
     */
    explicit MixNetHelper(std::unique_ptr<InterconnectHelper> electrical = nullptr);

    /**
     * @param optical the cards of a node on the circuit switch: its circuits
     * @param electrical its cards on the electrical network
     */
    void SetCards(uint32_t optical, uint32_t electrical);

    /**
     * @param nodes the successive nodes that share a circuit switch; the last region may have fewer
     */
    void SetRegion(uint32_t nodes);

    /**
     * @return the nodes of a region
     */
    uint32_t GetRegion() const
    {
        return m_region;
    }

    /**
     * @param waits whether the first all-to-all of a layer waits for its circuits, or takes those
     *        of the one before it, as by default
     */
    void SetFirstWaits(bool waits);

    /**
     * @param bandwidth the rate of all cards of a node
     * @return that of its cards on the circuit switch
     */
    DataRate GetOpticalRate(DataRate bandwidth) const;

    /**
     * @param bandwidth the rate of all cards of a node
     * @return that of its cards on the electrical network
     */
    DataRate GetElectricalRate(DataRate bandwidth) const;

    /**
     * @param devices devices that Install() returned
     * @return the controller of the circuits of each region, not started yet; null for a region of
     *         one node
     */
    std::vector<Ptr<CircuitController>> CreateControllers(const NetDeviceContainer& devices) const;

    /**
     * @param bandwidth the rate of all cards of a node
     */
    void SetBandwidth(DataRate bandwidth) override;

    /**
     * @return the rate of all cards of a node
     */
    DataRate GetBandwidth() const override;

    /**
     * @param gpus the GPUs of a server
     * @param cards its cards
     * @return a node for each server, whose cards are those of SetCards()
     */
    Attach GetUsualAttach(uint32_t gpus, uint32_t cards) const override;

    std::string Check(uint32_t nNodes) const override;
    NetDeviceContainer Install(const NodeContainer& nodes) const override;

    /**
     * @param devices devices that Install() returned
     * @return null: FollowJob() creates a controller for each region
     */
    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;

    /**
     * @param nNodes the number of nodes
     * @param first the first node of a region
     * @return the nodes of the region
     */
    uint32_t GetRegionSize(uint32_t nNodes, uint32_t first) const;

    /**
     * @return the cards of a node on the electrical network
     */
    uint32_t GetElectricalCards() const
    {
        return m_electrical;
    }

    /**
     * @return the cards of a node on the circuit switch
     */
    uint32_t GetOpticalCards() const
    {
        return m_optical;
    }

    /**
     * @return whether the first all-to-all of a layer waits
     */
    bool FirstWaits() const
    {
        return m_firstWaits;
    }

  private:
    uint32_t m_optical{6};    //!< Cards of a node on the circuit switch
    uint32_t m_electrical{2}; //!< Cards of a node on the electrical network
    uint32_t m_region{8};     //!< Nodes of a region
    bool m_firstWaits{false}; //!< Whether the first all-to-all of a layer waits
    DataRate m_bandwidth;     //!< Rate of all cards of a node
};

} // namespace lightpath
} // namespace ns3

#endif /* MIXNET_HELPER_H */
