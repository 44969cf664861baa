/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_GRID_OPTIONS_H
#define LIGHTPATH_GRID_OPTIONS_H

#include "attribute-options.h"

#include "ns3/interconnect-helper.h"

#include <cstdint>

/**
 * @ingroup lightpath
 * @brief The options of the grid of ODDL.
 */
class GridOptions
{
  public:
    GridOptions();

    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse numbers that are out of range.
     */
    void Check() const;

    /**
     * Set up a fabric, if it is ODDL; a grid that has no place for all nodes is refused.
     *
     * @param [out] fabric the fabric
     * @param isSet whether its switches are set from the start
     * @param nNodes the number of its nodes
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric, bool isSet, int64_t nNodes) const;

  private:
    int64_t m_rows{0};             //!< Rows; 0: from the columns and the nodes
    int64_t m_columns{0};          //!< Columns; 0: from the rows and the nodes
    int64_t m_transceivers{1};     //!< Transceivers of a GPU at each switch
    AttributeOptions m_attributes; //!< Attributes of switches and of control units
};

#endif /* LIGHTPATH_GRID_OPTIONS_H */
