/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PROCESS_OPTIONS_H
#define LIGHTPATH_PROCESS_OPTIONS_H

#include "program-options.h"

#include "ns3/training-plan.h"

/**
 * @ingroup lightpath
 * @brief A program that a launcher of MPI has started several times, for one simulation.
 */
class ProcessOptions
{
  public:
    /**
     * Join the other processes, if a launcher has started this one, and refuse options of what only
     * one process can do.
     *
     * @param options the options of the program, which have been read
     * @param argc the number of arguments
     * @param argv the arguments
     */
    static void Join(const ProgramOptions& options, int& argc, char**& argv);

    /**
     * Refuse a plan that several processes cannot simulate, or that is not the same in all of them.
     *
     * @param plan the plan of this process
     */
    static void CheckPlan(const ns3::lightpath::TrainingPlan& plan);
};

#endif /* LIGHTPATH_PROCESS_OPTIONS_H */
