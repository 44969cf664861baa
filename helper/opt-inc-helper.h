/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPT_INC_HELPER_H
#define OPT_INC_HELPER_H

#include "fabric-helper.h"

#include "ns3/in-network-channel.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a network that averages the gradients of all its servers (InNetworkChannel).
 *
 * The bandwidth of a server is shared out evenly over its transceivers. Gradients are quantised in
 * blocks (BlockQuantiser) of BlockSize words of Bits bits.
 */
class OptIncHelper : public FabricHelper
{
  public:
    /// How more servers are averaged than one averager takes.
    enum class Cascade : uint8_t
    {
        NONE,    //!< One averager for all servers
        NAIVE,   //!< Two levels, each of which rounds
        FRACTION //!< Two levels, of which the first sends on what it would round off
    };

    /**
     * A network with 800 Gb/s a server, by 8 transceivers, that averages words of 8 bits exactly.
     */
    OptIncHelper();
    ~OptIncHelper() override;

    /**
     * @return the names of the kinds of averager, in ascending order
     */
    static std::vector<std::string> GetAveragers();

    /**
     * @param bits the bits of a word, an even number from 2 to 16; std::invalid_argument for any
     *        other, or if they do not fit the transceivers
     */
    void SetBits(uint32_t bits);

    /**
     * @param size the gradients that share a scale, at least 1; std::invalid_argument for 0
     */
    void SetBlockSize(uint32_t size);

    /**
     * @param name "exact" (ExactAverager), or an optical neural network (NetworkAverager):
     *        "constructive", "trained", or "mesh" for a trained one whose weights meshes make;
     *        std::invalid_argument, which lists them, for any other
     */
    void SetAverager(const std::string& name);

    /**
     * Set an attribute of the optical neural networks (NetworkAverager) to be installed.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param cascade how servers are averaged in two levels
     * @param groupSize the servers of a group of the first level, at least 1;
     *        std::invalid_argument for 0
     */
    void SetCascade(Cascade cascade, uint32_t groupSize);

    /**
     * @param name "none", "naive" or "fraction"; std::invalid_argument, which lists these, for any
     *        other
     * @return the cascade
     */
    static Cascade GetCascade(const std::string& name);

    /**
     * @param nServers the number of servers
     * @return what averages their words; std::invalid_argument if it cannot
     */
    Ptr<WordAverager> MakeAverager(uint32_t nServers) const;

    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;
    FabricLimits GetLimits(uint32_t nNodes) const override;

  private:
    void ConfigureChannel(ObjectFactory& factory) const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;

    /**
     * @param nInputs the number of words that are averaged
     * @return an averager of one level; in place of a network a table of what it makes of all
     * inputs, where that is possible
     */
    Ptr<WordAverager> MakeSingle(uint32_t nInputs) const;

    uint32_t m_bits{8};               //!< Bits of a word
    uint32_t m_blockSize{256};        //!< Gradients that share a scale
    std::string m_averager{"exact"};  //!< Kind of averager
    ObjectFactory m_networkFactory;   //!< Makes the optical neural networks
    Cascade m_cascade{Cascade::NONE}; //!< How there are two levels
    uint32_t m_groupSize{4};          //!< Servers of a group of the first level
};

} // namespace lightpath
} // namespace ns3

#endif /* OPT_INC_HELPER_H */
