/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-trainer.h"

#include "digit-sums.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(NetworkTrainer);

/// What the mean of the digits is divided by, and then lessened by 1: training likes -1 to 1
constexpr double INPUT_SCALE = 1.5;

NetworkTrainer::NetworkTrainer()
    : m_form(NetworkWeights::SVD),
      m_normal(CreateObject<NormalRandomVariable>()),
      m_uniform(CreateObject<UniformRandomVariable>())
{
}

TypeId
NetworkTrainer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::NetworkTrainer")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<NetworkTrainer>()
                            .AddAttribute("Servers",
                                          "The servers whose words are averaged.",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&NetworkTrainer::m_servers),
                                          MakeUintegerChecker<uint32_t>(1, 1024))
                            .AddAttribute("Bits",
                                          "The bits of a word, an even number.",
                                          UintegerValue(8),
                                          MakeUintegerAccessor(&NetworkTrainer::m_bits),
                                          MakeUintegerChecker<uint32_t>(2, 16))
                            .AddAttribute("Epochs",
                                          "Number of passes over all samples.",
                                          UintegerValue(400),
                                          MakeUintegerAccessor(&NetworkTrainer::m_epochs),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("Batch",
                                          "Number of samples of a step.",
                                          UintegerValue(512),
                                          MakeUintegerAccessor(&NetworkTrainer::m_batch),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("FirstRate",
                                          "Adam's learning rate at the beginning.",
                                          DoubleValue(1e-3),
                                          MakeDoubleAccessor(&NetworkTrainer::m_firstRate),
                                          MakeDoubleChecker<double>(0))
                            .AddAttribute("LastRate",
                                          "Adam's learning rate at the end.",
                                          DoubleValue(1e-6),
                                          MakeDoubleAccessor(&NetworkTrainer::m_lastRate),
                                          MakeDoubleChecker<double>(0));
    return tid;
}

void
NetworkTrainer::DoDispose()
{
    m_normal = nullptr;
    m_uniform = nullptr;
    Object::DoDispose();
}

void
NetworkTrainer::Start(NetworkWeights::Form form, const std::vector<uint32_t>& sizes)
{
    constexpr uint64_t mostSamples = 10'000'000;
    m_form = form;
    m_width = m_bits / 2;
    if (m_bits % 2 != 0)
    {
        throw std::invalid_argument("A network cannot be for words of " + std::to_string(m_bits) +
                                    " bits: a symbol carries two, so Bits must be even");
    }
    if (sizes.size() < 2 || sizes.front() != m_width || sizes.back() != m_width ||
        *std::min_element(sizes.begin(), sizes.end()) == 0)
    {
        throw std::invalid_argument("A network for words of " + std::to_string(m_bits) +
                                    " bits must have " + std::to_string(m_width) +
                                    " inputs and as many outputs, one for each base-4 digit");
    }
    if (DigitSums(m_servers, m_width).GetCount() > mostSamples)
    {
        throw std::invalid_argument("A network for " + std::to_string(m_bits) + " bits and " +
                                    std::to_string(m_servers) +
                                    " servers has too many inputs to be trained on all of them");
    }
    MakeSamples();
    m_steps = 0;
    m_done = 0;
    m_layers.clear();
    m_activations.assign(1, std::vector<float>(m_batch * m_width));
    for (std::size_t i = 1; i < sizes.size(); ++i)
    {
        m_layers.emplace_back(sizes[i - 1], sizes[i], form, m_normal);
        m_activations.emplace_back(std::size_t{m_batch} * sizes[i]);
    }
    m_gradients = m_activations;
}

void
NetworkTrainer::MakeSamples()
{
    const DigitSums sums(m_servers, m_width);
    const uint64_t count = sums.GetCount();
    m_order.resize(count);
    std::iota(m_order.begin(), m_order.end(), 0);
    m_inputs.clear();
    m_targets.clear();
    for (uint64_t index = 0; index < count; ++index)
    {
        const std::vector<uint32_t> sample = sums.GetSums(index);
        // The nearest word, and the upper one of two that are equally near
        uint64_t average = (2 * DigitSums::GetWordSum(sample) + m_servers) / (2 * m_servers);
        for (const uint32_t sum : sample)
        {
            m_inputs.push_back(static_cast<float>(sum / (INPUT_SCALE * m_servers) - 1));
            m_targets.push_back(static_cast<float>(average % 4));
            average /= 4;
        }
    }
}

void
NetworkTrainer::Shuffle()
{
    for (std::size_t last = m_order.size() - 1; last > 0; --last)
    {
        std::swap(m_order[last], m_order[m_uniform->GetInteger(0, last)]);
    }
}

double
NetworkTrainer::RunEpoch()
{
    Shuffle();
    double loss = 0;
    for (std::size_t first = 0; first < m_order.size(); first += m_batch)
    {
        loss += Learn(first, std::min<std::size_t>(m_batch, m_order.size() - first));
    }
    ++m_done;
    return loss / m_targets.size();
}

uint32_t
NetworkTrainer::GetNEpochsLeft() const
{
    return m_epochs - m_done;
}

void
NetworkTrainer::Forward(std::size_t samples)
{
    for (std::size_t i = 0; i < m_layers.size(); ++i)
    {
        std::vector<float>& out = m_activations[i + 1];
        m_layers[i].Forward(samples, m_activations[i].data(), out.data());
        if (i + 1 < m_layers.size())
        {
            const std::size_t size = samples * m_layers[i].GetNOutputs();
            std::transform(out.begin(), out.begin() + size, out.begin(), [](float value) {
                return std::max(value, 0.0F);
            });
        }
    }
}

double
NetworkTrainer::Learn(std::size_t first, std::size_t samples)
{
    for (std::size_t i = 0; i < samples; ++i)
    {
        std::copy_n(m_inputs.begin() + std::size_t{m_order[first + i]} * m_width,
                    m_width,
                    m_activations.front().begin() + i * m_width);
    }
    Forward(samples);
    // The loss is the mean square error of all outputs
    double loss = 0;
    const auto scale = static_cast<float>(2.0 / (samples * m_width));
    for (std::size_t i = 0; i < samples * m_width; ++i)
    {
        const std::size_t sample = m_order[first + i / m_width];
        const float error = m_activations.back()[i] - m_targets[sample * m_width + i % m_width];
        loss += error * error;
        m_gradients.back()[i] = scale * error;
    }
    for (std::size_t i = m_layers.size(); i-- > 0;)
    {
        const std::vector<float>& in = m_activations[i];
        std::vector<float>& inGradients = m_gradients[i];
        m_layers[i].Backward(samples,
                             in.data(),
                             m_gradients[i + 1].data(),
                             i > 0 ? inGradients.data() : nullptr);
        // The rectifier passes gradients where its output is above zero
        for (std::size_t j = 0; i > 0 && j < samples * m_layers[i].GetNInputs(); ++j)
        {
            inGradients[j] = in[j] > 0 ? inGradients[j] : 0;
        }
    }
    ++m_steps;
    const AdamStep step = GetStep();
    for (TrainingLayer& layer : m_layers)
    {
        layer.Update(step);
    }
    return loss;
}

AdamStep
NetworkTrainer::GetStep() const
{
    const uint64_t perEpoch = (m_order.size() + m_batch - 1) / m_batch;
    const double done = static_cast<double>(m_steps) / (perEpoch * m_epochs);
    // From the first rate to the last along half a cosine
    const double rate =
        m_lastRate + (m_firstRate - m_lastRate) * (1 + std::cos(M_PI * std::min(done, 1.0))) / 2;
    const auto power = static_cast<double>(m_steps);
    return {static_cast<float>(rate),
            static_cast<float>(1 / (1 - std::pow(AdamMoments::FIRST_DECAY, power))),
            static_cast<float>(1 / (1 - std::pow(AdamMoments::SECOND_DECAY, power)))};
}

uint64_t
NetworkTrainer::CountErrors()
{
    uint64_t errors = 0;
    for (std::size_t first = 0; first < m_order.size(); first += m_batch)
    {
        const std::size_t samples = std::min<std::size_t>(m_batch, m_order.size() - first);
        std::copy_n(m_inputs.begin() + first * m_width,
                    samples * m_width,
                    m_activations.front().begin());
        Forward(samples);
        for (std::size_t i = 0; i < samples; ++i)
        {
            const float* out = m_activations.back().data() + i * m_width;
            // A word is right if each of its digits rounds to the target
            const float* target = m_targets.data() + (first + i) * m_width;
            errors += std::equal(out,
                                 out + m_width,
                                 target,
                                 [](float a, float b) { return std::abs(a - b) < 0.5F; })
                          ? 0
                          : 1;
        }
    }
    return errors;
}

NetworkWeights
NetworkTrainer::GetWeights() const
{
    NetworkWeights weights{m_form, m_servers, m_bits, {}};
    for (const TrainingLayer& layer : m_layers)
    {
        weights.layers.push_back(layer.GetLayer());
    }
    // The inputs of the network are the means of the digits themselves
    NetworkLayer& first = weights.layers.front();
    for (std::size_t row = 0; row < first.bias.size(); ++row)
    {
        for (std::size_t column = 0; column < m_width; ++column)
        {
            double& weight = first.weights(row, column);
            first.bias[row] -= weight;
            weight /= INPUT_SCALE;
        }
    }
    return weights;
}

int64_t
NetworkTrainer::AssignStreams(int64_t stream)
{
    m_normal->SetStream(stream);
    m_uniform->SetStream(stream + 1);
    return 2;
}

} // namespace lightpath
} // namespace ns3
