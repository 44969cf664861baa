/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "opt-inc-helper.h"

#include "model/collective/block-quantiser.h"
#include "model/photonics/network/network-averager.h"
#include "model/photonics/network/table-averager.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fibre-delay.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/word-averager.h"

#include <cmath>
#include <map>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most words of a TableAverager.
constexpr double MOST_WORDS = 1 << 26;

/// A kind of averager.
struct Kind
{
    bool isNetwork{false}; //!< It is an optical neural network
    bool isTrained{false}; //!< Whose weights are trained
    bool onMesh{false};    //!< And made by meshes
};

/**
 * @return the kinds of averager by name
 */
const std::map<std::string, Kind>&
GetKinds()
{
    static const std::map<std::string, Kind> kinds = {{"constructive", {true, false, false}},
                                                      {"exact", {false, false, false}},
                                                      {"mesh", {true, true, true}},
                                                      {"trained", {true, true, false}}};
    return kinds;
}

} // namespace

OptIncHelper::OptIncHelper()
    : FabricHelper("ns3::lightpath::InNetworkChannel", DataRate("800Gbps"))
{
    m_networkFactory.SetTypeId("ns3::lightpath::NetworkAverager");
}

OptIncHelper::~OptIncHelper()
{
}

std::vector<std::string>
OptIncHelper::GetAveragers()
{
    std::vector<std::string> names;
    for (const auto& kind : GetKinds())
    {
        names.push_back(kind.first);
    }
    return names;
}

void
OptIncHelper::SetBits(uint32_t bits)
{
    if (bits < 2 || bits > 16 || bits % 2 != 0)
    {
        throw std::invalid_argument("A word cannot have " + std::to_string(bits) +
                                    " bits: it has an even number of them, from 2 to 16");
    }
    UintegerValue transceivers;
    GetChannelAttribute("Transceivers", transceivers);
    if (transceivers.Get() % (bits / 2) != 0)
    {
        throw std::invalid_argument("Words of " + std::to_string(bits) + " bits are sent by " +
                                    std::to_string(bits / 2) +
                                    " transceivers at a time: the number of those of a server, " +
                                    std::to_string(transceivers.Get()) + ", is no multiple of it");
    }
    m_bits = bits;
}

void
OptIncHelper::SetBlockSize(uint32_t size)
{
    if (size == 0)
    {
        throw std::invalid_argument("A block of gradients that share a scale has at least 1, not "
                                    "0");
    }
    m_blockSize = size;
}

void
OptIncHelper::SetAverager(const std::string& name)
{
    if (GetKinds().count(name) == 0)
    {
        std::string known;
        for (const auto& kind : GetAveragers())
        {
            known += (known.empty() ? "" : ", ") + kind;
        }
        throw std::invalid_argument("There is no averager '" + name + "': the known ones are " +
                                    known);
    }
    m_averager = name;
}

void
OptIncHelper::SetNetworkAttribute(const std::string& name, const AttributeValue& value)
{
    m_networkFactory.Set(name, value);
}

OptIncHelper::Cascade
OptIncHelper::GetCascade(const std::string& name)
{
    static const std::map<std::string, Cascade> cascades = {{"none", Cascade::NONE},
                                                            {"naive", Cascade::NAIVE},
                                                            {"fraction", Cascade::FRACTION}};
    const auto found = cascades.find(name);
    if (found == cascades.end())
    {
        throw std::invalid_argument("There is no cascade '" + name +
                                    "': known are none, naive and fraction");
    }
    return found->second;
}

void
OptIncHelper::SetCascade(Cascade cascade, uint32_t groupSize)
{
    if (groupSize == 0)
    {
        throw std::invalid_argument(
            "A group of the first level of a cascade has at least 1 server, "
            "not 0");
    }
    m_cascade = cascade;
    m_groupSize = groupSize;
}

Ptr<WordAverager>
OptIncHelper::MakeSingle(uint32_t nInputs) const
{
    const Kind& kind = GetKinds().at(m_averager);
    ObjectFactory factory = kind.isNetwork ? m_networkFactory : ObjectFactory();
    if (!kind.isNetwork)
    {
        factory.SetTypeId("ns3::lightpath::ExactAverager");
    }
    factory.Set("Servers", UintegerValue(nInputs));
    factory.Set("Bits", UintegerValue(m_bits));
    if (kind.isNetwork)
    {
        factory.Set(
            "Kind",
            EnumValue(kind.isTrained ? NetworkAverager::TRAINED : NetworkAverager::CONSTRUCTIVE));
        factory.Set("OnMesh", BooleanValue(kind.onMesh));
    }
    const auto averager = factory.Create<WordAverager>();
    // Refuses, before anything is simulated, weights that are for other words
    averager->GetDelay();
    if (kind.isNetwork && averager->IsDeterministic() &&
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
    if (m_cascade == Cascade::NONE)
    {
        return MakeSingle(nServers);
    }
    if (nServers % m_groupSize != 0)
    {
        throw std::invalid_argument("A cascade of groups of " + std::to_string(m_groupSize) +
                                    " servers cannot be for " + std::to_string(nServers) +
                                    " servers: its groups are all of one size");
    }
    if (m_cascade == Cascade::FRACTION && m_averager != "exact")
    {
        throw std::invalid_argument("A cascade that carries the fraction averages exactly: the "
                                    "averager " +
                                    m_averager + " belongs to a naive one");
    }
    ObjectFactory factory("ns3::lightpath::CascadeAverager");
    factory.Set("Servers", UintegerValue(nServers));
    factory.Set("Bits", UintegerValue(m_bits));
    factory.Set("GroupSize", UintegerValue(m_groupSize));
    factory.Set("Fraction", BooleanValue(m_cascade == Cascade::FRACTION));
    if (m_cascade == Cascade::NAIVE)
    {
        factory.Set("First", PointerValue(MakeSingle(m_groupSize)));
        factory.Set("Second", PointerValue(MakeSingle(nServers / m_groupSize)));
    }
    return factory.Create<WordAverager>();
}

void
OptIncHelper::ConfigureChannel(ObjectFactory& factory) const
{
    UintegerValue transceivers;
    ReadAttribute(factory, "Transceivers", transceivers);
    const uint64_t bitRate = GetBandwidth().GetBitRate();
    if (bitRate == 0 || bitRate % transceivers.Get() != 0)
    {
        throw std::invalid_argument(
            "The bandwidth of a server of a network that averages is that of " +
            std::to_string(transceivers.Get()) + " transceivers: " + std::to_string(bitRate) +
            " bit/s cannot be shared out over them");
    }
    factory.Set("LaneRate", DataRateValue(DataRate(bitRate / transceivers.Get())));
}

void
OptIncHelper::ConfigureAttached(Ptr<FabricChannel> channel) const
{
    channel->SetAttribute("Averager", PointerValue(MakeAverager(channel->GetNDevices())));
}

Ptr<CircuitController>
OptIncHelper::CreateController(const NetDeviceContainer& devices) const
{
    return nullptr;
}

FabricLimits
OptIncHelper::GetLimits(uint32_t nNodes) const
{
    TimeValue signalling;
    DoubleValue metres;
    GetChannelAttribute("SignallingDelay", signalling);
    GetChannelAttribute("FibreLength", metres);
    const auto quantiser = CreateObject<BlockQuantiser>();
    quantiser->SetAttribute("Bits", UintegerValue(m_bits));
    quantiser->SetAttribute("BlockSize", UintegerValue(m_blockSize));
    FabricLimits limits;
    limits.bitRate = GetBandwidth().GetBitRate();
    limits.isShared = true;
    limits.latency =
        (2 * (signalling.Get() + GetFibreDelay(metres.Get())) + MakeAverager(nNodes)->GetDelay())
            .GetSeconds();
    // A rank stands for the network in what it sends to itself, as to another one of its server
    limits.serverBitRate = limits.bitRate;
    limits.serverLatency = limits.latency;
    limits.averagedBits = quantiser->GetBitsOfNumber();
    return limits;
}

} // namespace lightpath
} // namespace ns3
