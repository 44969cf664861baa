/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_HELPER_H
#define SERVER_HELPER_H

#include "interconnect-helper.h"
#include "ns3/nstime.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class FabricHelper;

/**
 * @ingroup lightpath
 * @brief The devices that a ServerHelper has installed, by where they are attached.
 */
struct ServerDevices
{
    ServerLayout layout;       //!< Which GPUs share a server, and how they leave it
    NetDeviceContainer inside; //!< The device of each GPU on the scale-up network of its server

    /// The devices on each fabric between servers, as its helper has returned them; no fabrics if
    /// there is one server only
    std::vector<NetDeviceContainer> rails;
};

/**
 * @ingroup lightpath
 * @brief Installs servers: a scale-up network in each, and any interconnect between them.
 *
 * Each node is a GPU, and successive nodes form a server. The interconnect between servers is
 * whatever its own helper installs: a fabric, a network of switches or a hybrid. GPUs share it, or
 * have one of their own for each of their cards (SetAttach()). Devices of a card that GPUs share
 * are on the node of the first of them; the others reach it at no cost.
 *
 * The bandwidth is that of one GPU into the fabrics between servers. A card has that of all GPUs
 * that share it, unless SetCardRate() says otherwise.
 */
class ServerHelper : public InterconnectHelper
{
  public:
    static constexpr const char* SWITCH = "switch"; //!< Kind of scale-up network: non-blocking
    static constexpr const char* MESH = "mesh";     //!< The same: a link between each two GPUs
    static constexpr const char* RING = "ring";     //!< The same: links between neighbours

    /**
     * Servers of 8 GPUs with a switch of 2.4 Tb/s a GPU, and a card for each GPU, attached as
     * InterconnectHelper::GetUsualAttach() says. An interconnect that CheckOutside() rejects ends
     * the program with its message.
     *
     * @param outside installs each interconnect between servers
     */
    explicit ServerHelper(std::unique_ptr<InterconnectHelper> outside);

    ~ServerHelper() override;

    /**
     * @param outside installs an interconnect
     * @return empty if it can join servers; otherwise an error message
     */
    [[nodiscard]] static std::string CheckOutside(const InterconnectHelper& outside);

    /**
     * @return the kinds of scale-up networks that SetKind() knows, in ascending order
     */
    static std::vector<std::string> GetKinds();

    /**
     * @return the helper that installs each interconnect between servers; set the rate into it by
     *         SetBandwidth() or SetCardRate() of this one
     */
    InterconnectHelper& GetOutside() const;

    /**
     * @param gpus the number of GPUs of a server; the last server may have fewer, except with rails
     * @param rate the rate of each GPU to all other GPUs of its server, and from them
     * @param delay the time from the last bit sent to the last received over the scale-up network,
     *        or over one link of it
     */
    void SetServers(uint32_t gpus, DataRate rate, Time delay = Time(0));

    /**
     * @param kind the kind of the scale-up network: "switch" (non-blocking), "mesh" (a link between
     *        each two GPUs, which share the rate of a GPU) or "ring" (links between neighbours,
     *        each with half of it)
     */
    void SetKind(const std::string& kind);

    /**
     * @param reduces whether the switch inside a server can sum what its GPUs send, as NVLink SHARP
     *        does
     */
    void SetReduces(bool reduces);

    /**
     * @param attach how GPUs are attached to the interconnects between servers
     * @param cards the cards of a server, for RAIL and CARDS; 0 for one a GPU
     */
    void SetAttach(Attach attach, uint32_t cards = 0);

    /**
     * @param crosses whether a message to a GPU on another rail first goes over the scale-up
     *        network, to the GPU on that rail; otherwise it is refused
     */
    void SetCrossRails(bool crosses);

    /**
     * @param rate the rate of a card; 0 for that of all GPUs that share it
     */
    void SetCardRate(DataRate rate);

    /**
     * @param nNodes the number of GPUs
     * @return empty if the servers can be installed, whatever joins them; otherwise the sentence
     *         that says why not
     */
    [[nodiscard]] std::string CheckServers(uint32_t nNodes) const;

    /**
     * @param component the name of a component, as TrainingHelper::SetFailed() takes it
     * @param nNodes the number of GPUs
     * @return empty if servers of these GPUs have it; otherwise the sentence that lists the known
     *         ones
     */
    [[nodiscard]] std::string CheckComponent(const std::string& component, uint32_t nNodes) const;

    /**
     * Get the layout. A number of GPUs that CheckServers() rejects ends the program with its
     * message.
     *
     * @param nNodes the number of GPUs
     * @return which of them share a server, and how they leave it
     */
    ServerLayout GetLayout(uint32_t nNodes) const;

    /**
     * @param devices devices that Install() returned
     * @return the same, by where they are attached
     */
    ServerDevices Split(const NetDeviceContainer& devices) const;

    /**
     * @param devices devices that Install() returned
     * @return the controller of the circuits of each interconnect between servers, not started yet;
     *         null for one without circuits, or with one port only
     */
    std::vector<Ptr<CircuitController>> CreateControllers(const ServerDevices& devices) const;

    /**
     * @param delay that of messages between servers
     */
    void SetMessageDelay(Time delay) override;

    std::string Check(uint32_t nNodes) const override;
    std::string CheckCut(uint32_t nNodes) const override;

    /**
     * @return the GPUs of a server
     */
    uint32_t GetCutUnit() const override;

    /**
     * @param bandwidth the rate of each GPU into the interconnects between servers, and out of them
     */
    void SetBandwidth(DataRate bandwidth) override;

    /**
     * @param nodes the GPUs
     * @return the devices on the scale-up networks, in the order of the nodes, and then those of
     *         each interconnect between servers; see Split()
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const override;

    /**
     * Let nodes use IPv4 over the interconnects between servers.
     *
     * @param devices devices that Install() returned
     * @return the interfaces of these interconnects, one after the other
     */
    Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const override;

    /**
     * @param devices devices that Install() returned
     * @return the controller of the only interconnect between servers; with several of them, use
     *         CreateControllers()
     */
    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;

    /**
     * @return the rate of one link inside a server: all of a GPU at a switch
     */
    DataRate GetLinkRate() const;

    /**
     * @return the GPUs of a server
     */
    uint32_t GetServerSize() const
    {
        return m_gpus;
    }

    /**
     * @return the rate of a GPU inside its server
     */
    DataRate GetServerRate() const
    {
        return m_rate;
    }

    /**
     * @return the delay inside a server
     */
    Time GetServerDelay() const
    {
        return m_delay;
    }

    /**
     * @return the kind of the scale-up networks, one of GetKinds()
     */
    const std::string& GetKind() const
    {
        return m_kind;
    }

    /**
     * @return whether the scale-up switches can sum
     */
    bool Reduces() const
    {
        return m_reduces;
    }

  private:
    /**
     * @return the helper of the scale-up network of a server
     */
    std::unique_ptr<FabricHelper> MakeInside() const;

    /// Tell the helper of the interconnects the rate of a card, and the ports of a server.
    void UpdateCards();

    std::unique_ptr<InterconnectHelper> m_outside; //!< Installs each interconnect between servers
    uint32_t m_gpus{8};                            //!< GPUs of a server
    DataRate m_rate;                               //!< Rate of a GPU inside its server
    Time m_delay;                                  //!< Delay inside
    std::string m_kind{"switch"};                  //!< Kind of the scale-up networks
    bool m_reduces{false};                         //!< Whether their switches can sum
    Attach m_attach;                               //!< How GPUs are attached
    uint32_t m_cards{0};                           //!< Cards of a server; 0 for one a GPU
    bool m_crossesRails{true};                     //!< Whether messages may cross rails
    DataRate m_cardRate;                           //!< Rate of a card; 0 for that of its GPUs
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_HELPER_H */
