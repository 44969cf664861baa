/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SWEEP_LINES_H
#define LIGHTPATH_SWEEP_LINES_H

#include "helper/sweep-grid.h"

#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief One line of a file of sweeps.
 */
struct SweepLine
{
    std::string label;              //!< What its rows are called, empty for nothing
    ns3::lightpath::SweepGrid grid; //!< Its runs
};

/**
 * @ingroup lightpath
 * @brief Read a file of sweeps: a line of options for each, as on a command line, after a label
 * with a colon if it has one. Comments begin with a #, a backslash at the end of a line continues
 * it, and lines without words are skipped. What is none of these is refused by
 * std::invalid_argument, which names the line.
 *
 * @param name the name of the file
 * @param common the options of all lines, which those of a line take the place of
 * @return the lines in order
 */
std::vector<SweepLine> ReadSweepLines(const std::string& name,
                                      const std::vector<std::string>& common);

#endif /* LIGHTPATH_SWEEP_LINES_H */
