/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_SOURCE_H
#define OPTICAL_SOURCE_H

#include "optical-element.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A laser, or one line of a comb.
 */
class OpticalSource : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param frequency the frequency of the carrier, Hz
     * @param lanes the wavelengths in its fibre, all as strong
     * @param spacing the distance of these wavelengths, Hz; 0 if nothing of them leaks
     * @return the light that it sends
     */
    OpticalSignal Emit(double frequency, uint32_t lanes = 1, double spacing = 0) const;

    /**
     * @return the electrical power for this light, W, whether it carries data or not
     */
    double GetElectricalPower() const;

    /**
     * @return the time in which it is tuned to another wavelength
     */
    Time GetTuningTime() const;

  private:
    double m_power;          //!< Optical power, dBm
    double m_intensityNoise; //!< Relative intensity noise, dB/Hz
    double m_efficiency;     //!< Optical power over electrical power
    Time m_tuningTime;       //!< Time in which it is tuned to another wavelength
};

/**
 * @ingroup lightpath
 * @brief A modulator, which makes levels of power.
 */
class OpticalModulator : public OpticalElement
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
     * @return the energy of a bit, J
     */
    double GetBitEnergy() const;

  private:
    double m_loss;       //!< Insertion loss, with that of the average below the highest level, dB
    double m_extinction; //!< Power of the highest level over that of the lowest one, dB
    double m_bitEnergy;  //!< Energy of a bit, J
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_SOURCE_H */
