/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FABRIC_OPTIONS_H
#define LIGHTPATH_FABRIC_OPTIONS_H

#include "attribute-options.h"
#include "circuit-options.h"
#include "mixnet-options.h"
#include "rotor-options.h"
#include "server-options.h"
#include "topoopt-options.h"
#include "torus-options.h"
#include "transport-options.h"

#include "ns3/collective-protocols.h"
#include "ns3/data-rate.h"
#include "ns3/interconnect-helper.h"
#include "ns3/nstime.h"
#include "ns3/planning-problem.h"
#include "ns3/training-helper.h"

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of all fabrics and transports.
 */
class FabricOptions
{
  public:
    FabricOptions();

    /**
     * @param [out] options the options of the program, to which all of these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * @param [out] options the options of the program, to which that of light is added
     */
    void AddLight(ProgramOptions& options);

    /**
     * @param [out] options the options of the program, to which those of ODDL are added
     */
    void AddGrid(ProgramOptions& options);

    /**
     * @param [out] options the options of the program, to which the rate into the fabric, servers
     *        and the electrical switch are added
     */
    void AddServers(ProgramOptions& options);

    /**
     * @param [out] options the options of the program, to which those of messages are added
     */
    void AddMessages(ProgramOptions& options);

    /**
     * Let all fabrics have the servers that one of them brings with it, unless options say
     * otherwise: those of some would beat others that have none.
     *
     * @param names the names of the fabrics, which a transport may follow
     */
    void SetUsualServers(const std::vector<std::string>& names);

    /**
     * @return whether a fabric has brought its servers with it, or their rate
     */
    bool HasUsualServers() const
    {
        return !m_serversOf.empty();
    }

    /**
     * @return these servers, and that fabric
     */
    nlohmann::ordered_json GetUsualServers() const;

    /**
     * @param nFabrics the number of fabrics
     * @return the servers below them, and which one has brought them; empty without servers
     */
    std::string DescribeServers(std::size_t nFabrics = 1) const;

    /**
     * Refuse values that contradict each other or the fabrics.
     *
     * @param names the names of the fabrics, which a transport may follow
     * @param gpus the number of GPUs
     */
    void Check(const std::vector<std::string>& names, int64_t gpus) const;

    /**
     * @param name the name of a fabric, which a transport may follow
     * @param gpus the number of GPUs
     * @param perServer the GPUs of a server; 1 for no servers
     * @param ofWhole the GPUs that stand for all
     * @return the helper that installs it, for these GPUs: its light passes the ports of all
     */
    std::unique_ptr<ns3::lightpath::InterconnectHelper> MakeFolded(
        const std::string& name,
        int64_t gpus,
        uint32_t perServer,
        const std::vector<uint32_t>& ofWhole) const;

    /**
     * @param name the name of a fabric, which a transport may follow
     * @param gpus the number of GPUs
     * @param folded the fabric of MakeFolded()
     * @return the fabrics between the servers of all GPUs, for each one of the few
     */
    double GetRails(const std::string& name,
                    int64_t gpus,
                    const ns3::lightpath::InterconnectHelper& folded) const;

    /**
     * @return true if a message is one frame
     */
    bool SendsBursts() const
    {
        return m_frameSize == 0;
    }

    /**
     * @param name the name of a fabric, which a transport may follow
     * @param gpus the number of GPUs
     * @param perServer the GPUs of a server; 1 for no servers
     * @return the helper that installs it
     */
    std::unique_ptr<ns3::lightpath::InterconnectHelper> MakeFabric(const std::string& name,
                                                                   int64_t gpus,
                                                                   uint32_t perServer) const;

    /**
     * @param name the name of a fabric, which a transport may follow
     * @param gpus the number of GPUs
     * @param isFirst whether the plan must do with the circuits of the first decision
     * @return the limits that a plan for it must respect
     */
    ns3::lightpath::FabricLimits GetLimits(const std::string& name,
                                           int64_t gpus,
                                           bool isFirst = false) const;

    /**
     * Set up the transports of a job.
     *
     * @param name the name of its fabric, which a transport may follow
     * @param fabric the helper that installs the fabric
     * @param nNodes the number of nodes
     * @param [out] training the helper that installs the job
     * @return whether messages go over sockets, for which nodes need addresses
     */
    bool Configure(const std::string& name,
                   const ns3::lightpath::InterconnectHelper& fabric,
                   uint32_t nNodes,
                   ns3::lightpath::TrainingHelper& training) const;

    /**
     * Set the grid of ODDL, unless options do.
     *
     * @param rows the number of rows; 0 to leave it alone
     * @param columns the number of columns
     */
    void SetDefaultGrid(uint32_t rows, uint32_t columns);

    /**
     * @return the rate of one GPU into the fabric, like 2Tbps: as given, that of the preset of
     *         servers, or the default
     */
    std::string GetBandwidth() const;

    /**
     * @return the time to launch a collective operation: as given, or that of the preset of servers
     */
    ns3::Time GetLaunch() const;

    /**
     * @param names the names of the fabrics, which a transport may follow
     * @return the fabrics, transports and servers: all that options may belong to
     */
    std::set<std::string> GetOwners(const std::vector<std::string>& names) const;

    std::string bandwidth;      //!< Rate of one GPU into the fabric; empty for the default
    ServerOptions servers;      //!< Servers below the fabric
    CircuitOptions circuits;    //!< Fabrics of circuits, and their control
    TransportOptions transport; //!< Transports, and networks of switches
    RotorOptions rotors;        //!< Fabrics with periodic schedules
    TorusOptions torus;         //!< The torus of cubes
    bool losesFrames{false};    //!< Frames are lost as often as the light is too weak
    ns3::lightpath::CollectiveProtocols protocols; //!< Protocols of collective operations

  private:
    /**
     * Set up a fabric.
     *
     * @param name the name of the fabric, which a transport may follow
     * @param rate the rate of a port into it
     * @param cardRate the rate of a port into the electrical side of a hybrid fabric
     * @param ports the number of its ports
     * @param [out] fabric the helper that installs it
     */
    void ConfigureParts(const std::string& name,
                        const ns3::DataRate& rate,
                        const ns3::DataRate& cardRate,
                        int64_t ports,
                        ns3::lightpath::InterconnectHelper& fabric) const;

    /**
     * Set up a fabric, or one side of a hybrid one.
     *
     * @param carrier the options of its transport
     * @param rate the rate of a port into it
     * @param ports the number of its ports
     * @param [out] fabric the helper that installs it
     */
    void Configure(const TransportOptions& carrier,
                   const ns3::DataRate& rate,
                   int64_t ports,
                   ns3::lightpath::InterconnectHelper& fabric) const;

    uint64_t m_frameSize{0};           //!< Bytes of a frame, 0 for bursts
    uint32_t m_rows{0};                //!< Rows of the grid of ODDL, 0 for the default
    uint32_t m_columns{0};             //!< Columns of that grid, 0 for the default
    uint32_t m_transceivers{1};        //!< Transceivers of a GPU at each of its switches
    AttributeOptions m_grid;           //!< Attributes of ODDL
    uint32_t m_averageBits{8};         //!< Bits of a word that OptINC averages
    uint32_t m_averageBlock{256};      //!< Gradients that share a scale
    std::string m_averager{"exact"};   //!< Kind of averager
    std::string m_cascade{"none"};     //!< Kind of cascade of OptINC
    uint32_t m_cascadeGroup{4};        //!< GPUs of a group of its first level
    std::optional<ns3::Time> m_delay;  //!< Delay of a message; that of servers if not given
    std::optional<ns3::Time> m_launch; //!< Time to launch a collective; the same
    std::string m_serversOf;           //!< Fabric that has brought its servers; empty for none
    bool m_mayLackServers{false};      //!< Whether it can do without
    ns3::DataRate m_nicBandwidth;      //!< Rate into the electrical part of a hybrid fabric
    MixNetOptions m_mixnet;            //!< Fabric mixnet
    AttributeOptions m_hybrid;         //!< Which messages of a hybrid fabric go there
    TopoOptOptions m_topoOpt;          //!< The links of TopoOpt
};

#endif /* LIGHTPATH_FABRIC_OPTIONS_H */
