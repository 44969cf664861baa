/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SWEEP_H
#define LIGHTPATH_SWEEP_H

#include "sweep-lines.h"
#include "sweep-program.h"
#include "sweep-store.h"
#include "sweep-table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The rows of a sweep, and the runs that they need: of rows with the same options, one run.
 */
class Sweep
{
  public:
    /// What came of the runs that were made.
    struct Summary
    {
        std::vector<std::string> failures; //!< A sentence for each run that is not finished
        bool interrupted{false};           //!< Whether the watch ended the sweep
    };

    /// Gets how many runs have ended, of how many.
    using Progress = std::function<void(std::size_t, std::size_t)>;

    /**
     * Look for the runs that are finished.
     *
     * @param lines the lines of the sweep
     * @param program does the runs
     * @param store holds what they come to
     */
    Sweep(const std::vector<SweepLine>& lines,
          const SweepProgram& program,
          const SweepStore& store);

    /**
     * Leave out all runs but a share, which is the same whatever is finished.
     *
     * @param i the number of the share, from 1
     * @param n the number of shares
     */
    void TakeShare(uint64_t i, uint64_t n);

    /**
     * Do the runs that are not finished.
     *
     * @param pool does them
     * @param progress is called when one has ended
     * @return what came of them
     */
    Summary Run(ProcessPool& pool, const Progress& progress);

    /**
     * @return the options of each run that is not finished, in order
     */
    std::vector<std::vector<std::string>> GetMissing() const;

    /**
     * @return the number of rows whose runs are finished
     */
    std::size_t GetNFinished() const;

    /**
     * @return the number of rows whose options were refused
     */
    std::size_t GetNRefused() const;

    /**
     * @return the number of rows
     */
    std::size_t GetNRows() const;

    /**
     * @param measure whether the table is to say what the machine took
     * @return the table of the rows whose runs are finished
     */
    SweepTable GetTable(bool measure) const;

  private:
    /// A row.
    struct Row
    {
        std::string label;  //!< The label of its line
        std::size_t run{0}; //!< Its run
    };

    /**
     * @return the numbers of the runs that are not finished
     */
    std::vector<std::size_t> FindMissing() const;

    const SweepProgram& m_program;                 //!< Does the runs
    const SweepStore& m_store;                     //!< Holds what they come to
    SweepTable::Columns m_columns;                 //!< The columns of the table
    std::vector<ns3::lightpath::SweepRun> m_runs;  //!< The runs, each once
    std::map<std::size_t, SweepResult> m_finished; //!< What those came to that are finished
    std::vector<Row> m_rows;                       //!< The rows in order
};

#endif /* LIGHTPATH_SWEEP_H */
