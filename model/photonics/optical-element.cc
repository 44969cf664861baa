/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-element.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gsl/gsl_sf_lambert.h>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OpticalElement);
NS_OBJECT_ENSURE_REGISTERED(PassiveElement);
NS_OBJECT_ENSURE_REGISTERED(OpticalGuide);
NS_OBJECT_ENSURE_REGISTERED(OpticalSplitter);
NS_OBJECT_ENSURE_REGISTERED(OpticalMerger);
NS_OBJECT_ENSURE_REGISTERED(OpticalAmplifier);

TypeId
OpticalElement::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalElement").SetParent<Object>().SetGroupName("Lightpath");
    return tid;
}

void
OpticalElement::Pass(OpticalSignal& signal) const
{
    signal.Attenuate(GetLoss());
}

TypeId
PassiveElement::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::PassiveElement")
                            .SetParent<OpticalElement>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<PassiveElement>()
                            .AddAttribute("Name",
                                          "Name in tables.",
                                          StringValue("coupler"),
                                          MakeStringAccessor(&PassiveElement::m_name),
                                          MakeStringChecker())
                            .AddAttribute("Loss",
                                          "Insertion loss in dB.",
                                          DoubleValue(1),
                                          MakeDoubleAccessor(&PassiveElement::m_loss),
                                          MakeDoubleChecker<double>(0));
    return tid;
}

std::string
PassiveElement::GetName() const
{
    return m_name;
}

double
PassiveElement::GetLoss() const
{
    return m_loss;
}

TypeId
OpticalGuide::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::OpticalGuide")
                            .SetParent<OpticalElement>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<OpticalGuide>()
                            .AddAttribute("Name",
                                          "Name in tables.",
                                          StringValue("fibre"),
                                          MakeStringAccessor(&OpticalGuide::m_name),
                                          MakeStringChecker())
                            .AddAttribute("Length",
                                          "Length in m.",
                                          DoubleValue(10),
                                          MakeDoubleAccessor(&OpticalGuide::m_length),
                                          MakeDoubleChecker<double>(0))
                            .AddAttribute("Attenuation",
                                          "Attenuation in dB/m; 100 for a waveguide of 1 dB/cm.",
                                          DoubleValue(0.35e-3),
                                          MakeDoubleAccessor(&OpticalGuide::m_attenuation),
                                          MakeDoubleChecker<double>(0));
    return tid;
}

std::string
OpticalGuide::GetName() const
{
    return m_name;
}

double
OpticalGuide::GetLoss() const
{
    return m_length * m_attenuation;
}

TypeId
OpticalSplitter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::OpticalSplitter")
                            .SetParent<OpticalElement>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<OpticalSplitter>()
                            .AddAttribute("Outputs",
                                          "Number of outputs.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&OpticalSplitter::m_outputs),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("ExcessLoss",
                                          "Loss beyond that of the division in dB.",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&OpticalSplitter::m_excess),
                                          MakeDoubleChecker<double>(0));
    return tid;
}

std::string
OpticalSplitter::GetName() const
{
    return "splitter 1:" + std::to_string(m_outputs);
}

double
OpticalSplitter::GetLoss() const
{
    return RatioToDb(m_outputs) + m_excess;
}

TypeId
OpticalMerger::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::OpticalMerger")
                            .SetParent<OpticalElement>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<OpticalMerger>()
                            .AddAttribute("Inputs",
                                          "Number of inputs.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&OpticalMerger::m_inputs),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("ExcessLoss",
                                          "Loss beyond that of the shares in dB.",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&OpticalMerger::m_excess),
                                          MakeDoubleChecker<double>(0));
    return tid;
}

std::string
OpticalMerger::GetName() const
{
    return "merger " + std::to_string(m_inputs) + ":1";
}

double
OpticalMerger::GetLoss() const
{
    return m_excess;
}

void
OpticalMerger::Pass(OpticalSignal& signal) const
{
    OpticalElement::Pass(signal);
    signal.intensityNoise /= m_inputs;
}

TypeId
OpticalAmplifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalAmplifier")
            .SetParent<OpticalElement>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalAmplifier>()
            .AddAttribute("Gain",
                          "Gain of weak light in dB.",
                          DoubleValue(24),
                          MakeDoubleAccessor(&OpticalAmplifier::m_gain),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("NoiseFigure",
                          "Noise figure in dB.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&OpticalAmplifier::m_noiseFigure),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("SaturationPower",
                          "Power of all wavelengths at which the gain of a unit of length is half, "
                          "in dBm.",
                          DoubleValue(15),
                          MakeDoubleAccessor(&OpticalAmplifier::m_saturationPower),
                          MakeDoubleChecker<double>());
    return tid;
}

std::string
OpticalAmplifier::GetName() const
{
    return "amplifier";
}

double
OpticalAmplifier::GetLoss() const
{
    return -m_gain;
}

void
OpticalAmplifier::Pass(OpticalSignal& signal) const
{
    constexpr double planck = 6.62607015e-34;
    const double gain = GetGain(signal.GetTotalPower());
    signal.Attenuate(-RatioToDb(gain));
    signal.noise += DbToRatio(m_noiseFigure) / 2 * planck * signal.frequency * (gain - 1);
}

double
OpticalAmplifier::GetGain(double power) const
{
    const double most = DbToRatio(m_gain);
    const double ratio = power / DbmToWatt(m_saturationPower);
    if (ratio <= 0)
    {
        return most;
    }
    // The solution of ln(G / G0) = -(G - 1) x is W(x G0 exp(x)) / x
    return gsl_sf_lambert_W0(ratio * most * std::exp(ratio)) / ratio;
}

void
OpticalAmplifier::Pump(double gain, double power)
{
    const double ratio = power / DbmToWatt(m_saturationPower);
    m_gain = std::min(m_gain, gain + RatioToDb(std::exp((DbToRatio(gain) - 1) * ratio)));
}

} // namespace lightpath
} // namespace ns3
