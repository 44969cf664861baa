/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SWEEP_PROGRAM_H
#define LIGHTPATH_SWEEP_PROGRAM_H

#include "process-pool.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief What a run of a sweep came to. It is finished if it has a result or a refusal.
 */
struct SweepResult
{
    nlohmann::ordered_json result; //!< The JSON of the program, null if there is none
    std::string refusal;           //!< The sentence with which the program refused the options
    std::string failure;           //!< How the program failed, for a sentence; empty if finished
};

/**
 * @ingroup lightpath
 * @brief The program lightpath-train, which does the runs of a sweep.
 */
class SweepProgram
{
  public:
    /**
     * Ask the program for its options and its version. One that cannot be run or does not tell them
     * is refused by std::invalid_argument.
     *
     * @param path the path of the program; a name without a slash is looked up in PATH
     */
    explicit SweepProgram(const std::string& path);

    /**
     * @return the path of lightpath-train beside this program
     */
    static std::string GetDefaultPath();

    /**
     * @return the version of the program
     */
    const std::string& GetVersion() const;

    /**
     * Refuse, by std::invalid_argument, an option that the program does not know or that does not
     * belong into a sweep. Defaults of attributes, ns3::Type::Attribute, are left to the program.
     *
     * @param option the name of the option
     */
    void CheckOption(const std::string& option) const;

    /**
     * @param runs the options of each run
     * @return what becomes the program with the options of a run
     */
    ProcessPool::Body MakeBody(const std::vector<std::vector<std::string>>& runs) const;

    /**
     * @param outcome how the program ended
     * @return what the run came to
     */
    static SweepResult Judge(const ProcessPool::Outcome& outcome);

  private:
    /**
     * Become a program.
     *
     * @param path its path
     * @param arguments its arguments
     * @param output where its output goes
     * @param errors where its errors go
     * @return the exit code, if there is no such program
     */
    static int Execute(const std::string& path,
                       const std::vector<std::string>& arguments,
                       int output,
                       int errors);

    /**
     * Run the program once.
     *
     * @param option its only option
     * @return what it printed
     */
    std::string Ask(const std::string& option) const;

    std::string m_path;              //!< The path of the program
    std::string m_version;           //!< Its version
    std::set<std::string> m_options; //!< The names of its options
};

#endif /* LIGHTPATH_SWEEP_PROGRAM_H */
