/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SWEEP_TABLE_H
#define LIGHTPATH_SWEEP_TABLE_H

#include "helper/csv-table.h"
#include "helper/sweep-run.h"
#include "sweep-program.h"

#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The table of a sweep: a row for each run that is finished, with its options and what it
 * came to.
 */
class SweepTable
{
  public:
    /// Which columns there are beside those of all tables.
    struct Columns
    {
        bool label{false};                //!< The label of the line that a run is of
        std::vector<std::string> options; //!< The options
        bool bound{false};                //!< The lower bound of an iteration
        bool measure{false};              //!< What the machine took
    };

    /**
     * @param columns which columns there are
     */
    explicit SweepTable(const Columns& columns);

    /**
     * @param label the label of the line that the run is of
     * @param run the run
     * @param result what it came to
     */
    void AddRow(const std::string& label,
                const ns3::lightpath::SweepRun& run,
                const SweepResult& result);

    /**
     * @return the table
     */
    const ns3::lightpath::CsvTable& GetTable() const;

  private:
    /**
     * @param columns which columns there are
     * @return their names
     */
    static std::vector<std::string> GetNames(const Columns& columns);

    Columns m_columns;                //!< Which columns there are
    ns3::lightpath::CsvTable m_table; //!< The table
};

#endif /* LIGHTPATH_SWEEP_TABLE_H */
