/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SWEEP_STORE_H
#define LIGHTPATH_SWEEP_STORE_H

#include "helper/sweep-run.h"
#include "sweep-program.h"

#include <optional>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The folder that holds what the runs of a sweep came to, in one file a run.
 *
 * A file is named by SweepRun::GetKey() and holds the version of the program, the options, a hash
 * of each file that they name, and the result or the refusal. A file that is damaged, of another
 * version, of other options or of files that have changed counts as none. Files come into the
 * folder whole, so that several sweeps may share it, and files of several folders may be copied
 * into one.
 */
class SweepStore
{
  public:
    /**
     * @param folder the path of the folder
     * @param version the version of the program
     */
    SweepStore(const std::string& folder, const std::string& version);

    /**
     * @param out the file for the table of a sweep
     * @return the path of the folder beside it: its name with .runs in place of .csv
     */
    static std::string GetFolder(const std::string& out);

    /// Make the folder, or refuse one that cannot be written by std::invalid_argument.
    void Create() const;

    /**
     * @param run a run
     * @return what it came to, if it is finished
     */
    std::optional<SweepResult> Find(const ns3::lightpath::SweepRun& run) const;

    /**
     * Keep what a run came to.
     *
     * @param run the run
     * @param result what it came to, of a run that is finished
     */
    void Write(const ns3::lightpath::SweepRun& run, const SweepResult& result) const;

    /**
     * Write a file as a whole or not at all; std::runtime_error if it cannot be written.
     *
     * @param name the name of the file
     * @param text what it is to hold
     */
    static void WriteFile(const std::string& name, const std::string& text);

  private:
    /**
     * @param run a run
     * @return the version, the options and the hashes of the files that belong to it
     */
    nlohmann::ordered_json Describe(const ns3::lightpath::SweepRun& run) const;

    /**
     * @param run a run
     * @return the path of its file
     */
    std::string GetName(const ns3::lightpath::SweepRun& run) const;

    std::string m_folder;  //!< The path of the folder
    std::string m_version; //!< The version of the program
};

#endif /* LIGHTPATH_SWEEP_STORE_H */
