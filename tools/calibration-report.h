/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CALIBRATION_REPORT_H
#define CALIBRATION_REPORT_H

#include "calibration-anchors.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lightpath
 * How far simulations are off published measurements.
 */

namespace ns3
{
namespace lightpath
{

/**
 * @brief A measurement and its simulation.
 */
struct CalibrationRow
{
    /**
     * @return the simulated value, in the unit of the published one
     */
    double GetSimulated() const;

    /**
     * @return the simulated value over the published one, less 1
     */
    double GetError() const;

    Anchor anchor;             //!< The measurement
    double seconds{0};         //!< Simulated time of an iteration, seconds
    double plannedSeconds{0};  //!< The planner's estimate of it, seconds
    uint32_t simulatedGpus{0}; //!< GPUs that stood for all
    double wallSeconds{0};     //!< Time that planning and simulation took, seconds
};

/**
 * @brief A table of measurements and their simulations, and of how far they are apart.
 */
class CalibrationReport
{
  public:
    /// The largest median of the absolute errors that passes Check().
    static constexpr double MEDIAN_LIMIT = 0.10;
    /// The largest absolute error that 90 % of the rows may reach in Check().
    static constexpr double TAIL_LIMIT = 0.25;

    /**
     * Refuse, by std::invalid_argument, a format that Print() does not know.
     *
     * @param format its name
     */
    static void CheckFormat(const std::string& format);

    /**
     * @param row a row to add behind all others
     */
    void Add(CalibrationRow row);

    /**
     * @param os where to print to
     * @param format "table" or "rst"
     */
    void Print(std::ostream& os, const std::string& format) const;

    /**
     * @return the rows and the quantiles of their errors
     */
    nlohmann::ordered_json GetJson() const;

    /**
     * Refuse, by std::runtime_error, errors beyond the limits: those of all rows, or those of the
     * rows that no parameter was fitted to.
     */
    void Check() const;

  private:
    /// A group of rows and the quantiles of their absolute errors.
    struct Summary
    {
        std::string name;  //!< What the rows have in common
        uint32_t rows{0};  //!< Their number
        double median{0};  //!< Median
        double tail{0};    //!< What 90 % of them do not exceed
        double largest{0}; //!< Largest
    };

    /**
     * @return the groups that are judged: all rows, fitted rows, and rows kept out of the fit
     */
    std::vector<Summary> Summarize() const;

    std::vector<CalibrationRow> m_rows; //!< The rows
};

} // namespace lightpath
} // namespace ns3

#endif /* CALIBRATION_REPORT_H */
