/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_OBSERVED_SCENARIOS_H
#define LIGHTPATH_OBSERVED_SCENARIOS_H

#include "ns3/fabric-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>

/**
 * @ingroup lightpath
 * @brief Nodes on a fabric, with applications that are to be simulated.
 */
struct Scenario
{
    std::unique_ptr<ns3::lightpath::FabricHelper> fabric; //!< Installed the devices
    ns3::NodeContainer nodes;                             //!< The nodes
    ns3::NetDeviceContainer devices;                      //!< Their devices on the fabric
    ns3::Time end;                                        //!< When nothing moves any more
};

/**
 * @ingroup lightpath
 * @brief UDP over a circuit between two nodes, faster than the circuit and over a link that
 * corrupts frames: packets are lost for both reasons.
 *
 * @return the scenario
 */
Scenario MakeCircuit();

/**
 * @ingroup lightpath
 * @brief TCP over a ring whose circuits change every 200 us: they connect neighbours, then nodes
 * that face each other, and in the end both. Queue discs are so short that they drop packets.
 *
 * @param nNodes the number of nodes
 * @param bytes the bytes that each node sends to its neighbour, and to the node that it faces
 * @param turns the number of changes before the end
 * @return the scenario
 */
Scenario MakeRing(uint32_t nNodes, uint64_t bytes, uint32_t turns);

/**
 * @ingroup lightpath
 * @brief A training job over TCP on ODDL, whose control units speak UDP over a network of their
 * own.
 *
 * @return the scenario
 */
Scenario MakeTraining();

/**
 * @ingroup lightpath
 * @param name circuit, ring or training; std::invalid_argument for any other
 * @return the scenario
 */
Scenario MakeScenario(const std::string& name);

#endif /* LIGHTPATH_OBSERVED_SCENARIOS_H */
