/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ROTOR_TESTS_H
#define LIGHTPATH_ROTOR_TESTS_H

#include "model/training/transport/rotor-transport.h"

#include "ns3/net-device-container.h"
#include "ns3/nstime.h"
#include "ns3/rotor-channel.h"
#include "ns3/rotor-helper.h"

#include <cstdint>
#include <map>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief Ranks on a fabric with a periodic schedule, where a byte takes 1 ns on an uplink.
 */
class RotorFixture
{
  public:
    /**
     * @param fabric the fabric, whose bandwidth is set to that of its uplinks
     * @param size the number of ranks
     * @param speedUp the speed-up of the fabric
     */
    RotorFixture(ns3::lightpath::RotorHelper fabric, uint32_t size, double speedUp = 1);

    ~RotorFixture();

    RotorFixture(const RotorFixture&) = delete;
    RotorFixture& operator=(const RotorFixture&) = delete;

    /**
     * Send a message.
     *
     * @param at when
     * @param source the rank that sends it
     * @param rank the rank that it is for
     * @param bytes its size in bytes
     */
    void Send(ns3::Time at, uint32_t source, uint32_t rank, uint64_t bytes);

    /**
     * Run for some cycles.
     *
     * @param cycles the number of cycles, from the beginning
     * @return the bytes received until then by all ranks
     */
    uint64_t RunUntil(uint32_t cycles);

    ns3::NetDeviceContainer devices;                                  //!< The devices
    ns3::Ptr<ns3::lightpath::RotorChannel> channel;                   //!< The fabric
    std::vector<ns3::Ptr<ns3::lightpath::RotorTransport>> transports; //!< By rank
    std::map<uint64_t, ns3::Time> ends; //!< When messages were received, by their number
    uint64_t received{0};               //!< Bytes of their parts that were received

  private:
    uint64_t m_nMessages{0}; //!< Messages sent
};

#endif /* LIGHTPATH_ROTOR_TESTS_H */
