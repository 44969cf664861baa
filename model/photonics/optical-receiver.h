/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_RECEIVER_H
#define OPTICAL_RECEIVER_H

#include "optical-signal.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A photodiode with its amplifier and decision circuit.
 *
 * The noise current at a level of power P has the variance s^2 = i^2 + 2 q (R P + I) B +
 * 4 R^2 P S B + 4 R^2 S^2 B Bo + (R P)^2 N B: that of the amplifier (NoiseCurrent i), shot noise
 * (Responsivity R, DarkCurrent I), the beats of spontaneous emission of density S with the signal
 * and with itself (optical bandwidth Bo), and the relative intensity noise N of the laser, in the
 * bandwidth B (Agrawal, Fiber-Optic Communication Systems).
 */
class OpticalReceiver : public Object
{
  public:
    /// Modulation formats: amplitudes of 2 or 4 levels.
    enum Format : uint8_t
    {
        NRZ,  //!< Two levels, 1 bit a symbol
        PAM4, //!< Four levels in Gray code, 2 bits a symbol
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Levels are evenly spaced, and each threshold is where both levels beside it err equally. An
     * eye has the quality Q = (I1 - I0) / (s1 + s0). The rate is erfc(Q / sqrt(2)) / 2 for NRZ, and
     * the sum of this over the three eyes, divided by 4, for PAM4. Crosstalk closes eyes (
     * GetCrosstalkPenalty()).
     *
     * @param signal the light at the photodiode
     * @param format the modulation format
     * @return the error rate of bits
     */
    double GetBitErrorRate(const OpticalSignal& signal, Format format) const;

    /**
     * @param signal the light at the photodiode
     * @param count the number of its levels, evenly spaced
     * @return the probability of taking a level for the next higher one, which is that of taking
     *         the higher one for it; from the lowest level upwards, one less than levels
     */
    std::vector<double> GetLevelErrors(const OpticalSignal& signal, std::size_t count) const;

    /**
     * The light has another power, but noise of amplifiers and light of other wavelengths do not.
     *
     * @param bitErrorRate the wanted error rate of bits
     * @param format the modulation format
     * @param signal the light, of which only the power is not used
     * @return the least power of such light, dBm; infinite if noise in proportion to the power is
     *         too high for any
     */
    double GetSensitivity(double bitErrorRate, Format format, const OpticalSignal& signal) const;

    /**
     * Light of other wavelengths closes the eye by its power, light of the same wavelength by twice
     * its amplitude, in the worst case of phases (Ramaswami and Sivarajan, Optical Networks).
     *
     * @param signal the light
     * @return the penalty in dB; infinite if the eye is closed
     */
    static double GetCrosstalkPenalty(const OpticalSignal& signal);

    /**
     * @param power the power, W
     * @param signal the light, for its noise
     * @return the standard deviation of the current, A
     */
    double GetNoise(double power, const OpticalSignal& signal) const;

    /**
     * @param signal the light at the photodiode
     * @param count the number of its levels, evenly spaced
     * @return the powers of the levels, W, the lowest one first
     */
    static std::vector<double> GetLevels(const OpticalSignal& signal, std::size_t count);

    /**
     * @return the current that light makes, A/W
     */
    double GetResponsivity() const;

    /**
     * @return the time in which it locks to the clock of new light
     */
    Time GetLockTime() const;

  private:
    double m_responsivity;     //!< Current that light makes, A/W
    double m_noiseCurrent;     //!< Standard deviation of the noise of the amplifier, A
    double m_darkCurrent;      //!< Current in the dark, A
    double m_bandwidth;        //!< Electrical bandwidth, Hz
    double m_opticalBandwidth; //!< Bandwidth of the filter in front, Hz
    Time m_lockTime;           //!< Time in which it locks to the clock of new light
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_RECEIVER_H */
