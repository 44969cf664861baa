/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "microring-filter.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(MicroringFilter);
NS_OBJECT_ENSURE_REGISTERED(MicroringBank);

TypeId
MicroringFilter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::MicroringFilter")
            .SetParent<OpticalElement>()
            .SetGroupName("Lightpath")
            .AddConstructor<MicroringFilter>()
            .AddAttribute("Radius",
                          "Radius of the ring in m.",
                          DoubleValue(5e-6),
                          MakeDoubleAccessor(&MicroringFilter::m_radius),
                          MakeDoubleChecker<double>(1e-7, 1e-2))
            .AddAttribute("GroupIndex",
                          "Group index of the waveguide.",
                          DoubleValue(4.2),
                          MakeDoubleAccessor(&MicroringFilter::m_groupIndex),
                          MakeDoubleChecker<double>(1, 10))
            .AddAttribute("Attenuation",
                          "Attenuation of the bent waveguide in dB/m.",
                          DoubleValue(300),
                          MakeDoubleAccessor(&MicroringFilter::m_attenuation),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("InputCoupling",
                          "Share of the power that the coupler of the first waveguide takes.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&MicroringFilter::m_inputCoupling),
                          MakeDoubleChecker<double>(1e-9, 1 - 1e-9))
            .AddAttribute("DropCoupling",
                          "Share of the power that the coupler of the second waveguide takes.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&MicroringFilter::m_dropCoupling),
                          MakeDoubleChecker<double>(1e-9, 1 - 1e-9))
            .AddAttribute("HeaterEfficiency",
                          "Shift of the resonance by the heater in Hz/W.",
                          DoubleValue(1e15),
                          MakeDoubleAccessor(&MicroringFilter::m_heaterEfficiency),
                          MakeDoubleChecker<double>(1));
    return tid;
}

std::string
MicroringFilter::GetName() const
{
    return "micro-ring, drop";
}

double
MicroringFilter::GetLoss() const
{
    return -RatioToDb(GetDrop(0));
}

void
MicroringFilter::Pass(OpticalSignal& signal) const
{
    OpticalElement::Pass(signal);
    if (signal.spacing > 0)
    {
        signal.Leak(GetCrosstalk(signal.spacing, static_cast<uint32_t>(signal.lanes)));
    }
}

double
MicroringFilter::GetThrough(double detuning) const
{
    const Turn turn = GetTurn();
    // (r1 - r2 a)^2 + 2 r1 r2 a (1 - cos p), which loses no digits where next to nothing is left
    const double half = std::sin(M_PI * detuning / GetFreeSpectralRange());
    const double apart = turn.first - turn.second * turn.loss;
    return (apart * apart + 4 * turn.first * turn.second * turn.loss * half * half) /
           GetDenominator(turn, detuning);
}

double
MicroringFilter::GetDrop(double detuning) const
{
    return m_inputCoupling * m_dropCoupling * GetTurn().loss / GetDenominator(GetTurn(), detuning);
}

double
MicroringFilter::GetCrosstalk(double detuning) const
{
    return GetDrop(detuning) / GetDrop(0);
}

double
MicroringFilter::GetCrosstalk(double spacing, uint32_t count) const
{
    // Of the next 0, 1, 2 ... wavelengths on one side
    std::vector<double> sums(count);
    for (uint32_t i = 1; i < count; ++i)
    {
        sums[i] = sums[i - 1] + GetCrosstalk(i * spacing);
    }
    double most = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        most = std::max(most, sums[i] + sums[count - 1 - i]);
    }
    return most;
}

double
MicroringFilter::GetFreeSpectralRange() const
{
    constexpr double lightSpeed = 299792458;
    return lightSpeed / (m_groupIndex * GetLength());
}

double
MicroringFilter::GetLinewidth() const
{
    const Turn turn = GetTurn();
    const double round = turn.first * turn.second * turn.loss;
    return (1 - round) / (M_PI * std::sqrt(round)) * GetFreeSpectralRange();
}

double
MicroringFilter::GetQuality(double frequency) const
{
    return frequency / GetLinewidth();
}

double
MicroringFilter::GetFinesse() const
{
    return GetFreeSpectralRange() / GetLinewidth();
}

double
MicroringFilter::GetTuningPower(double shift) const
{
    return std::abs(shift) / m_heaterEfficiency;
}

MicroringFilter::Turn
MicroringFilter::GetTurn() const
{
    return {std::sqrt(1 - m_inputCoupling),
            std::sqrt(1 - m_dropCoupling),
            std::sqrt(DbToRatio(-m_attenuation * GetLength()))};
}

double
MicroringFilter::GetDenominator(const Turn& turn, double detuning) const
{
    const double half = std::sin(M_PI * detuning / GetFreeSpectralRange());
    const double round = turn.first * turn.second * turn.loss;
    return (1 - round) * (1 - round) + 4 * round * half * half;
}

double
MicroringFilter::GetLength() const
{
    return 2 * M_PI * m_radius;
}

TypeId
MicroringBank::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::MicroringBank")
                            .SetParent<OpticalElement>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<MicroringBank>()
                            .AddAttribute("Rings",
                                          "Number of rings that light passes.",
                                          UintegerValue(80),
                                          MakeUintegerAccessor(&MicroringBank::m_rings),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("Loss",
                                          "Loss of passing a ring in dB.",
                                          DoubleValue(0.01),
                                          MakeDoubleAccessor(&MicroringBank::m_loss),
                                          MakeDoubleChecker<double>(0));
    return tid;
}

std::string
MicroringBank::GetName() const
{
    return std::to_string(m_rings) + " micro-rings, through";
}

double
MicroringBank::GetLoss() const
{
    return m_rings * m_loss;
}

void
MicroringBank::Pass(OpticalSignal& signal) const
{
    OpticalElement::Pass(signal);
    signal.neighbour = std::max(signal.neighbour, signal.launched);
}

} // namespace lightpath
} // namespace ns3
