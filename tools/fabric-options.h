/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FABRIC_OPTIONS_H
#define LIGHTPATH_FABRIC_OPTIONS_H

#include "circuit-options.h"
#include "grid-options.h"
#include "hybrid-options.h"
#include "opt-inc-options.h"
#include "server-options.h"
#include "transport-options.h"

#include "ns3/data-rate.h"
#include "ns3/interconnect-helper.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of all fabrics and transports.
 */
struct FabricOptions
{
    std::string bandwidth{"2Tbps"}; //!< Rate of one GPU into the fabric
    CircuitOptions circuits;        //!< Fabrics of circuits, and their control
    GridOptions grid;               //!< The grid of ODDL
    OptIncOptions averaging;        //!< OptINC
    ServerOptions servers;          //!< Servers, and the switch between them
    HybridOptions hybrid;           //!< Hybrid fabrics
    TransportOptions transport;     //!< Transports, and networks of switches
    std::string frameSize{"burst"}; //!< Size of a frame, or "burst"
    std::string launch{"0s"};       //!< Time to launch a collective operation

    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse values that are out of range or contradict each other or the fabrics.
     *
     * @param names the names of the fabrics, which a transport may follow
     * @param gpus the number of GPUs
     */
    void Check(const std::vector<std::string>& names, int64_t gpus) const;

    /**
     * @param name the name of a fabric, which a transport may follow
     * @param gpus the number of GPUs
     * @param serverGpus the GPUs of a server, if the fabric has servers
     * @return the helper that installs it
     */
    std::unique_ptr<ns3::lightpath::InterconnectHelper> MakeFabric(const std::string& name,
                                                                   int64_t gpus,
                                                                   uint32_t serverGpus) const;

  private:
    /**
     * Set up a fabric, or one side of a hybrid one.
     *
     * @param carrier the options of its transport
     * @param rate the rate of one GPU into it
     * @param gpus the number of GPUs
     * @param serverGpus the GPUs of a server, if the fabric has servers
     * @param [out] fabric the helper that installs it
     */
    void Configure(const TransportOptions& carrier,
                   const ns3::DataRate& rate,
                   int64_t gpus,
                   uint32_t serverGpus,
                   ns3::lightpath::InterconnectHelper& fabric) const;
};

#endif /* LIGHTPATH_FABRIC_OPTIONS_H */
