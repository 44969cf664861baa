/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_NORM_H
#define GRADIENT_NORM_H

#include "model/plan/program-writer.h"
#include "staged-model.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the messages by which the stages of a pipeline sum the squared norm of all
 * gradients, which the updates wait for.
 *
 * A message goes from the last stage to the first one, and another one back. Each stage adds its
 * part to the first message once its own sums over the replicas are there, for which all replicas
 * must have made their gradients. In the order of 1F1B the first stage makes its gradients last: it
 * knows the norm as soon as it has them, and the others know it before the next activations come.
 *
 * With DualPipe each half of the stages has all parts of the model, and messages of its own.
 *
 * The messages go between neighbours, which exchange activations and their gradients anyway, after
 * the phase of the sums. They are left out where circuits follow operations: no trainer turns
 * circuits for a number, but sends it over the network of the hosts.
 */
class GradientNorm
{
  public:
    /**
     * @param model the model as it is cut up
     * @return whether updates wait for all gradients: not of convolutional models and those with
     *         sparse embeddings, whose trainers clip none (MLPerf's of ResNet-50 and DLRM)
     */
    static bool IsUsed(const StagedModel& model);

    /**
     * @param model the model as it is cut up
     * @return the phase of the messages; 0 without any
     */
    static uint32_t GetPhase(const StagedModel& model);

    /**
     * @param [in,out] writer the writer of the program of a stage
     * @param model the model as it is cut up
     * @param stage the stage
     * @param after the tasks after which the stage knows its part
     * @return the tasks after which it knows the norm
     */
    static std::vector<uint32_t> Write(ProgramWriter& writer,
                                       const StagedModel& model,
                                       uint32_t stage,
                                       std::vector<uint32_t> after);

  private:
    /**
     * @param model the model as it is cut up
     * @return whether stages send messages
     */
    static bool HasMessages(const StagedModel& model);
};

} // namespace lightpath
} // namespace ns3

#endif /* GRADIENT_NORM_H */
