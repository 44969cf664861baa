/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "small-classifier.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace
{

/// Where the biases of the hidden units are.
constexpr std::size_t HIDDEN_BIAS = SmallClassifier::INPUTS * SmallClassifier::HIDDEN;

/// Where the weights of the outputs are.
constexpr std::size_t OUTPUT_WEIGHTS = HIDDEN_BIAS + SmallClassifier::HIDDEN;

/// Where the biases of the outputs are.
constexpr std::size_t OUTPUT_BIAS =
    OUTPUT_WEIGHTS + SmallClassifier::HIDDEN * SmallClassifier::OUTPUTS;

} // namespace

SmallClassifier::SmallClassifier(ns3::Ptr<ns3::NormalRandomVariable> random)
    : m_parameters(GetNParameters()),
      m_velocity(GetNParameters())
{
    for (std::size_t i = 0; i < HIDDEN_BIAS; ++i)
    {
        m_parameters[i] = static_cast<float>(random->GetValue() * std::sqrt(2.0 / INPUTS));
    }
    for (std::size_t i = OUTPUT_WEIGHTS; i < OUTPUT_BIAS; ++i)
    {
        m_parameters[i] = static_cast<float>(random->GetValue() * std::sqrt(2.0 / HIDDEN));
    }
}

std::size_t
SmallClassifier::GetNParameters()
{
    return OUTPUT_BIAS + OUTPUTS;
}

const std::vector<float>&
SmallClassifier::GetParameters() const
{
    return m_parameters;
}

SmallClassifier::Activity
SmallClassifier::Look(const DigitImage& image) const
{
    Activity activity;
    for (std::size_t unit = 0; unit < HIDDEN; ++unit)
    {
        const auto weights = m_parameters.begin() + static_cast<std::ptrdiff_t>(unit * INPUTS);
        const float sum = std::inner_product(image.pixels.begin(),
                                             image.pixels.end(),
                                             weights,
                                             m_parameters[HIDDEN_BIAS + unit]);
        activity.hidden[unit] = std::max(sum, 0.0F);
    }
    for (std::size_t output = 0; output < OUTPUTS; ++output)
    {
        const auto weights =
            m_parameters.begin() + static_cast<std::ptrdiff_t>(OUTPUT_WEIGHTS + output * HIDDEN);
        activity.share[output] = std::inner_product(activity.hidden.begin(),
                                                    activity.hidden.end(),
                                                    weights,
                                                    m_parameters[OUTPUT_BIAS + output]);
    }
    const float largest = *std::max_element(activity.share.begin(), activity.share.end());
    float total = 0;
    for (auto& share : activity.share)
    {
        share = std::exp(share - largest);
        total += share;
    }
    for (auto& share : activity.share)
    {
        share /= total;
    }
    return activity;
}

void
SmallClassifier::GetGradient(const std::vector<DigitImage>& images,
                             const std::vector<uint32_t>& chosen,
                             std::vector<float>& gradient) const
{
    gradient.assign(GetNParameters(), 0);
    const float weight = 1.0F / static_cast<float>(chosen.size());
    for (const auto index : chosen)
    {
        const DigitImage& image = images[index];
        const Activity activity = Look(image);
        std::array<float, HIDDEN> back{};
        for (std::size_t output = 0; output < OUTPUTS; ++output)
        {
            const float error =
                weight * (activity.share[output] - (output == image.digit ? 1.0F : 0.0F));
            gradient[OUTPUT_BIAS + output] += error;
            for (std::size_t unit = 0; unit < HIDDEN; ++unit)
            {
                const std::size_t place = OUTPUT_WEIGHTS + output * HIDDEN + unit;
                gradient[place] += error * activity.hidden[unit];
                back[unit] += error * m_parameters[place];
            }
        }
        for (std::size_t unit = 0; unit < HIDDEN; ++unit)
        {
            if (activity.hidden[unit] > 0)
            {
                gradient[HIDDEN_BIAS + unit] += back[unit];
                for (std::size_t input = 0; input < INPUTS; ++input)
                {
                    gradient[unit * INPUTS + input] += back[unit] * image.pixels[input];
                }
            }
        }
    }
}

void
SmallClassifier::Learn(const std::vector<float>& gradient, double rate, double momentum)
{
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
    {
        m_velocity[i] = static_cast<float>(momentum * m_velocity[i] + gradient[i]);
        m_parameters[i] -= static_cast<float>(rate * m_velocity[i]);
    }
}

SmallClassifier::Score
SmallClassifier::GetScore(const std::vector<DigitImage>& images,
                          std::size_t first,
                          std::size_t end) const
{
    Score score;
    for (std::size_t i = first; i < end; ++i)
    {
        const auto share = Look(images[i]).share;
        const auto best = std::max_element(share.begin(), share.end()) - share.begin();
        score.accuracy += best == images[i].digit ? 1 : 0;
        score.loss -= std::log(std::max(share[images[i].digit], 1e-30F));
    }
    const auto count = static_cast<double>(end - first);
    score.accuracy /= count;
    score.loss /= count;
    return score;
}
