/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_AVERAGER_METER_H
#define LIGHTPATH_AVERAGER_METER_H

#include "model/photonics/mesh-imperfections.h"
#include "model/photonics/network/network-averager.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Measures how often a network has a wrong average.
 */
class AveragerMeter
{
  public:
    /// How often something is wrong.
    struct Rate
    {
        double mean;  //!< The share of words with a wrong average
        double error; //!< The standard error of it
    };

    /**
     * @param name svd or blocks for a trained network, or constructive
     * @param draws the realisations of a mesh, or the times that words meet noise
     */
    AveragerMeter(const std::string& name, uint32_t draws);

    /**
     * @brief Measure realisations of the meshes, on all combinations of sums of digits.
     *
     * @param attribute the attribute of MeshImperfections to set; the others have no effect
     * @param value its value
     * @param isRandom whether realisations differ: otherwise there is only one
     * @return how often a word is wrong; the error is that of the mean over realisations
     */
    Rate MeasureMesh(const std::string& attribute, double value, bool isRandom);

    /**
     * @brief Measure with noise of detectors only.
     *
     * @param sigma the noise, in levels
     * @param equal whether all servers send the same word, each as often as another, in place of
     *              all combinations of sums of digits
     * @return how often a word is wrong
     */
    Rate MeasureNoise(double sigma, bool equal);

    /**
     * @param sigma the noise of detectors, in levels
     * @return how often a word is wrong that all combinations of sums of digits have, by the
     *         distances of the network's outputs from the borders between levels, and the standard
     *         error that a measurement of it has
     */
    Rate PredictNoise(double sigma) const;

    /**
     * @param sigma the noise of detectors, in levels
     * @return how often an equal word is wrong if all outputs are on their levels, and the standard
     *         error that a measurement of it has
     */
    Rate PredictEqual(double sigma) const;

    /**
     * @return the interferometers of the network
     */
    uint32_t GetNElements() const;

    /**
     * @return the columns of interferometers that light goes through
     */
    uint32_t GetNColumns() const;

  private:
    /// The words of each server, and their averages.
    struct Words
    {
        std::vector<std::vector<uint16_t>> words; //!< The words of each server
        std::vector<uint16_t> averages;           //!< Their averages
    };

    /**
     * @brief Put all combinations of sums of digits down.
     *
     * @return words that have them
     */
    static Words MakeAll();

    /**
     * @brief Put equal words down.
     *
     * @return each word about as often as there are combinations of sums of digits
     */
    static Words MakeEqual();

    /**
     * @param words words
     * @param averager an averager
     * @return the share of them whose averages it has wrong
     */
    static double GetErrors(const Words& words, const ns3::lightpath::WordAverager& averager);

    /**
     * @param mean a share of words
     * @param words the words of a draw
     * @return the share, with the standard error that a count of it has
     */
    Rate MakeRate(double mean, std::size_t words) const;

    uint32_t m_draws; //!< The realisations, or the times that words meet noise
    ns3::Ptr<ns3::lightpath::NetworkAverager> m_averager;        //!< Without meshes
    ns3::Ptr<ns3::lightpath::NetworkAverager> m_onMesh;          //!< With meshes
    ns3::Ptr<ns3::lightpath::MeshImperfections> m_imperfections; //!< Of both
    Words m_all;                                                 //!< All combinations
    Words m_equal;                                               //!< Equal words
};

#endif /* LIGHTPATH_AVERAGER_METER_H */
