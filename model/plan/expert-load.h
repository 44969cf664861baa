/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPERT_LOAD_H
#define EXPERT_LOAD_H

#include "rank-program.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// How the popularity of the experts of a layer is distributed.
enum class LoadDistribution : uint8_t
{
    EVEN,       //!< All experts get equally many tokens
    ZIPF,       //!< The k-th most popular expert gets tokens in proportion to k^-spread
    LOG_NORMAL, //!< Tokens in proportion to exp(spread x), with a normal score x
};

/**
 * @ingroup lightpath
 * @brief How a router spreads the tokens of a layer over its experts.
 *
 * Loads are relative: 1 is an even share of the copies of tokens. Each expert of a layer has a
 * score, a normal random variable with mean 0 and variance 1, which is drawn for each iteration.
 * The scores of one expert in successive iterations are an autoregressive process of order 1. The
 * order of the scores, or the scores themselves, give the popularity of the experts, which all
 * ranks share. As a token has each expert once, an expert gets at most all tokens: E / k of an even
 * share with k of E experts for a token. What exceeds that goes to the other experts.
 *
 * With a capacity each expert works on that many times an even share of tokens at most, and the
 * others are dropped: they are not sent, and not worked on (Lepikhin et al., GShard, 2020).
 */
class ExpertLoad
{
  public:
    /// The loads of the ranks that share out experts, in the order of their positions.
    using Loads = std::shared_ptr<const std::vector<double>>;

    /**
     * @param text "even", or "zipf" or "log-normal" with the spread behind a colon, like zipf:1.2;
     *        std::invalid_argument for any other
     * @return the distribution and its spread
     */
    static ExpertLoad Parse(const std::string& text);

    /**
     * Change the time and the size of a task that follows the load of experts.
     *
     * @param loads the loads of the ranks
     * @param position the position of the rank of the task
     * @param [in,out] task the task
     */
    static void Apply(const Loads& loads, uint32_t position, Task& task);

    /**
     * Throw std::invalid_argument with a sentence if a number is out of its range.
     */
    void Check() const;

    /**
     * @return true if all loads are 1
     */
    bool IsEven() const;

    /**
     * @return true if loads are drawn
     */
    bool IsDrawn() const;

    /**
     * @param layer the experts of a layer
     * @param scores the scores of the experts; without effect if loads are not drawn
     * @param ranks the number of ranks that share out the experts
     * @return the loads of the ranks
     */
    Loads Get(const RoutedLayer& layer, const std::vector<double>& scores, uint32_t ranks) const;

    /**
     * Get typical draws: of many, the half whose largest loads are the closest to their mean.
     *
     * @param layer the experts of a layer
     * @param ranks the number of ranks that share out the experts
     * @return the loads of the ranks in each of them, the closest first
     */
    std::vector<Loads> GetTypical(const RoutedLayer& layer, uint32_t ranks) const;

    /**
     * @param layer the experts of a layer
     * @return the share of the copies of tokens that experts work on, as the mean of many draws; 1
     *         without a capacity
     */
    double GetKept(const RoutedLayer& layer) const;

    LoadDistribution distribution{LoadDistribution::EVEN}; //!< How popularity is distributed
    double spread{0};      //!< Exponent, or standard deviation of the score in the exponent
    double correlation{0}; //!< Of the scores of an expert in successive iterations, 0 to 1
    double capacity{0};    //!< Most load of an expert; 0 for no limit

  private:
    /**
     * @param layer the experts of a layer
     * @param ranks the number of ranks that share out the experts
     * @return loads of the ranks in up to 1001 draws, always the same ones
     */
    std::vector<Loads> Draw(const RoutedLayer& layer, uint32_t ranks) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* EXPERT_LOAD_H */
