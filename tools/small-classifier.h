/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SMALL_CLASSIFIER_H
#define LIGHTPATH_SMALL_CLASSIFIER_H

#include "digit-images.h"

#include "ns3/random-variable-stream.h"

/**
 * @ingroup lightpath
 * @brief A network of two fully connected layers, with rectified units between them, that tells
 * digits apart.
 *
 * The loss is the cross entropy of the softmax of its ten outputs; it learns by stochastic gradient
 * descent with momentum.
 */
class SmallClassifier
{
  public:
    /// Units between the layers.
    static constexpr std::size_t HIDDEN = 32;

    /// Pixels of an image.
    static constexpr std::size_t INPUTS = 64;

    /// Number of digits.
    static constexpr std::size_t OUTPUTS = 10;

    /**
     * @param random draws the weights: normal numbers with the variance of He et al.
     */
    explicit SmallClassifier(ns3::Ptr<ns3::NormalRandomVariable> random);

    /**
     * @return the number of parameters
     */
    static std::size_t GetNParameters();

    /**
     * Find the mean gradient of images.
     *
     * @param images all images
     * @param chosen the indices of those that count
     * @param [out] gradient the mean gradient
     */
    void GetGradient(const std::vector<DigitImage>& images,
                     const std::vector<uint32_t>& chosen,
                     std::vector<float>& gradient) const;

    /**
     * Take a step.
     *
     * @param gradient the gradient
     * @param rate the learning rate
     * @param momentum the momentum
     */
    void Learn(const std::vector<float>& gradient, double rate, double momentum);

    /// How well images are told apart.
    struct Score
    {
        double accuracy{0}; //!< Share of the images whose digit is found
        double loss{0};     //!< Mean cross entropy
    };

    /**
     * @param images all images
     * @param first the first that counts
     * @param end the one after the last that counts
     * @return how well these are told apart
     */
    Score GetScore(const std::vector<DigitImage>& images, std::size_t first, std::size_t end) const;

    /**
     * @return the parameters
     */
    const std::vector<float>& GetParameters() const;

  private:
    /// What an image makes of the units.
    struct Activity
    {
        std::array<float, HIDDEN> hidden{}; //!< Units between the layers
        std::array<float, OUTPUTS> share{}; //!< Softmax of the outputs
    };

    /**
     * @param image an image
     * @return what it makes of the units
     */
    Activity Look(const DigitImage& image) const;

    std::vector<float> m_parameters; //!< Weights and bias of the one layer, then of the other
    std::vector<float> m_velocity;   //!< What the momentum keeps
};

#endif /* LIGHTPATH_SMALL_CLASSIFIER_H */
