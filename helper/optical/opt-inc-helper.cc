/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "opt-inc-helper.h"

#include "model/base/count-noun.h"
#include "model/photonics/averager-link.h"
#include "model/photonics/network/network-averager.h"
#include "model/photonics/network/table-averager.h"
#include "refusal.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fibre-delay.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/word-averager.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The largest number of words of a TableAverager.
constexpr double MOST_WORDS = 1 << 26;

constexpr const char* NO_CASCADE = "none";   //!< One averager for all servers
constexpr const char* NAIVE = "naive";       //!< Two levels, each of which rounds
constexpr const char* FRACTION = "fraction"; //!< Two levels; the first passes its remainder on

} // namespace

OptIncHelper::OptIncHelper()
    : FabricHelper("ns3::lightpath::InNetworkChannel", DataRate(0))
{
    SetBandwidth(DataRate(GetCountSetting("Transceivers") *
                          GetSetting<DataRateValue>("LaneRate").GetBitRate()));
    m_networkFactory.SetTypeId("ns3::lightpath::NetworkAverager");
}

void
OptIncHelper::SetBits(uint32_t bits)
{
    m_bits = bits;
}

void
OptIncHelper::SetBlockSize(uint32_t size)
{
    m_blockSize = size;
}

void
OptIncHelper::SetAverager(const std::string& name)
{
    m_averager = name;
}

void
OptIncHelper::SetNetworkAttribute(const std::string& name, const AttributeValue& value)
{
    m_networkFactory.Set(name, value);
}

void
OptIncHelper::SetCascade(const std::string& name, uint32_t groupSize)
{
    m_cascade = name;
    m_groupSize = groupSize;
}

std::string
OptIncHelper::CheckWords() const
{
    if (m_bits < 2 || m_bits > 16 || m_bits % 2 != 0)
    {
        return "A word cannot have " + std::to_string(m_bits) +
               " bits: it has an even number of them, from 2 to 16";
    }
    const uint32_t transceivers = GetTransceivers();
    if (transceivers % (m_bits / 2) != 0)
    {
        return "Words of " + std::to_string(m_bits) + " bits are sent by " +
               std::to_string(m_bits / 2) + " transceivers at a time: the " +
               std::to_string(transceivers) + " transceivers of a server are no multiple of it";
    }
    if (m_blockSize == 0)
    {
        return "A block of gradients that share a scale has at least 1, not 0";
    }
    const uint64_t bitRate = GetBandwidth().GetBitRate();
    if (bitRate == 0 || bitRate % transceivers != 0)
    {
        return "The bandwidth of a server of a network that averages is that of " +
               std::to_string(transceivers) + " transceivers: " + std::to_string(bitRate) +
               " bit/s cannot be shared out over them";
    }
    return "";
}

std::string
OptIncHelper::Check(uint32_t nNodes) const
{
    const std::vector<std::string> averagers = {"constructive",
                                                "exact",
                                                "mesh",
                                                "optical",
                                                "trained"};
    const std::vector<std::string> cascades = {NAIVE, FRACTION, NO_CASCADE};
    for (const std::string& refusal : {CheckKnown("averager", m_averager, averagers),
                                       CheckKnown("cascade", m_cascade, cascades),
                                       CheckWords()})
    {
        if (!refusal.empty())
        {
            return refusal;
        }
    }
    if (nNodes > WordAverager::MOST_SERVERS)
    {
        return "A network averages the words of at most " +
               std::to_string(WordAverager::MOST_SERVERS) + " servers, not of " +
               std::to_string(nNodes);
    }
    if (m_cascade != NO_CASCADE && (m_groupSize == 0 || nNodes % m_groupSize != 0))
    {
        return "A cascade of groups of " + std::to_string(m_groupSize) + " servers cannot be for " +
               std::to_string(nNodes) + " servers: its groups are all of one size";
    }
    if (m_cascade == FRACTION && m_averager != "exact")
    {
        return "A cascade that carries the fraction averages exactly: the averager " + m_averager +
               " belongs to a naive one";
    }
    if (GetPhysicalLayer() == PhotonicChannel::BUDGET)
    {
        const auto fault = DescribeLight(nNodes).fault;
        const std::string refusal = fault ? fault->sentence : "";
        if (!refusal.empty())
        {
            return refusal;
        }
    }
    if (GetPhysicalLayer() == PhotonicChannel::ERRORS && m_averager != "exact" &&
        m_averager != "optical")
    {
        return "There are no errors of light for the averager " + m_averager +
               ": take the averager exact, or another PhysicalLayer";
    }
    // To draw imperfections here would change those of the averager that is installed
    ObjectFactory ideal = m_networkFactory;
    ideal.Set("Imperfections", PointerValue());
    return GetRefusal([&] { MakeAverager(nNodes, ideal); });
}

Ptr<NetworkAverager>
OptIncHelper::MakeNetwork(uint32_t nInputs, ObjectFactory factory, bool onMesh) const
{
    const bool isTrained = m_averager == "mesh" || m_averager == "trained";
    factory.Set("Servers", UintegerValue(nInputs));
    factory.Set("Bits", UintegerValue(m_bits));
    factory.Set("Kind",
                EnumValue(isTrained ? NetworkAverager::TRAINED : NetworkAverager::CONSTRUCTIVE));
    factory.Set("OnMesh", BooleanValue(onMesh));
    return factory.Create<NetworkAverager>();
}

Ptr<NetworkAverager>
OptIncHelper::MakeIdealNetwork(uint32_t nInputs) const
{
    ObjectFactory ideal = m_networkFactory;
    ideal.Set("Imperfections", PointerValue());
    return MakeNetwork(nInputs, ideal, true);
}

uint32_t
OptIncHelper::GetGroupSize() const
{
    return m_cascade == NO_CASCADE ? 0 : m_groupSize;
}

Ptr<WordAverager>
OptIncHelper::MakeSingle(uint32_t nInputs, const ObjectFactory& networks) const
{
    const bool hasErrors = GetPhysicalLayer() == PhotonicChannel::ERRORS;
    const bool isOptical = m_averager == "optical" || (m_averager == "exact" && hasErrors);
    const bool isNetwork = m_averager != "exact" && m_averager != "optical";
    Ptr<WordAverager> averager;
    if (isNetwork)
    {
        averager = MakeNetwork(nInputs, networks, m_averager == "mesh");
    }
    else
    {
        ObjectFactory factory(isOptical ? "ns3::lightpath::OpticalAverager"
                                        : "ns3::lightpath::ExactAverager");
        factory.Set("Servers", UintegerValue(nInputs));
        factory.Set("Bits", UintegerValue(m_bits));
        averager = factory.Create<WordAverager>();
    }
    // Refuses, before anything is simulated, weights that are for other words
    averager->GetDelay();
    if (isNetwork && averager->IsDeterministic() &&
        std::pow(3.0 * nInputs + 1, m_bits / 2) <= MOST_WORDS)
    {
        const auto table = CreateObject<TableAverager>();
        table->SetAverager(averager);
        return table;
    }
    return averager;
}

Ptr<WordAverager>
OptIncHelper::MakeAverager(uint32_t nServers) const
{
    RequireValid(nServers);
    return MakeAverager(nServers, m_networkFactory);
}

Ptr<WordAverager>
OptIncHelper::MakeAverager(uint32_t nServers, const ObjectFactory& networks) const
{
    if (m_cascade == NO_CASCADE)
    {
        return MakeSingle(nServers, networks);
    }
    ObjectFactory factory("ns3::lightpath::CascadeAverager");
    factory.Set("Servers", UintegerValue(nServers));
    factory.Set("Bits", UintegerValue(m_bits));
    factory.Set("GroupSize", UintegerValue(m_groupSize));
    factory.Set("Fraction", BooleanValue(m_cascade == FRACTION));
    if (m_cascade == NAIVE)
    {
        factory.Set("First", PointerValue(MakeSingle(m_groupSize, networks)));
        factory.Set("Second", PointerValue(MakeSingle(nServers / m_groupSize, networks)));
    }
    return factory.Create<WordAverager>();
}

std::vector<FabricHelper::DerivedAttribute>
OptIncHelper::GetDerived() const
{
    const uint64_t bitRate = GetBandwidth().GetBitRate();
    return {{"Transceivers", "", ns3::Create<UintegerValue>(GetTransceivers())},
            {"LaneRate",
             "the bandwidth of a node and Transceivers",
             ns3::Create<DataRateValue>(DataRate(bitRate / GetTransceivers()))},
            {"Averager", "SetAverager(), SetBits() and SetCascade()", ns3::Create<PointerValue>()}};
}

void
OptIncHelper::ConfigureAttached(Ptr<FabricChannel> channel) const
{
    channel->SetAttribute("Averager", PointerValue(MakeAverager(channel->GetNDevices())));
    if (GetPhysicalLayer() != PhotonicChannel::NONE)
    {
        DynamicCast<PhotonicChannel>(channel)->SetLightReport(DescribeLight(
            std::max<uint32_t>(GetCountSetting("LightPorts"), channel->GetNDevices())));
    }
}

PhotonicChannel::PhysicalLayer
OptIncHelper::GetPhysicalLayer() const
{
    EnumValue layer(PhotonicChannel::NONE);
    GetSetting("PhysicalLayer", layer);
    return static_cast<PhotonicChannel::PhysicalLayer>(layer.Get());
}

uint32_t
OptIncHelper::GetTransceivers() const
{
    const uint32_t usual = GetCountSetting("Transceivers");
    if (HasSetting("Transceivers") || GetPhysicalLayer() == PhotonicChannel::NONE)
    {
        return usual;
    }
    // A digit of an average has two bits
    const uint64_t takes = 2 * CreateObject<OpticalLink>()->GetRate().GetBitRate();
    const uint64_t bitRate = GetBandwidth().GetBitRate();
    constexpr uint32_t most = 4096;
    for (uint32_t transceivers = usual; transceivers <= most; transceivers += usual)
    {
        if (bitRate <= transceivers * takes && bitRate % transceivers == 0)
        {
            return transceivers;
        }
    }
    return usual;
}

LightReport
OptIncHelper::DescribeLight(uint32_t nServers) const
{
    const auto link = CreateObject<AveragerLink>();
    const bool isCascade = m_cascade != NO_CASCADE;
    const uint32_t groups = isCascade ? nServers / m_groupSize : 1;
    const uint32_t inputs = isCascade ? std::max(m_groupSize, groups) : nServers;
    LightReport report;
    report.hops = 1;
    report.averageErrorRate = isCascade ? link->GetWordErrorRate(m_groupSize, m_bits) +
                                              link->GetWordErrorRate(groups, m_bits)
                                        : link->GetWordErrorRate(nServers, m_bits);
    const uint32_t most = link->GetMostServers(m_bits);
    // A digit of an average has two bits
    const uint64_t takes = 2 * CreateObject<OpticalLink>()->GetRate().GetBitRate();
    const uint64_t rate = GetBandwidth().GetBitRate() / GetTransceivers();
    std::ostringstream sentence;
    if (rate > takes)
    {
        sentence << "A wavelength carries " << rate / 1e9 << " Gb/s, but a receiver takes "
                 << takes / 1e9 << " Gb/s";
        report.fault = {"receiver rate",
                        sentence.str(),
                        CountNoun(GetTransceivers() * ((rate + takes - 1) / takes), "transceiver")};
    }
    else if (inputs > most)
    {
        sentence << "Light lets " << most << " words be averaged at a time, not " << inputs
                 << ": a share of " << std::setprecision(2) << *report.averageErrorRate
                 << " of the averages is wrong";
        report.fault = {"wrong averages",
                        sentence.str(),
                        "at most " + std::to_string(most) +
                            " GPUs, or a cascade of groups of them"};
    }
    return report;
}

} // namespace lightpath
} // namespace ns3
