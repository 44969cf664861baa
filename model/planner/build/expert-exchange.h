/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPERT_EXCHANGE_H
#define EXPERT_EXCHANGE_H

#include "staged-model.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Makes the all-to-alls that take tokens, or their gradients, to the experts that replicas
 * share out, and back.
 *
 * They are the collectives of EXPERT_GROUP, whose members are the GPUs with the same part of the
 * model in the replicas of a row. Each GPU sends what it has of a result: its share of the tokens
 * with sequence parallelism, and all of them where tensor parallelism leaves results whole.
 */
class ExpertExchange
{
  public:
    /**
     * @param model the model as it is cut up; it must outlive this object
     */
    explicit ExpertExchange(const StagedModel& model);

    /**
     * @param op the index of an operator whose result is exchanged
     * @param pass the part of the iteration that it is exchanged in
     * @return the next all-to-all of the program, which is that of this result for one microbatch
     */
    Task Make(uint32_t op, Pass pass);

  private:
    const StagedModel& m_model; //!< The model as it is cut up
    uint32_t m_nExchanges{0};   //!< Number of all-to-alls so far
};

} // namespace lightpath
} // namespace ns3

#endif /* EXPERT_EXCHANGE_H */
