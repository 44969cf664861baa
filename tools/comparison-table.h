/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COMPARISON_TABLE_H
#define LIGHTPATH_COMPARISON_TABLE_H

#include "planned-training.h"

#include "ns3/training-report.h"

#include <ostream>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The table by which to choose one of several fabrics.
 */
class ComparisonTable
{
  public:
    /**
     * Print a row for each fabric: the time of an iteration, whether its light arrives, power and
     * price of its network, and its plan. The time is in parentheses if the fabric cannot be built
     * with the components in use.
     *
     * @param os where to print
     * @param reports the reports, of which planOnly has costs and light alone
     * @param plans the plans, by fabric
     */
    static void Print(std::ostream& os,
                      const std::vector<ns3::lightpath::TrainingReport>& reports,
                      const std::vector<PlannedTraining>& plans);
};

#endif /* LIGHTPATH_COMPARISON_TABLE_H */
