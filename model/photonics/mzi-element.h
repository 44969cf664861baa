/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MZI_ELEMENT_H
#define MZI_ELEMENT_H

#include "mesh-imperfections.h"

#include <array>
#include <cmath>
#include <complex>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A Mach-Zehnder interferometer: a phase shifter on the upper one of two inputs, a coupler,
 * a phase shifter on the upper arm, and a coupler.
 *
 * With couplers of 45 degrees it takes the amplitudes of its inputs to those of its outputs by
 * i e^{i a / 2} [[e^{i p} sin(a / 2), cos(a / 2)], [e^{i p} cos(a / 2), -sin(a / 2)]], where a is
 * the inner phase and p the outer one.
 */
struct MziElement
{
    uint32_t mode;                 //!< The upper one of the two modes that it joins
    double inner;                  //!< The phase of the upper arm, in radians
    double outer;                  //!< The phase of the upper input, in radians
    double firstCoupler{M_PI / 4}; //!< The angle of the first coupler, in radians
    double lastCoupler{M_PI / 4};  //!< The angle of the last coupler, in radians

    /**
     * @return the matrix from the amplitudes of the inputs to those of the outputs, row by row
     */
    std::array<std::complex<double>, 4> GetMatrix() const;

    /**
     * @param imperfections the deviations of real interferometers
     * @return a copy with deviations drawn from them
     */
    MziElement Realise(const MeshImperfections& imperfections) const;

    /**
     * @brief Make an attenuator: its second input is dark, and its second output unused.
     *
     * @param factor the factor of amplitudes, from -1 to 1
     * @return the element
     */
    static MziElement MakeAttenuator(double factor);
};

} // namespace lightpath
} // namespace ns3

#endif /* MZI_ELEMENT_H */
