/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COMPARISON_REPORT_H
#define LIGHTPATH_COMPARISON_REPORT_H

#include "planner-comparison.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief What several planners make of one case.
 */
struct ComparisonRow
{
    std::string name;                     //!< Name of the case
    std::vector<PlannerOutcome> outcomes; //!< By planner; the first one is compared to the others

    /**
     * @return the simulated time of an iteration by the first planner over that by the best of the
     *         others, if there are both
     */
    std::optional<double> GetRatioToBest() const;

    /**
     * @param planner the name of a planner
     * @return the simulated time of an iteration by the planner over that by the first one, if
     *         there are both
     */
    std::optional<double> GetSpeedup(const std::string& planner) const;

    /**
     * @return the predicted over the simulated time of the planner for which it is furthest from 1
     */
    std::optional<double> GetWorstPrediction() const;

    /**
     * @return how far the time that the first planner predicts is above its lower bound, relative
     *         to the bound, if it gives one
     */
    std::optional<double> GetGap() const;
};

/**
 * @ingroup lightpath
 * @brief The comparison of planners over several cases: the table, the summary, and the limits.
 */
class ComparisonReport
{
  public:
    /// Most that the first planner's iteration takes relative to the best of the others'.
    static constexpr double RATIO_LIMIT = 1.02;
    /// Least geometric mean of the times of SiP-ML relative to the first planner's.
    static constexpr double SPEEDUP_LIMIT = 1.10;
    /// Most relative error of a prediction that counts as right.
    static constexpr double ERROR_LIMIT = 0.05;
    /// Least share of predictions that are right.
    static constexpr double SHARE_LIMIT = 0.90;
    /// Most median gap to the lower bound.
    static constexpr double GAP_LIMIT = 0.25;

    /**
     * @param planners the names of the planners, in the order of the outcomes
     * @param rows the cases
     */
    ComparisonReport(std::vector<std::string> planners, std::vector<ComparisonRow> rows);

    /**
     * Print the table, and what sums it up.
     *
     * @param os where to print
     * @param format table, rst or csv (the table alone)
     */
    void Print(std::ostream& os, const std::string& format) const;

    /**
     * @return the report as JSON
     */
    nlohmann::ordered_json GetJson() const;

    /// End in std::runtime_error, which says by how much, if a limit is not kept.
    void Check() const;

  private:
    /// What sums up all cases; what cannot be said has no value.
    struct Summary
    {
        std::optional<double> speedup;    //!< Geometric mean of the times of SiP-ML to the first
        std::size_t speedupCases{0};      //!< Cases that have both
        std::optional<double> worstRatio; //!< Largest ratio to the best of the others
        std::string worstCase;            //!< Name of the case that has it
        std::size_t ratioCases{0};        //!< Cases that have one
        std::optional<double> share;      //!< Share of the predictions that are right
        std::size_t predictions{0};       //!< Number of predictions
        std::optional<double> gap;        //!< Median gap
        std::size_t gapCases{0};          //!< Cases that have one
        std::string missing;              //!< A case that the first planner alone has no plan for
    };

    /**
     * @return what sums up all cases
     */
    Summary Summarize() const;

    /**
     * @param format table, rst or csv; csv has all digits, and rst no times that differ from one
     *        machine to another
     * @return the lines of the table, the heads of its columns first
     */
    std::vector<std::vector<std::string>> MakeTable(const std::string& format) const;

    /**
     * @param row a case
     * @param format table, rst or csv, as for MakeTable()
     * @return its line of the table
     */
    static std::vector<std::string> MakeLine(const ComparisonRow& row, const std::string& format);

    /**
     * Print the table for the documentation, a line for each case that does not depend on the
     * others.
     *
     * @param os where to print
     */
    void PrintDirective(std::ostream& os) const;

    /**
     * Print why planners refuse cases: each reason once, with the planner and the first case.
     *
     * @param os where to print
     * @param isRst whether to print for the documentation
     */
    void PrintRefusals(std::ostream& os, bool isRst) const;

    /**
     * Print what sums up all cases.
     *
     * @param os where to print
     * @param isRst whether to print for the documentation
     */
    void PrintSummary(std::ostream& os, bool isRst) const;

    std::vector<std::string> m_planners; //!< Names of the planners
    std::vector<ComparisonRow> m_rows;   //!< The cases
};

#endif /* LIGHTPATH_COMPARISON_REPORT_H */
