/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPT_INC_HELPER_H
#define OPT_INC_HELPER_H

#include "fabric-helper.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class NetworkAverager;
class WordAverager;

/**
 * @ingroup lightpath
 * @brief Installs a network that averages the gradients of all its servers (InNetworkChannel).
 *
 * The transceivers of a server share its bandwidth evenly. Gradients are quantised in blocks
 * (BlockQuantiser): SetBlockSize() and SetBits() give their size and the bits of a word.
 */
class OptIncHelper : public FabricHelper
{
  public:
    /**
     * A network that averages words of 8 bits exactly, with the default transceivers of its
     * channel: 800 Gb/s a server.
     */
    OptIncHelper();

    /**
     * @param bits the bits of a word, an even number from 2 to 16; half of it must divide the
     *        number of transceivers of a server
     */
    void SetBits(uint32_t bits);

    /**
     * @param size the number of gradients that share a scale, at least 1
     */
    void SetBlockSize(uint32_t size);

    /**
     * @param name "exact" (ExactAverager), or an optical neural network (NetworkAverager):
     *        "constructive", "trained", or "mesh" for a trained one on meshes
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
     * Average in two levels, for more servers than one averager has inputs.
     *
     * @param name "none" for one level; "naive" for two levels, each of which rounds; "fraction"
     *        for two levels, the first of which forwards the remainder instead of rounding
     * @param groupSize the number of servers of a group of the first level, a divisor of the number
     *        of all servers
     */
    void SetCascade(const std::string& name, uint32_t groupSize);

    /**
     * @param nServers the number of servers
     * @return the averager of their words
     */
    Ptr<WordAverager> MakeAverager(uint32_t nServers) const;

    std::string Check(uint32_t nNodes) const override;

    /**
     * @return the transceivers of a server: as set, or as many that a wavelength carries no more
     *         than a receiver takes, the default at least
     */
    uint32_t GetTransceivers() const;

    /**
     * @param nInputs the servers of an averager
     * @return an optical neural network for them, without imperfections, of interferometers
     */
    Ptr<NetworkAverager> MakeIdealNetwork(uint32_t nInputs) const;

    /**
     * @return the servers of a group of the first level of a cascade; 0 without a cascade
     */
    uint32_t GetGroupSize() const;

    /**
     * @return the bits of a word
     */
    uint32_t GetBits() const
    {
        return m_bits;
    }

    /**
     * @return the gradients that share a scale
     */
    uint32_t GetBlockSize() const
    {
        return m_blockSize;
    }

  private:
    std::vector<DerivedAttribute> GetDerived() const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;

    /**
     * @return the influence of the light
     */
    PhotonicChannel::PhysicalLayer GetPhysicalLayer() const;

    /**
     * @param nServers the number of servers
     * @return how often their averages are wrong, with a warning if that is too often
     */
    LightReport DescribeLight(uint32_t nServers) const;

    /**
     * @return empty if words and blocks of gradients fit the transceivers; otherwise an error
     *         message
     */
    std::string CheckWords() const;

    /**
     * @param nServers the number of servers
     * @param networks makes the optical neural networks
     * @return the averager of the words of the servers; it throws an exception for weights of
     *         another number of servers
     */
    Ptr<WordAverager> MakeAverager(uint32_t nServers, const ObjectFactory& networks) const;

    /**
     * @param nInputs the number of words that are averaged
     * @param factory makes the optical neural networks
     * @param onMesh whether meshes make its weights
     * @return a network, trained if the averager is; otherwise the constructive one
     */
    Ptr<NetworkAverager> MakeNetwork(uint32_t nInputs, ObjectFactory factory, bool onMesh) const;

    /**
     * @param nInputs the number of words that are averaged
     * @param networks makes the optical neural networks
     * @return an averager of one level: a table of the outputs of a network for all inputs if it
     *         fits in memory
     */
    Ptr<WordAverager> MakeSingle(uint32_t nInputs, const ObjectFactory& networks) const;

    uint32_t m_bits{8};              //!< Bits of a word
    uint32_t m_blockSize{256};       //!< Gradients that share a scale
    std::string m_averager{"exact"}; //!< Kind of averager
    ObjectFactory m_networkFactory;  //!< Makes the optical neural networks
    std::string m_cascade{"none"};   //!< Kind of cascade
    uint32_t m_groupSize{4};         //!< Servers of a group of the first level
};

} // namespace lightpath
} // namespace ns3

#endif /* OPT_INC_HELPER_H */
