/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FOLDED_RAILS_H
#define FOLDED_RAILS_H

#include "ns3/plan-folder.h"
#include "ns3/server-layout.h"
#include "ns3/training-plan.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Folds a plan in servers whose cards are on rails: a few GPUs of each server stand for all
 * of it, and their rails, with all ports, for all rails.
 *
 * Fabrics of different rails share nothing. If no message goes over the card of another GPU, what a
 * rail carries depends only on when its GPUs send, and these learn of other rails only through
 * collective operations inside their server. GPUs of a server that do the same at the same time
 * suffice (PlanFolder), and all GPUs of their rails are simulated, each at its own port. So this
 * holds on any fabric that does the same on each rail, whatever it does there.
 */
class FoldedRails
{
  public:
    /**
     * Fold a plan. Throws std::invalid_argument, with one sentence, if a few rails do not stand for
     * all.
     *
     * @param plan the plan
     * @param layout its servers, which have rails and a card for each GPU
     * @return the folded plan
     */
    static PlanFolder Fold(const TrainingPlan& plan, const ServerLayout& layout);
};

} // namespace lightpath
} // namespace ns3

#endif /* FOLDED_RAILS_H */
