/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mesh-imperfections.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(MeshImperfections);

MeshImperfections::MeshImperfections()
    : m_phase(CreateObject<NormalRandomVariable>()),
      m_coupler(CreateObject<NormalRandomVariable>()),
      m_noise(CreateObject<NormalRandomVariable>())
{
}

TypeId
MeshImperfections::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::MeshImperfections")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<MeshImperfections>()
            .AddAttribute("PhaseNoiseRad",
                          "The standard deviation of the phase of a shifter, in radians.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MeshImperfections::m_phaseNoise),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("PhaseBits",
                          "The bits that set the phase of a shifter, from 0 to 2 pi; 0 for any "
                          "phase.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MeshImperfections::m_phaseBits),
                          MakeUintegerChecker<uint32_t>(0, 52))
            .AddAttribute("CouplerErrorRad",
                          "The standard deviation of the angle of a coupler, in radians.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MeshImperfections::m_couplerError),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("MziLossDb",
                          "The loss of an interferometer, in decibels.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&MeshImperfections::m_mziLossDb),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("BalancedLoss",
                          "Whether a mode without an interferometer in a column loses as much.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MeshImperfections::m_balancedLoss),
                          MakeBooleanChecker())
            .AddAttribute("DetectorNoise",
                          "The standard deviation of an output of the network, in levels.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MeshImperfections::m_detectorNoise),
                          MakeDoubleChecker<double>(0));
    return tid;
}

void
MeshImperfections::DoDispose()
{
    m_phase = nullptr;
    m_coupler = nullptr;
    m_noise = nullptr;
    Object::DoDispose();
}

double
MeshImperfections::DrawPhase(double phase) const
{
    if (m_phaseBits > 0)
    {
        // Round to the nearest phase that the bits can express
        const double unit = std::ldexp(2 * M_PI, -static_cast<int>(m_phaseBits));
        phase = unit * std::round(phase / unit);
    }
    return m_phaseNoise > 0 ? phase + m_phaseNoise * m_phase->GetValue() : phase;
}

double
MeshImperfections::DrawCoupler() const
{
    return m_couplerError > 0 ? M_PI / 4 + m_couplerError * m_coupler->GetValue() : M_PI / 4;
}

double
MeshImperfections::DrawDetectorNoise() const
{
    return m_detectorNoise * m_noise->GetValue();
}

bool
MeshImperfections::HasDetectorNoise() const
{
    return m_detectorNoise > 0;
}

double
MeshImperfections::GetMziLossDb() const
{
    return m_mziLossDb;
}

double
MeshImperfections::GetRelativeAmplitude() const
{
    return m_balancedLoss ? 1 : std::pow(10, -m_mziLossDb / 20);
}

int64_t
MeshImperfections::AssignStreams(int64_t stream)
{
    m_phase->SetStream(stream);
    m_coupler->SetStream(stream + 1);
    m_noise->SetStream(stream + 2);
    return 3;
}

} // namespace lightpath
} // namespace ns3
