/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MICRORING_FILTER_H
#define MICRORING_FILTER_H

#include "optical-element.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A micro-ring between two waveguides, which drops one wavelength of the first one into the
 * second one and lets others through.
 *
 * With the amplitudes r1 and r2 that stay in the waveguides at the couplers, the amplitude a after
 * a turn, and the phase p of a turn, the powers are
 *
 * through = (r2^2 a^2 - 2 r1 r2 a cos p + r1^2) / (1 - 2 r1 r2 a cos p + (r1 r2 a)^2)
 *
 * drop = (1 - r1^2) (1 - r2^2) a / (1 - 2 r1 r2 a cos p + (r1 r2 a)^2)
 *
 * (Bogaerts et al., Silicon microring resonators, 2012). As an element of a path it drops the
 * light, and a part of the other wavelengths of the fibre; MicroringBank has the rings that light
 * passes.
 */
class MicroringFilter : public OpticalElement
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetLoss() const override;
    void Pass(OpticalSignal& signal) const override;

    /**
     * @param detuning the distance of the light from the resonance, Hz
     * @return the share of the power that stays in the first waveguide
     */
    double GetThrough(double detuning) const;

    /**
     * @param detuning the distance of the light from the resonance, Hz
     * @return the share of the power that goes to the second waveguide
     */
    double GetDrop(double detuning) const;

    /**
     * @param detuning the distance of a neighbour from the resonance, Hz
     * @return the power that the ring drops of the neighbour, over that which it drops of as much
     *         light on resonance
     */
    double GetCrosstalk(double detuning) const;

    /**
     * @param spacing the distance of wavelengths that are all as strong, Hz
     * @param count the number of wavelengths
     * @return the sum of the crosstalk of the others, for the wavelength that suffers the most: one
     *         in the middle, or at an end if others are near the next resonance
     */
    double GetCrosstalk(double spacing, uint32_t count) const;

    /**
     * @return the distance of two resonances, Hz; that in m is this times the square of the
     *         wavelength, over the speed of light
     */
    double GetFreeSpectralRange() const;

    /**
     * @return the width of a resonance at half of its height, Hz
     */
    double GetLinewidth() const;

    /**
     * @param frequency the frequency of the resonance, Hz
     * @return the quality factor
     */
    double GetQuality(double frequency) const;

    /**
     * @return the distance of resonances over their width
     */
    double GetFinesse() const;

    /**
     * @param shift a shift of the resonance by the heater, Hz
     * @return the power of the heater, W
     */
    double GetTuningPower(double shift) const;

  private:
    /// Amplitudes of a turn.
    struct Turn
    {
        double first;  //!< Amplitude that stays in the first waveguide
        double second; //!< Amplitude that stays in the second waveguide
        double loss;   //!< Amplitude that is left after a turn
    };

    /**
     * @return the amplitudes
     */
    Turn GetTurn() const;

    /**
     * @param turn the amplitudes
     * @param detuning the distance of the light from the resonance, Hz
     * @return the denominator of both powers
     */
    double GetDenominator(const Turn& turn, double detuning) const;

    /**
     * @return the length of a turn, m
     */
    double GetLength() const;

    double m_radius;           //!< Radius, m
    double m_groupIndex;       //!< Group index
    double m_attenuation;      //!< Attenuation of the bent waveguide, dB/m
    double m_inputCoupling;    //!< Share of the power that the first coupler takes
    double m_dropCoupling;     //!< Share of the power that the second coupler takes
    double m_heaterEfficiency; //!< Shift of the resonance by the heater, Hz/W
};

/**
 * @ingroup lightpath
 * @brief The micro-rings of a node of a ring that light passes: one for each wavelength that the
 * node can add or drop, none of which is tuned to this light. The node may add all other
 * wavelengths, as strong as the light was behind its own modulator.
 */
class MicroringBank : public OpticalElement
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetLoss() const override;
    void Pass(OpticalSignal& signal) const override;

  private:
    uint32_t m_rings; //!< Number of rings
    double m_loss;    //!< Loss of passing a ring, dB
};

} // namespace lightpath
} // namespace ns3

#endif /* MICRORING_FILTER_H */
