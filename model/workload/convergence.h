/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONVERGENCE_H
#define CONVERGENCE_H

#include "convergence-task.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How much training a model takes to its target with one size of the global batch.
 */
struct SamplesToTarget
{
    std::string target;       //!< When training ends
    double amount{0};         //!< Data to the target, in the unit of the task
    std::string unit;         //!< The unit: epochs, or the items of a batch
    uint64_t samples{0};      //!< Samples to the target, rounded up; 0 if not known
    uint64_t iterations{0};   //!< Iterations to the target, rounded up; 0 if not known
    bool extrapolated{false}; //!< The batch is outside the range of the published figures
    bool fitted{false};       //!< From the fit, not from figures for this batch or its neighbours

    /**
     * @return the origin of the figure, as one word: interpolated, fitted or extrapolated
     */
    std::string GetBasis() const;
};

/**
 * @ingroup lightpath
 * @brief The samples that a training task takes to its target, as a function of the global batch.
 *
 * Between the published batch sizes the data to the target is interpolated linearly in the
 * logarithm of the batch; at each of them it is the published figure (the middle of a published
 * range). Outside their range it follows the fit of the task, and is marked as extrapolated. The
 * fit is not scaled to meet the table: at either end of the range the curve jumps by the error of
 * the fit there. A task of which only the fit is published follows it inside the range too.
 */
class Convergence
{
  public:
    /// The largest batch that is accepted, in items.
    static constexpr uint64_t MAX_BATCH = uint64_t{1} << 40;

    /**
     * @return the names that Create() knows, in ascending order
     */
    static std::vector<std::string> GetTasks();

    /**
     * @param task the name of a task; std::invalid_argument, which lists the known names, if there
     *        is no such task
     * @return the task, of which a sample is an item of the batch: an image, a sequence or a token
     */
    static Convergence Create(const std::string& task);

    /**
     * Find the task that a model of the zoo is trained on. A model whose options make it differ
     * from the published one has none; precision, gradients, optimizer and attention may differ,
     * and so may the sequence of a model whose batch is counted in tokens.
     *
     * @param model the name of a model as ModelZoo::Create() takes it, and refused as there if its
     *        options are wrong
     * @return the task, of which a sample is a sample of the model; nothing if the model has no
     *         task
     */
    static std::optional<Convergence> FindForModel(const std::string& model);

    /**
     * @return the published figures of the task
     */
    const ConvergenceTask& GetTask() const;

    /**
     * @return the items of the task that a sample has: the tokens of a sentence where a batch is
     *         counted in tokens, otherwise 1
     */
    uint64_t GetItemsPerSample() const;

    /**
     * @param globalBatch the samples of one iteration, over all GPUs; std::invalid_argument if they
     *        are 0, or more than MAX_BATCH items
     * @return the samples and iterations that training takes to its target
     */
    SamplesToTarget Get(uint64_t globalBatch) const;

    /**
     * @param items the items of a batch
     * @return the data to the target by the fit, in units
     */
    double GetFit(double items) const;

  private:
    /**
     * @param task the published figures of the task
     * @param itemsPerSample the items that a sample has
     */
    Convergence(const ConvergenceTask& task, uint64_t itemsPerSample);

    /**
     * @param items the items of a batch, within the range of the rows
     * @return the data to the target by the rows, in units
     */
    double Interpolate(uint64_t items) const;

    ConvergenceTask m_task;    //!< Published figures of the task
    uint64_t m_itemsPerSample; //!< Items of a sample
};

} // namespace lightpath
} // namespace ns3

#endif /* CONVERGENCE_H */
