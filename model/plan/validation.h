/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALIDATION_H
#define VALIDATION_H

#include "strategy.h"

#include "ns3/operator-graph.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How far simulated times of jobs of one kind are from published ones that no fit has seen.
 *
 * The figures are those of data/accuracy.json, which utils/calibrate.py makes.
 */
struct Validation
{
    /// Published runs below which nothing is said about an error.
    static constexpr uint32_t LEAST_RUNS = 3;

    std::string work;        //!< Kind of job, such as "dense" or "MoE"
    std::string precision;   //!< Precision of its matrix products, such as "half"; empty if any
    std::string accelerator; //!< Accelerator; empty if any
    uint32_t runs{0};        //!< Published runs that no fit has seen
    uint32_t models{0};      //!< Models that these train or serve
    double median{0};        //!< Median of the magnitudes of their relative errors
    double most{0};          //!< Relative error that 90 % of them do not exceed

    /**
     * @param graph the operators of a training job
     * @param strategy how they are trained
     * @param accelerator the name of an accelerator
     * @return how far times of such jobs are from published ones; without runs if none is known
     */
    static Validation ForTraining(const OperatorGraph& graph,
                                  const Strategy& strategy,
                                  const std::string& accelerator);

    /**
     * @param graph the operators of a job
     * @return the narrowest precision of them: "NVFP4", "FP8", "half", "single" or "FP32"
     */
    static std::string GetPrecision(const OperatorGraph& graph);

    /**
     * @param work the kind of job
     * @param precision the precision of its matrix products
     * @param accelerator the name of an accelerator
     * @return how far times of such jobs are from published ones; without runs if none is known
     */
    static Validation Find(const std::string& work,
                           const std::string& precision,
                           const std::string& accelerator);

    /**
     * @return how far times of collective operations alone are from published ones: without runs,
     *         since all published bandwidths (data/bandwidths.json) are among the fitted ones
     */
    static Validation ForCollectives();

    /**
     * @return whether there are published runs enough to speak of an error
     */
    bool IsKnown() const;

    /**
     * @return the error that follows a time, like "+- 6 %"; "not validated" if none is known
     */
    std::string GetText() const;

    /**
     * @return one sentence on the error and the runs that it was found by
     */
    std::string Describe() const;

    /**
     * @return class, precision, accelerator, runs, medianError and error90; the last two are null
     *         if no error is known
     */
    nlohmann::ordered_json GetJson() const;
};

} // namespace lightpath
} // namespace ns3

#endif /* VALIDATION_H */
