/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TOPOOPT_OPTIONS_H
#define LIGHTPATH_TOPOOPT_OPTIONS_H

#include "program-options.h"

#include "ns3/interconnect-helper.h"
#include "ns3/nstime.h"

#include <cstdint>

/**
 * @ingroup lightpath
 * @brief The options that only TopoOpt has.
 */
class TopoOptOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Set up TopoOpt.
     *
     * @param [out] fabric any helper; others than that of TopoOpt stay as they are
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric) const;

  private:
    uint32_t m_degree{4};       //!< Links of a GPU
    ns3::Time m_switchingDelay; //!< Darkness at the beginning
};

#endif /* LIGHTPATH_TOPOOPT_OPTIONS_H */
