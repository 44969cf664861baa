/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-link.h"

#include "microring-filter.h"
#include "model/base/lightpath-compatibility.h"
#include "optical-source.h"
#include "optical-switch.h"
#include "wavelength-grid.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OpticalLink);

namespace
{

/**
 * @param name its name
 * @param metres its length, m
 * @param attenuation its attenuation, dB/m
 * @return the waveguide or fibre
 */
Ptr<OpticalGuide>
MakeGuide(const std::string& name, double metres, double attenuation)
{
    return CreateObjectWithAttributes<OpticalGuide>("Name",
                                                    StringValue(name),
                                                    "Length",
                                                    DoubleValue(metres),
                                                    "Attenuation",
                                                    DoubleValue(attenuation));
}

/**
 * @param metres its length, m
 * @return a fibre
 */
Ptr<OpticalGuide>
MakeFibre(double metres)
{
    return CreateObjectWithAttributes<OpticalGuide>("Length", DoubleValue(metres));
}

/**
 * @return the waveguides of a chip: 5 mm of 1 dB/cm
 */
Ptr<OpticalGuide>
MakeWaveguide()
{
    return MakeGuide("waveguide", 5e-3, 100);
}

/**
 * @param wavelengths the wavelengths of a fibre
 * @return the light of the source behind the modulator
 */
LinkBudget
Launch(uint32_t wavelengths)
{
    const auto grid = CreateObject<WavelengthGrid>();
    LinkBudget budget(CreateObject<OpticalSource>()->Emit(grid->GetFrequency(0),
                                                          wavelengths,
                                                          grid->GetSpacing()));
    budget.Add(*CreateObject<OpticalModulator>());
    return budget;
}

} // namespace

TypeId
OpticalLink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalLink")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalLink>()
            .AddAttribute(
                "Format",
                "Modulation format: Nrz or Pam4.",
                EnumValue(OpticalReceiver::NRZ),
                MakeEnumAccessorFor<OpticalReceiver::Format>(0, &OpticalLink::m_format),
                MakeEnumChecker(OpticalReceiver::NRZ, "Nrz", OpticalReceiver::PAM4, "Pam4"))
            .AddAttribute(
                "Rate",
                "Bit rate of a wavelength, which suits the bandwidth and the noise of the "
                "receiver.",
                DataRateValue(DataRate("25Gbps")),
                MakeDataRateAccessor(&OpticalLink::m_rate),
                MakeDataRateChecker())
            .AddAttribute("Code",
                          "Forward error correction: none, kr4 or kp4.",
                          StringValue("none"),
                          MakeStringAccessor(&OpticalLink::SetCode, &OpticalLink::GetCodeName),
                          MakeStringChecker())
            .AddAttribute("ErrorRate",
                          "Wanted error rate of codewords, or of bits without a code.",
                          DoubleValue(1e-12),
                          MakeDoubleAccessor(&OpticalLink::m_errorRate),
                          MakeDoubleChecker<double>(1e-30, 0.5))
            .AddAttribute("SystemMargin",
                          "Margin for ageing in dB.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&OpticalLink::m_systemMargin),
                          MakeDoubleChecker<double>(0));
    return tid;
}

OpticalLink::OpticalLink()
    : m_code(ForwardErrorCorrection::Create("none")),
      m_receiver(CreateObject<OpticalReceiver>())
{
}

OpticalPath
OpticalLink::MakeSegment(double metres)
{
    const auto coupler = CreateObject<PassiveElement>();
    return {{MakeWaveguide(), 1}, {coupler, 1}, {MakeFibre(metres), 1}, {coupler, 1}};
}

OpticalPath
OpticalLink::MakeRingPath(uint32_t hops, uint32_t wavelengths, double metres, bool isAmplified)
{
    const auto bank =
        CreateObjectWithAttributes<MicroringBank>("Rings", UintegerValue(2 * wavelengths));
    const OpticalPath segment = MakeSegment(metres);
    OpticalPath node{{bank, 1}};
    if (isAmplified)
    {
        LinkBudget full = Launch(wavelengths);
        const double launched = full.GetLoss();
        full.Add(segment);
        const auto amplifier = CreateObject<OpticalAmplifier>();
        amplifier->Pump(bank->GetLoss() + full.GetLoss() - launched,
                        full.GetSignal().GetTotalPower());
        node.insert(node.begin(), {amplifier, 1});
    }
    OpticalPath path = segment;
    for (uint32_t passed = 1; passed < hops; ++passed)
    {
        path.insert(path.end(), node.begin(), node.end());
        path.insert(path.end(), segment.begin(), segment.end());
    }
    path.emplace_back(CreateObject<MicroringFilter>(), 1);
    return path;
}

OpticalPath
OpticalLink::MakeSwitchPath(const std::string& kind, uint32_t ports, double metres)
{
    const auto element = OpticalSwitch::Create(kind);
    const uint32_t stages = element->GetStages(ports);
    if (stages == 0)
    {
        throw std::invalid_argument(
            std::to_string(ports) + " ports need more than three stages: the largest " +
            element->GetName() + " has " + std::to_string(element->GetPorts()) + " ports");
    }
    const auto coupler = CreateObject<PassiveElement>();
    const auto fibre = MakeFibre(metres);
    return {{MakeWaveguide(), 1},
            {coupler, 1},
            {fibre, 1},
            {element, stages},
            {fibre, 1},
            {coupler, 1}};
}

LinkBudget
OpticalLink::GetBudget(const OpticalPath& path, uint32_t wavelengths) const
{
    LinkBudget budget = Launch(wavelengths);
    budget.Add(path);
    return budget;
}

double
OpticalLink::GetBitErrorRate(const OpticalSignal& signal) const
{
    return m_receiver->GetBitErrorRate(signal, m_format);
}

double
OpticalLink::GetMargin(const OpticalSignal& signal) const
{
    const double limit = m_code.GetBitErrorLimit(m_errorRate);
    return WattToDbm(signal.power) - m_receiver->GetSensitivity(limit, m_format, signal) -
           m_systemMargin;
}

DataRate
OpticalLink::GetRate() const
{
    return m_rate;
}

const ForwardErrorCorrection&
OpticalLink::GetCode() const
{
    return m_code;
}

const OpticalReceiver&
OpticalLink::GetReceiver() const
{
    return *m_receiver;
}

void
OpticalLink::SetCode(std::string name)
{
    m_code = ForwardErrorCorrection::Create(name);
}

std::string
OpticalLink::GetCodeName() const
{
    return m_code.GetName();
}

} // namespace lightpath
} // namespace ns3
