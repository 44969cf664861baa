/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ROTOR_OPTIONS_H
#define LIGHTPATH_ROTOR_OPTIONS_H

#include "program-options.h"

#include "ns3/interconnect-helper.h"
#include "ns3/nstime.h"

#include <optional>
#include <string>

/**
 * @ingroup lightpath
 * @brief The options that only fabrics with periodic schedules have.
 */
class RotorOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Set up a fabric; std::invalid_argument refuses an unknown discipline, and uplinks for which
     * there is no schedule.
     *
     * @param [out] fabric any helper; those of other fabrics stay as they are
     * @param ports the number of its ports
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric, int64_t ports) const;

  private:
    double m_speedUp{1};                 //!< Rate of all uplinks over the bandwidth
    int64_t m_shortMessage{15000000};    //!< Smallest message that is not short, bytes
    int64_t m_nUplinks{0};               //!< Uplinks of a GPU; 0 for the default
    std::optional<ns3::Time> m_slotTime; //!< Time from one turn to the next
    std::optional<ns3::Time> m_darkTime; //!< Darkness of a turn
    std::string m_discipline;            //!< What goes through other GPUs; empty for the default
};

#endif /* LIGHTPATH_ROTOR_OPTIONS_H */
