/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SERVER_OPTIONS_H
#define LIGHTPATH_SERVER_OPTIONS_H

#include "attribute-options.h"

#include "ns3/interconnect-helper.h"

#include <cstdint>
#include <string>

/**
 * @ingroup lightpath
 * @brief The options of servers, whose GPUs have a fast network of their own, and of the electrical
 * switch between servers.
 */
class ServerOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse values that no fabric can have.
     */
    void Check() const;

    /**
     * Set the rate inside servers, unless an option does.
     *
     * @param bitRate the rate of one GPU, bit/s; 0 to leave it alone
     */
    void SetDefaultRate(double bitRate);

    /**
     * @return the number of GPUs of a server; 1 without servers
     */
    uint32_t GetGpus() const;

    /**
     * Set up a fabric, if it has servers.
     *
     * @param [out] fabric the fabric
     * @param serverGpus the number of GPUs of a server, if the options ask for servers
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric, uint32_t serverGpus) const;

  private:
    int64_t m_gpus{1};               //!< GPUs of a server
    std::string m_rate;              //!< Rate inside a server, empty for the default
    std::string m_serverDelay{"0s"}; //!< Delay inside a server
    std::string m_delay{"0s"};       //!< Delay between servers
};

#endif /* LIGHTPATH_SERVER_OPTIONS_H */
