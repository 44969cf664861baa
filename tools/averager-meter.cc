/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "averager-meter.h"

#include "model/photonics/network/digit-sums.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint32_t SERVERS = 4; //!< The servers that send words
constexpr uint32_t DIGITS = 4;  //!< The base-4 digits of a word

/**
 * @param distance a distance from the mean, in standard deviations
 * @return how often a normal deviate is farther on this side
 */
double
GetTail(double distance)
{
    return std::erfc(distance / std::sqrt(2)) / 2;
}

} // namespace

AveragerMeter::AveragerMeter(const std::string& name, uint32_t draws)
    : m_draws(draws),
      m_imperfections(CreateObject<MeshImperfections>()),
      m_all(MakeAll()),
      m_equal(MakeEqual())
{
    m_imperfections->AssignStreams(1);
    ObjectFactory factory("ns3::lightpath::NetworkAverager");
    factory.Set("Kind", StringValue(name == "constructive" ? "Constructive" : "Trained"));
    factory.Set("Form", StringValue(name == "blocks" ? "Blocks" : "Svd"));
    factory.Set("Imperfections", PointerValue(m_imperfections));
    m_averager = factory.Create<NetworkAverager>();
    factory.Set("OnMesh", BooleanValue(true));
    m_onMesh = factory.Create<NetworkAverager>();
}

AveragerMeter::Words
AveragerMeter::MakeAll()
{
    const DigitSums sums(SERVERS, DIGITS);
    Words all;
    all.words.resize(SERVERS);
    for (uint64_t index = 0; index < sums.GetCount(); ++index)
    {
        const std::vector<uint32_t> combination = sums.GetSums(index);
        const std::vector<uint16_t> words = sums.MakeWords(combination);
        for (uint32_t server = 0; server < SERVERS; ++server)
        {
            all.words[server].push_back(words[server]);
        }
        all.averages.push_back(static_cast<uint16_t>(
            (2 * DigitSums::GetWordSum(combination) + SERVERS) / (2 * SERVERS)));
    }
    return all;
}

AveragerMeter::Words
AveragerMeter::MakeEqual()
{
    constexpr uint32_t count = 256 * 112;
    Words equal;
    for (uint32_t i = 0; i < count; ++i)
    {
        equal.averages.push_back(static_cast<uint16_t>(i % 256));
    }
    equal.words.assign(SERVERS, equal.averages);
    return equal;
}

double
AveragerMeter::GetErrors(const Words& words, const WordAverager& averager)
{
    std::vector<const uint16_t*> pointers;
    for (const auto& ofServer : words.words)
    {
        pointers.push_back(ofServer.data());
    }
    std::vector<uint16_t> averages(words.averages.size());
    averager.Average(pointers, averages.size(), averages.data());
    uint64_t errors = 0;
    for (std::size_t i = 0; i < averages.size(); ++i)
    {
        errors += averages[i] == words.averages[i] ? 0 : 1;
    }
    return static_cast<double>(errors) / static_cast<double>(averages.size());
}

AveragerMeter::Rate
AveragerMeter::MeasureMesh(const std::string& attribute, double value, bool isRandom)
{
    const uint32_t draws = isRandom ? m_draws : 1;
    // The phases of the meshes are found before there are imperfections
    GetNElements();
    if (attribute == "PhaseBits")
    {
        m_imperfections->SetAttribute(attribute, UintegerValue(static_cast<uint32_t>(value)));
    }
    else
    {
        m_imperfections->SetAttribute(attribute, DoubleValue(value));
    }
    m_imperfections->SetAttribute("BalancedLoss", BooleanValue(attribute != "MziLossDb"));
    double sum = 0;
    double squares = 0;
    for (uint32_t draw = 0; draw < draws; ++draw)
    {
        m_onMesh->Realise();
        const double errors = GetErrors(m_all, *m_onMesh);
        sum += errors;
        squares += errors * errors;
    }
    m_imperfections->SetAttribute("BalancedLoss", BooleanValue(true));
    if (attribute == "PhaseBits")
    {
        m_imperfections->SetAttribute(attribute, UintegerValue(0));
    }
    else
    {
        m_imperfections->SetAttribute(attribute, DoubleValue(0));
    }
    const double mean = sum / draws;
    const double variance = std::max(squares / draws - mean * mean, 0.0);
    return {mean, draws > 1 ? std::sqrt(variance / (draws - 1)) : 0};
}

AveragerMeter::Rate
AveragerMeter::MeasureNoise(double sigma, bool equal)
{
    const Words& words = equal ? m_equal : m_all;
    m_imperfections->SetAttribute("DetectorNoise", DoubleValue(sigma));
    double sum = 0;
    for (uint32_t draw = 0; draw < m_draws; ++draw)
    {
        sum += GetErrors(words, *m_averager);
    }
    m_imperfections->SetAttribute("DetectorNoise", DoubleValue(0));
    return MakeRate(sum / m_draws, words.averages.size());
}

AveragerMeter::Rate
AveragerMeter::PredictNoise(double sigma) const
{
    const std::size_t count = m_all.averages.size();
    std::vector<double> inputs(count * DIGITS, 0);
    std::vector<double> outputs(count * DIGITS);
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        for (const auto& ofServer : m_all.words)
        {
            inputs[i] += (ofServer[i / DIGITS] >> (2 * (i % DIGITS)) & 3) / double{SERVERS};
        }
    }
    m_averager->GetNetwork().Evaluate(count, inputs.data(), outputs.data());
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        double right = 1;
        for (uint32_t digit = 0; digit < DIGITS; ++digit)
        {
            const int level = m_all.averages[i] >> (2 * digit) & 3;
            const double off = outputs[i * DIGITS + digit] - level;
            right *= 1 - (level < 3 ? GetTail((0.5 - off) / sigma) : 0) -
                     (level > 0 ? GetTail((0.5 + off) / sigma) : 0);
        }
        sum += 1 - right;
    }
    return MakeRate(sum / static_cast<double>(count), count);
}

AveragerMeter::Rate
AveragerMeter::PredictEqual(double sigma) const
{
    return MakeRate(1 - std::pow(1 - 1.5 * GetTail(0.5 / sigma), DIGITS), m_equal.averages.size());
}

AveragerMeter::Rate
AveragerMeter::MakeRate(double mean, std::size_t words) const
{
    return {mean, std::sqrt(mean * (1 - mean) / (static_cast<double>(words) * m_draws))};
}

uint32_t
AveragerMeter::GetNElements() const
{
    return m_onMesh->GetNetwork().GetNElements();
}

uint32_t
AveragerMeter::GetNColumns() const
{
    return m_onMesh->GetNColumns();
}
