/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWEEP_GRID_H
#define SWEEP_GRID_H

#include "sweep-run.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The runs that one line of options stands for: all combinations of the values of each
 * option, those of the first option changing slowest.
 *
 * A value is a ValuePattern, and an option that is given several times has the values of all, at
 * the place of the first. Only the option attribute, which a program takes several times, keeps
 * each of its places.
 */
class SweepGrid
{
  public:
    /// Most runs of a line.
    static constexpr std::size_t MOST_RUNS = 1000000;

    /**
     * Read a line. Words that are no options, patterns that are none and more than MOST_RUNS are
     * refused by std::invalid_argument.
     *
     * @param words the options of the line
     * @param common the options of all lines, which come first; those that the line gives as well
     *        are the line's, at the place of the common ones
     */
    explicit SweepGrid(const std::vector<std::string>& words,
                       const std::vector<std::string>& common = {});

    /**
     * @return the options, each once, in the order of the line
     */
    std::vector<std::string> GetNames() const;

    /**
     * @return the runs in order
     */
    std::vector<SweepRun> GetRuns() const;

  private:
    /// The values of one option.
    struct Axis
    {
        std::string name;                 //!< Name of the option
        std::vector<SweepOption> options; //!< The option with each of its values
    };

    /**
     * Add options to the axes.
     *
     * @param words the options
     * @return the axes
     */
    static std::vector<Axis> ReadAxes(const std::vector<std::string>& words);

    std::vector<Axis> m_axes; //!< The options, the slowest first
};

} // namespace lightpath
} // namespace ns3

#endif /* SWEEP_GRID_H */
