/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TRANSPORT_OPTIONS_H
#define LIGHTPATH_TRANSPORT_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/datacenter-helper.h"
#include "ns3/interconnect-helper.h"
#include "ns3/training-helper.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of a command line that say what carries messages, and what a network of
 * switches is like.
 */
class TransportOptions
{
  public:
    /**
     * @param [out] cmd the command line to add them to
     */
    void AddTo(ns3::CommandLine& cmd);

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
     * Refuse values that are wrong by themselves, and those that belong to none of the fabrics.
     *
     * @param names the names of the fabrics, which a transport may follow
     */
    void Check(const std::vector<std::string>& names) const;

    /**
     * Have a fabric be as the options say.
     *
     * @param [out] fabric the fabric
     * @param frameSize the most bytes of a packet, 0 for the default
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric, uint64_t frameSize) const;

    /**
     * @param fabric a fabric
     * @return whether messages go over sockets there
     */
    bool UsesSockets(const ns3::lightpath::InterconnectHelper& fabric) const;

    /**
     * @return whether other GPUs forward messages where there is no circuit
     */
    bool UsesRelays() const;

    /**
     * Have a job send its messages as the options say.
     *
     * @param [out] training what installs the job
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
     * Refuse a transport that a fabric cannot have.
     *
     * @param name the name of the fabric
     */
    void CheckTransport(const std::string& name) const;

    /**
     * @param fabric a fabric
     * @return the transport for it
     */
    std::string GetTransport(const ns3::lightpath::InterconnectHelper& fabric) const;

    /**
     * @return whether switches mark packets for the transport
     */
    bool NeedsMarking() const;

    std::string m_transport;          //!< Name of the transport, empty for the fabric's own
    int64_t m_window{0};              //!< Bytes on their way over a connection, 0 for enough
    int64_t m_connections{1};         //!< Connections between two GPUs
    int64_t m_oversubscription{1};    //!< Links to GPUs for each link up
    int64_t m_leafNodes{0};           //!< GPUs of a leaf switch, 0 for the default
    std::string m_linkDelay{"500ns"}; //!< Propagation delay of a link
    int64_t m_queue{2 << 20};         //!< Bytes that wait at a port of a switch
    int64_t m_marking{0};             //!< Bytes that wait as packets are marked, 0 for the default
};

#endif /* LIGHTPATH_TRANSPORT_OPTIONS_H */
