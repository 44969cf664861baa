/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-receiver.h"

#include "ns3/double.h"
#include "ns3/string.h"

#include <cmath>
#include <gsl/gsl_sf_erf.h>
#include <limits>
#include <numeric>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OpticalReceiver);

TypeId
OpticalReceiver::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalReceiver")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalReceiver>()
            .AddAttribute("Responsivity",
                          "Current that light makes in A/W.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&OpticalReceiver::m_responsivity),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("NoiseCurrent",
                          "Standard deviation of the noise of the amplifier in A.",
                          DoubleValue(2e-6),
                          MakeDoubleAccessor(&OpticalReceiver::m_noiseCurrent),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("DarkCurrent",
                          "Current in the dark in A.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&OpticalReceiver::m_darkCurrent),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Bandwidth",
                          "Electrical bandwidth in Hz.",
                          DoubleValue(20e9),
                          MakeDoubleAccessor(&OpticalReceiver::m_bandwidth),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("OpticalBandwidth",
                          "Bandwidth of the optical filter in front of the photodiode in Hz.",
                          DoubleValue(100e9),
                          MakeDoubleAccessor(&OpticalReceiver::m_opticalBandwidth),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("LockTime",
                          "Time in which it locks to the clock of new light.",
                          // Read when a receiver is made, so that the resolution of Time is known
                          StringValue("18.5ns"),
                          MakeTimeAccessor(&OpticalReceiver::m_lockTime),
                          MakeTimeChecker(Time()));
    return tid;
}

double
OpticalReceiver::GetBitErrorRate(const OpticalSignal& signal, Format format) const
{
    const auto errors = GetLevelErrors(signal, format == NRZ ? 2 : 4);
    const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
    // Each of 4 levels is sent as often, and errs towards both of its neighbours; PAM4 has 2 bits a
    // symbol, and Gray code makes one of them wrong
    return format == NRZ ? sum : sum / 4;
}

std::vector<double>
OpticalReceiver::GetLevelErrors(const OpticalSignal& signal, std::size_t count) const
{
    const double eye = DbToRatio(-GetCrosstalkPenalty(signal));
    const std::vector<double> levels = GetLevels(signal, count);
    std::vector<double> errors;
    for (std::size_t i = 1; i < levels.size(); ++i)
    {
        const double noise = GetNoise(levels[i - 1], signal) + GetNoise(levels[i], signal);
        const double quality = m_responsivity * eye * (levels[i] - levels[i - 1]) / noise;
        errors.push_back(gsl_sf_erfc(quality / M_SQRT2) / 2);
    }
    return errors;
}

double
OpticalReceiver::GetSensitivity(double bitErrorRate,
                                Format format,
                                const OpticalSignal& signal) const
{
    OpticalSignal light = signal;
    const auto isGood = [&](double dbm) {
        light.power = DbmToWatt(dbm);
        light.otherCrosstalk = signal.otherCrosstalk * signal.power / light.power;
        return GetBitErrorRate(light, format) <= bitErrorRate;
    };
    double low = -100;
    double high = 60;
    if (!isGood(high))
    {
        return std::numeric_limits<double>::infinity();
    }
    while (high - low > 1e-9)
    {
        const double middle = (low + high) / 2;
        (isGood(middle) ? high : low) = middle;
    }
    return high;
}

double
OpticalReceiver::GetCrosstalkPenalty(const OpticalSignal& signal)
{
    const double left = 1 - signal.otherCrosstalk - 2 * signal.sameCrosstalk;
    return left > 0 ? -RatioToDb(left) : std::numeric_limits<double>::infinity();
}

double
OpticalReceiver::GetNoise(double power, const OpticalSignal& signal) const
{
    constexpr double charge = 1.602176634e-19;
    const double current = m_responsivity * power;
    const double emission = m_responsivity * signal.noise;
    const double density = 2 * charge * (current + m_darkCurrent) + 4 * current * emission +
                           4 * emission * emission * m_opticalBandwidth +
                           current * current * signal.intensityNoise;
    return std::sqrt(m_noiseCurrent * m_noiseCurrent + density * m_bandwidth);
}

std::vector<double>
OpticalReceiver::GetLevels(const OpticalSignal& signal, std::size_t count)
{
    const double amplitude = signal.GetModulationAmplitude();
    std::vector<double> levels(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        levels[i] = signal.power + (share - 0.5) * amplitude;
    }
    return levels;
}

double
OpticalReceiver::GetResponsivity() const
{
    return m_responsivity;
}

Time
OpticalReceiver::GetLockTime() const
{
    return m_lockTime;
}

} // namespace lightpath
} // namespace ns3
