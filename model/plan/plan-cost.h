/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_COST_H
#define PLAN_COST_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Cost of the communication in one kind of group in an iteration, on the rank that spends
 * most time on it.
 */
struct GroupCost
{
    uint64_t bytes{0}; //!< Bytes that the rank sends
    double seconds{0}; //!< Time that its messages and collectives are under way, s
    double bitRate{0}; //!< Rate of its slowest lightpath to a member, bit/s; 0 without traffic
};

/**
 * @ingroup lightpath
 * @brief Says why a plan, which may well run, cannot be priced.
 */
class PricingError : public std::invalid_argument
{
  public:
    using std::invalid_argument::invalid_argument;
};

/**
 * @ingroup lightpath
 * @brief The price of a plan on a fabric, as CostModel finds it.
 */
struct PlanCost
{
    double seconds{0};             //!< Time of an iteration
    double computeSeconds{0};      //!< Time that a GPU computes, mean over GPUs
    double waitingSeconds{0};      //!< The rest of an iteration: communication, bubbles
    double switchingSeconds{0};    //!< Darkness of switching in an iteration
    uint64_t events{0};            //!< Events that were followed to find it
    bool isExact{true};            //!< Whether all messages have been followed, if they can be
    bool lacksDecisions{false};    //!< Whether later decisions on circuits are left out
    std::vector<GroupCost> groups; //!< Communication by kind of group (TrainingPlan::groups)
    std::string refusal;           //!< Why there is no price; empty if there is one
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_COST_H */
