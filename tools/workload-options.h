/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_WORKLOAD_OPTIONS_H
#define LIGHTPATH_WORKLOAD_OPTIONS_H

#include "program-options.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of workloads that are read in place of planning, and of plans written as
 * traces.
 */
class WorkloadOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * @return whether a workload is given by a file
     */
    bool IsGiven() const;

    /**
     * Read the workload, if there is one, and refuse options that have no meaning with it.
     *
     * @param options the options of the program
     * @param accelerator the name of the accelerator
     * @param [in,out] gpus the number of GPUs, which becomes that of the workload
     * @param [in,out] model the name of the model, which becomes that of the workload
     */
    void Read(const ProgramOptions& options,
              const std::string& accelerator,
              uint32_t& gpus,
              std::string& model);

    /**
     * @return the workload
     */
    const ns3::lightpath::TrainingPlan& GetPlan() const;

    /**
     * @param [in,out] owners the owners of options that are asked for, to which a workload is added
     *        if there is one
     */
    void AddOwner(std::set<std::string>& owners) const;

    /**
     * Write a plan as traces, if that is asked for.
     *
     * @param plan the plan
     */
    void Write(const ns3::lightpath::TrainingPlan& plan) const;

  private:
    /**
     * @return the sizes of the dimensions of ranks
     */
    std::vector<uint32_t> GetDimensions() const;

    /**
     * Read a text workload.
     *
     * @param gpus the number of GPUs; 0 if it is not given
     */
    void ReadText(uint32_t gpus);

    /**
     * Read Chakra traces.
     *
     * @param accelerator the name of the accelerator
     */
    void ReadTraces(const std::string& accelerator);

    std::string m_pattern;                //!< Names of traces, or of a file
    std::string m_groups;                 //!< Name of a file of groups
    std::string m_dimensions;             //!< Sizes of dimensions, separated by commas
    std::string m_algorithm{"automatic"}; //!< Algorithm of collective operations
    std::string m_gather{"dialect"};      //!< What the sizes of all-gathers are
    bool m_isComputed{false};             //!< Compute times in place of recorded ones
    std::string m_traces;                 //!< Names of traces to write
    ns3::lightpath::TrainingPlan m_plan;  //!< The workload
};

#endif /* LIGHTPATH_WORKLOAD_OPTIONS_H */
