/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-source.h"

#include "ns3/double.h"
#include "ns3/string.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OpticalSource);
NS_OBJECT_ENSURE_REGISTERED(OpticalModulator);

TypeId
OpticalSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalSource")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalSource>()
            .AddAttribute("Power",
                          "Optical power of a wavelength in dBm.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&OpticalSource::m_power),
                          MakeDoubleChecker<double>(-100, 100))
            .AddAttribute("IntensityNoise",
                          "Relative intensity noise in dB/Hz.",
                          DoubleValue(-145),
                          MakeDoubleAccessor(&OpticalSource::m_intensityNoise),
                          MakeDoubleChecker<double>())
            .AddAttribute("Efficiency",
                          "Optical power over electrical power.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&OpticalSource::m_efficiency),
                          MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("TuningTime",
                          "Time in which it is tuned to another wavelength.",
                          // Read when a source is made, so that the resolution of Time is known
                          StringValue("3.84ns"),
                          MakeTimeAccessor(&OpticalSource::m_tuningTime),
                          MakeTimeChecker(Time()));
    return tid;
}

OpticalSignal
OpticalSource::Emit(double frequency, uint32_t lanes, double spacing) const
{
    OpticalSignal signal;
    signal.power = DbmToWatt(m_power);
    signal.frequency = frequency;
    signal.intensityNoise = DbToRatio(m_intensityNoise);
    signal.lanes = lanes;
    signal.spacing = spacing;
    signal.launched = signal.power;
    signal.neighbour = signal.power;
    return signal;
}

double
OpticalSource::GetElectricalPower() const
{
    return DbmToWatt(m_power) / m_efficiency;
}

Time
OpticalSource::GetTuningTime() const
{
    return m_tuningTime;
}

TypeId
OpticalModulator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalModulator")
            .SetParent<OpticalElement>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalModulator>()
            .AddAttribute("Loss",
                          "Average power behind the modulator below that in front of it in dB.",
                          DoubleValue(5),
                          MakeDoubleAccessor(&OpticalModulator::m_loss),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("ExtinctionRatio",
                          "Power of the highest level over that of the lowest one in dB.",
                          DoubleValue(8.9),
                          MakeDoubleAccessor(&OpticalModulator::m_extinction),
                          MakeDoubleChecker<double>(0.01))
            .AddAttribute("BitEnergy",
                          "Energy of a bit in J.",
                          DoubleValue(50e-15),
                          MakeDoubleAccessor(&OpticalModulator::m_bitEnergy),
                          MakeDoubleChecker<double>(0));
    return tid;
}

std::string
OpticalModulator::GetName() const
{
    return "modulator";
}

double
OpticalModulator::GetLoss() const
{
    return m_loss;
}

void
OpticalModulator::Pass(OpticalSignal& signal) const
{
    OpticalElement::Pass(signal);
    signal.launched = signal.power;
    const double ratio = DbToRatio(m_extinction);
    signal.contrast = (ratio - 1) / (ratio + 1);
}

double
OpticalModulator::GetBitEnergy() const
{
    return m_bitEnergy;
}

} // namespace lightpath
} // namespace ns3
