/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TORUS_OPTIONS_H
#define LIGHTPATH_TORUS_OPTIONS_H

#include "program-options.h"

#include "ns3/interconnect-helper.h"

#include <string>

/**
 * @ingroup lightpath
 * @brief The options that only a torus of cubes has.
 */
class TorusOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Set up a torus; std::invalid_argument refuses a text that is no shape.
     *
     * @param [out] fabric any helper; others than that of a torus stay as they are
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric) const;

  private:
    std::string m_shape;     //!< GPUs along each axis
    bool m_isTwisted{false}; //!< Whether it is twisted
};

#endif /* LIGHTPATH_TORUS_OPTIONS_H */
