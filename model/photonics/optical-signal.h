/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_SIGNAL_H
#define OPTICAL_SIGNAL_H

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @param ratio a ratio of powers
 * @return the ratio in dB
 */
inline double
RatioToDb(double ratio)
{
    return 10 * std::log10(ratio);
}

/**
 * @ingroup lightpath
 * @param db a ratio of powers in dB
 * @return the ratio
 */
inline double
DbToRatio(double db)
{
    return std::pow(10, db / 10);
}

/**
 * @ingroup lightpath
 * @param dbm a power in dBm
 * @return the power in W
 */
inline double
DbmToWatt(double dbm)
{
    return 1e-3 * DbToRatio(dbm);
}

/**
 * @ingroup lightpath
 * @param watt a power in W
 * @return the power in dBm
 */
inline double
WattToDbm(double watt)
{
    return RatioToDb(watt * 1e3);
}

/**
 * @ingroup lightpath
 * @brief The light of one wavelength at one place of a path.
 */
struct OpticalSignal
{
    double power{0};     //!< Average power, W
    double frequency{0}; //!< Carrier frequency, Hz
    double contrast{1};  //!< (r - 1) / (r + 1) with the extinction ratio r: 1 if the lowest level
                         //!< is dark
    double noise{0};     //!< Spectral density of amplified spontaneous emission in the
                         //!< polarisation of the signal, W/Hz
    double spacing{0};   //!< Distance of the wavelengths of the fibre, Hz; 0 if nothing leaks
    double launched{0};  //!< Average power behind the modulator of a node, W
    double neighbour{0}; //!< Largest average power of another wavelength of the fibre, W
    double otherCrosstalk{0}; //!< Light of other wavelengths, as a share of the power
    double sameCrosstalk{0};  //!< Sum of the amplitudes of other light of the same wavelength, as a
                              //!< share of the amplitude of the signal
    double intensityNoise{0}; //!< Relative intensity noise, 1/Hz
    double lanes{1};          //!< Wavelengths that share amplifiers with it, itself included

    /**
     * Attenuate or amplify the light; no noise is added.
     *
     * @param db the loss in dB
     */
    void Attenuate(double db)
    {
        power *= DbToRatio(-db);
        neighbour *= DbToRatio(-db);
        noise *= DbToRatio(-db);
    }

    /**
     * @return the power of all wavelengths, W, if the others have the largest one
     */
    double GetTotalPower() const
    {
        return power + (lanes - 1) * neighbour;
    }

    /**
     * Let a share of another wavelength leak in where only this one should pass.
     *
     * @param share the share of its power, over that of this light that passes
     */
    void Leak(double share)
    {
        otherCrosstalk += share * neighbour / power;
    }

    /**
     * @return the optical signal-to-noise ratio in 12.5 GHz (0.1 nm at 1550 nm) and both
     *         polarisations, dB; infinite without noise
     */
    double GetOsnr() const
    {
        constexpr double reference = 12.5e9;
        return RatioToDb(power / (2 * noise * reference));
    }

    /**
     * @return the optical modulation amplitude, W: the difference of the highest and the lowest
     *         level
     */
    double GetModulationAmplitude() const
    {
        return 2 * power * contrast;
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_SIGNAL_H */
