/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_MIXNET_OPTIONS_H
#define LIGHTPATH_MIXNET_OPTIONS_H

#include "program-options.h"
#include "server-options.h"

#include "ns3/interconnect-helper.h"

#include <cstdint>
#include <memory>

/**
 * @ingroup lightpath
 * @brief The options of the fabric mixnet.
 */
class MixNetOptions
{
  public:
    /// The name of the fabric.
    static constexpr const char* NAME = "mixnet";

    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * @param [out] fabric a fabric, which is set up if it is a MixNet
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric) const;

  private:
    uint32_t m_optical{6};    //!< Cards of a server on the circuit switch
    uint32_t m_electrical{2}; //!< Cards of a server on the electrical network
    uint32_t m_region{8};     //!< Servers that share a circuit switch
    bool m_firstWaits{false}; //!< The first all-to-all of a layer waits for its circuits
};

#endif /* LIGHTPATH_MIXNET_OPTIONS_H */
