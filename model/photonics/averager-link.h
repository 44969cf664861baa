/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AVERAGER_LINK_H
#define AVERAGER_LINK_H

#include "optical-link.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The light of a network that averages words, and how often it makes averages wrong.
 *
 * The digits of words are levels of power. Each server sends them by a laser of its own; couplers
 * merge the light of all servers, and the averager detects the means of digits, each one of
 * 3 N + 1 levels for N servers. A laser of the averager sends light through the layers of
 * interferometers, behind each of which an amplifier makes up for the loss; a splitter returns the
 * digits of the average, each one of 4 levels, to all servers.
 *
 * Rates hold for digits that are independent and evenly distributed. An error takes a level for the
 * next one.
 */
class AveragerLink : public Object
{
  public:
    /// A layer of interferometers.
    struct Layer
    {
        uint32_t columns; //!< Columns of interferometers, one behind the other
        uint32_t ways;    //!< Blocks among which light is split, or whose light is merged
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    AveragerLink();

    /**
     * @param layers the layers in place of those of the trained network in the form Blocks
     */
    void SetLayers(std::vector<Layer> layers);

    /**
     * @return the layers
     */
    const std::vector<Layer>& GetLayers() const;

    /**
     * @param servers the number of servers
     * @return the budget from the laser of a server to a detector of the averager
     */
    LinkBudget GetMergeBudget(uint32_t servers) const;

    /**
     * @param servers the number of servers
     * @return the budget from the laser of the averager to the receiver of a server
     */
    LinkBudget GetReturnBudget(uint32_t servers) const;

    /**
     * @param servers the number of servers
     * @return the probability that the averager takes a mean of digits for the next higher one,
     *         which is that of taking the higher one for it; from that of zeros upwards
     */
    std::vector<double> GetMeanErrors(uint32_t servers) const;

    /**
     * @param servers the number of servers
     * @return the probability that a server takes a digit of the average for the next higher one,
     *         which is that of taking the higher one for it; from 0 upwards
     */
    std::vector<double> GetReturnErrors(uint32_t servers) const;

    /**
     * @param servers the number of servers
     * @return the probability that the averager takes the mean of a digit for another
     */
    double GetMeanErrorRate(uint32_t servers) const;

    /**
     * @param servers the number of servers
     * @return the probability that a server takes a digit of the average for another
     */
    double GetReturnErrorRate(uint32_t servers) const;

    /**
     * A wrong mean of digit m is off by 4^m / N. If that is less than a unit, it changes the
     * rounded average in the share 4^m / N of all cases.
     *
     * @param servers the number of servers
     * @param bits the bits of a word
     * @return the probability that the average of words is wrong at a server
     */
    double GetWordErrorRate(uint32_t servers, uint32_t bits) const;

    /**
     * @param bits the bits of a word
     * @return the largest number of servers, up to 1024, at which ErrorRate is not exceeded; 0 if
     *         there is none
     */
    uint32_t GetMostServers(uint32_t bits) const;

  private:
    /**
     * @param ways the outputs of a splitter, or the inputs of a merger
     * @return the loss of a tree of couplers beyond that of the division, dB
     */
    double GetExcess(uint32_t ways) const;

    std::vector<Layer> m_layers; //!< Layers of interferometers
    double m_interferometerLoss; //!< Loss of an interferometer, dB
    double m_couplerLoss;        //!< Loss of a coupler beyond that of the division by two, dB
    double m_fibreLength;        //!< Fibre between a server and the averager, m
    double m_errorRate;          //!< Wanted share of wrong averages
    Ptr<OpticalLink> m_link;     //!< Lasers, modulators and receivers
};

} // namespace lightpath
} // namespace ns3

#endif /* AVERAGER_LINK_H */
