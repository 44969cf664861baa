/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TRANSPORT_OPTIONS_H
#define LIGHTPATH_TRANSPORT_OPTIONS_H

#include "graph-options.h"
#include "program-options.h"

#include "ns3/interconnect-helper.h"
#include "ns3/rdma-helper.h"
#include "ns3/training-helper.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of transports and of networks of switches.
 */
class TransportOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * @param names names of fabrics, which a transport may follow: fat-tree:dctcp, or
     *        sip-ring+leaf-spine:tcp for a hybrid one
     * @return the fabrics, and the two sides of hybrid ones
     */
    static std::vector<std::string> GetFabrics(const std::vector<std::string>& names);

    /**
     * @param name the name of a fabric, which a transport may follow
     * @return the options for this fabric
     */
    TransportOptions GetFor(const std::string& name) const;

    /**
     * Refuse numbers that are out of range, and transports that a fabric cannot have.
     *
     * @param names the names of the fabrics, which a transport may follow
     */
    void Check(const std::vector<std::string>& names) const;

    /**
     * @param names the names of the fabrics, which a transport may follow
     * @return the fabrics, both sides of hybrid ones, and the transports: all that options may
     *         belong to
     */
    std::set<std::string> GetOwners(const std::vector<std::string>& names) const;

    /**
     * @param name the name of a fabric, which a transport may follow
     * @return its helper
     */
    std::unique_ptr<ns3::lightpath::InterconnectHelper> MakeFabric(const std::string& name) const;

    /**
     * Set up a fabric.
     *
     * @param [out] fabric the fabric
     * @param frameSize the most bytes of a packet, 0 for the default
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric, uint64_t frameSize) const;

    /**
     * @return the rails of a network that are asked for; 0 if none are
     */
    uint32_t GetRails() const
    {
        return m_graph.GetRails();
    }

    /**
     * @param fabric a fabric
     * @return the transport for it
     */
    std::string GetTransport(const ns3::lightpath::InterconnectHelper& fabric) const;

    /**
     * @param fabric a fabric
     * @return whether messages go over sockets there
     */
    bool UsesSockets(const ns3::lightpath::InterconnectHelper& fabric) const;

    /**
     * @return whether GPUs forward messages of others where there is no circuit
     */
    bool UsesRelays() const;

    /**
     * Set up the transport of a job.
     *
     * @param [out] training the helper that installs the job
     * @param fabric the fabric that it is for
     * @param nNodes the number of nodes
     * @param frameSize the most bytes of a frame, 0 for bursts or for the default of sockets
     */
    void Configure(ns3::lightpath::TrainingHelper& training,
                   const ns3::lightpath::InterconnectHelper& fabric,
                   uint32_t nNodes,
                   uint64_t frameSize) const;

  private:
    /**
     * Set up a network of links.
     *
     * @param [out] graph the network
     */
    void ConfigureGraph(ns3::lightpath::LinkGraphHelper& graph) const;

    /**
     * Set up a network for RDMA.
     *
     * @param [out] cards the network
     * @param frameSize the most bytes of a packet, without headers; 0 for the default
     */
    void ConfigureCards(ns3::lightpath::RdmaHelper& cards, uint64_t frameSize) const;

    /**
     * Refuse a transport that a fabric cannot have.
     *
     * @param name the name of the fabric
     */
    void CheckTransport(const std::string& name) const;

    std::string m_transport;              //!< Name of the transport, empty for the fabric's own
    uint64_t m_window{0};                 //!< Largest window of a connection, bytes; 0 for enough
    uint32_t m_connections{1};            //!< Connections between two GPUs
    GraphOptions m_graph;                 //!< Networks of links
    uint32_t m_oversubscription{1};       //!< Links to GPUs for each link up
    uint32_t m_seed{0};                   //!< Seed of the hashes that choose routes
    uint32_t m_leafNodes{0};              //!< GPUs of a leaf switch, 0 for the default
    std::optional<ns3::Time> m_linkDelay; //!< Propagation delay of a link, if given
    uint32_t m_queue{2 << 20};            //!< Queue of a port of a switch, bytes
    uint32_t m_cutBytes{0};               //!< Bytes after which a switch forwards a packet; 0: all
    uint32_t m_marking{0};                //!< Queue at which packets are marked, bytes; 0: by rate
};

#endif /* LIGHTPATH_TRANSPORT_OPTIONS_H */
