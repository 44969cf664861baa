/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COST_REPORT_H
#define COST_REPORT_H

#include "component-table.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What a network and the GPUs on it draw and cost.
 *
 * An iteration of T seconds, in which GPUs compute for C seconds, takes W T joules of a network
 * that draws W, and N P (C + s (T - C)) of N GPUs that draw P, or s P while they wait. It costs
 * (sum of prices / life + W_total PUE tariff) T, where W_total is the mean power of both.
 */
struct CostReport
{
    /// Components of one kind.
    struct Line
    {
        std::string component; //!< Name
        double count{0};       //!< Number
        ComponentFigure watts; //!< Power of each, W
        ComponentFigure price; //!< Price of each, US dollars
    };

    /**
     * @return the power of the network, W
     */
    double GetNetworkWatts() const;

    /**
     * @return the price of the network, US dollars
     */
    double GetNetworkPrice() const;

    /**
     * @param seconds the time of an iteration
     * @return the energy of the network, J
     */
    double GetNetworkJoules(double seconds) const;

    /**
     * @param seconds the time of an iteration
     * @param computeSeconds the time of it in which a GPU computes
     * @return the energy of the GPUs, J
     */
    double GetGpuJoules(double seconds, double computeSeconds) const;

    /**
     * @param seconds the time of an iteration
     * @param computeSeconds the time of it in which a GPU computes
     * @return the cost of an iteration, US dollars, with that of the GPUs, whose price is known
     */
    double GetIterationPrice(double seconds, double computeSeconds) const;

    /**
     * @param seconds the time of an iteration; 0 if it is not known
     * @param computeSeconds the time of it in which a GPU computes
     * @return networkWatts, networkDollars, networkJoulesPerIteration, joulesPerIteration,
     *         dollarsPerIteration (null if the price of a GPU is not known), joulesPerSample and
     *         joulesPerToken if there are such, and components, each with name, count, watts,
     *         wattsYear, wattsConfidence, wattsSource, and the same of dollars. What belongs to an
     *         iteration is missing if its time is not known
     */
    nlohmann::ordered_json GetJson(double seconds = 0, double computeSeconds = 0) const;

    std::vector<Line> lines; //!< The components of the network
    double samples{0};       //!< Samples of an iteration; 0 if they are not known
    double tokens{0};        //!< Tokens of these; 0 if samples have none
    double gpus{0};          //!< Number of GPUs
    double gpuWatts{0};      //!< Power of a GPU that computes, W
    double gpuPrice{0};      //!< Price of a GPU, US dollars; 0 if it is not known
    double idleShare{0};     //!< Power of a GPU that waits, over gpuWatts
    double lifeSeconds{0};   //!< Time in which prices are paid, s
    double joulePrice{0};    //!< Price of a joule, with that of cooling it, US dollars
};

} // namespace lightpath
} // namespace ns3

#endif /* COST_REPORT_H */
