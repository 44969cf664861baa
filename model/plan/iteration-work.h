/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ITERATION_WORK_H
#define ITERATION_WORK_H

#include "expert-load.h"
#include "strategy.h"

#include "ns3/accelerator.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The work of an iteration of all GPUs, by which the field measures training: tokens and
 * floating-point operations of matrix products, per second.
 *
 * Model FLOP are 2 for each multiply-add of a matrix product or convolution of the forward pass,
 * and 2 for each in the backward pass, of which there are at most twice as many (Chowdhery et al.,
 * "PaLM", 2022, appendix B): neither what is recomputed counts nor any other arithmetic. Attention
 * counts the pairs of tokens that its operators compute. Hardware FLOP count all multiply-adds that
 * are carried out: also those of recomputed operators, and those of fused attention, which computes
 * its scores again in the backward pass. Neither counts tokens that experts drop. The utilisations
 * MFU and HFU are these rates over the peak of the GPUs in the lowest precision that matrix
 * products of the model have.
 */
struct IterationWork
{
    /**
     * @param graph the model
     * @param strategy how it is trained
     * @param globalBatch the samples of an iteration
     * @param gpus the number of GPUs
     * @param accelerator the GPUs
     * @param load how tokens are spread over experts, which do not work on those that they drop
     * @return the work
     */
    static IterationWork Count(const OperatorGraph& graph,
                               const Strategy& strategy,
                               uint64_t globalBatch,
                               uint32_t gpus,
                               const Accelerator& accelerator,
                               const ExpertLoad& load = ExpertLoad());

    /**
     * @param seconds the time of an iteration
     * @return samplesPerSecond, modelFlopsPerSecondPerGpu, modelFlopsUtilization and
     *         hardwareFlopsUtilization; tokensPerSecond and tokensPerSecondPerGpu if samples have
     *         tokens; no utilisation if no peak is known; droppedTokenShare if experts drop tokens
     */
    nlohmann::ordered_json GetJson(double seconds) const;

    /**
     * @param seconds the time of an iteration
     * @return the rates in a sentence without its end
     */
    std::string Describe(double seconds) const;

    std::string sample;      //!< Name of a sample, in the singular
    double samples{0};       //!< Samples of all GPUs
    double tokens{0};        //!< Tokens of these; 0 if samples have none
    double modelFlops{0};    //!< Floating-point operations that the model asks for
    double hardwareFlops{0}; //!< Those that are carried out
    double droppedShare{0};  //!< Share of the copies of tokens that experts drop
    double gpus{0};          //!< Number of GPUs
    double peakFlops{0};     //!< Peak of a GPU, FLOP/s; 0 if unknown
};

} // namespace lightpath
} // namespace ns3

#endif /* ITERATION_WORK_H */
