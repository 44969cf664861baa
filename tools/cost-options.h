/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COST_OPTIONS_H
#define LIGHTPATH_COST_OPTIONS_H

#include "program-options.h"

#include "ns3/interconnect-helper.h"
#include "ns3/training-report.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of power and price of networks.
 */
class CostOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * @return whether power and price are asked for. std::invalid_argument refuses options that ask
     *         for nothing without --cost.
     */
    bool AreAsked() const;

    /**
     * @param fabric the interconnect
     * @param accelerator the name of the GPUs, or of the file that describes them
     * @param gpus the number of GPUs
     * @return what the interconnect costs. Throws std::domain_error if it has parts without known
     *         prices, and std::invalid_argument for what cannot be built
     */
    ns3::lightpath::CostReport Estimate(const ns3::lightpath::InterconnectHelper& fabric,
                                        const std::string& accelerator,
                                        uint32_t gpus) const;

    /**
     * Print power, price and energy of an iteration of each fabric, "-" for what is not known.
     *
     * @param os where to print
     * @param reports the reports with these
     * @param accelerator the name of the accelerator of the GPUs
     */
    static void Print(std::ostream& os,
                      const std::vector<ns3::lightpath::TrainingReport>& reports,
                      const std::string& accelerator);

    /**
     * Print the components of each fabric whose cost is known.
     *
     * @param os where to print
     * @param reports the reports
     */
    static void PrintBills(std::ostream& os,
                           const std::vector<ns3::lightpath::TrainingReport>& reports);

    /**
     * @param value a number
     * @return it with four digits, as in the tables
     */
    static std::string FormatFigure(double value);

  private:
    bool m_isAsked{false};    //!< Print power and price
    std::string m_optics;     //!< Optics of electrical switches; empty for the default
    std::string m_components; //!< Name of a file with power and price of components
};

#endif /* LIGHTPATH_COST_OPTIONS_H */
