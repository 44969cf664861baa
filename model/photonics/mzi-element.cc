/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mzi-element.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

std::array<std::complex<double>, 4>
MziElement::GetMatrix() const
{
    constexpr std::complex<double> i(0, 1);
    const std::complex<double> arm = std::polar(1.0, inner);
    const std::complex<double> input = std::polar(1.0, outer);
    const double c = std::cos(firstCoupler);
    const double s = std::sin(firstCoupler);
    const double d = std::cos(lastCoupler);
    const double t = std::sin(lastCoupler);
    // Last coupler * inner shifter * first coupler * outer shifter
    return {input * (d * c * arm - t * s),
            i * (d * s * arm + t * c),
            input * i * (t * c * arm + d * s),
            d * c - t * s * arm};
}

MziElement
MziElement::Realise(const MeshImperfections& imperfections) const
{
    MziElement real = *this;
    real.inner = imperfections.DrawPhase(inner);
    real.outer = imperfections.DrawPhase(outer);
    real.firstCoupler = imperfections.DrawCoupler();
    real.lastCoupler = imperfections.DrawCoupler();
    return real;
}

MziElement
MziElement::MakeAttenuator(double factor)
{
    MziElement element{0, 2 * std::asin(std::min(std::abs(factor), 1.0)), 0};
    // The outer phase cancels the common factor i e^{i a / 2} and sets the sign
    element.outer = (factor < 0 ? M_PI / 2 : -M_PI / 2) - element.inner / 2;
    return element;
}

} // namespace lightpath
} // namespace ns3
