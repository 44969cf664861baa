/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-fabric-helper.h"

#include "ns3/abort.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

CircuitFabricHelper::CircuitFabricHelper(const std::string& channelType,
                                         const std::string& allocatorType,
                                         DataRate bandwidth)
    : FabricHelper(channelType, bandwidth),
      m_wavelengthRate("25Gbps")
{
    m_controllerFactory.SetTypeId("ns3::lightpath::CircuitController");
    m_allocatorFactory.SetTypeId(allocatorType);
}

void
CircuitFabricHelper::SetWavelengthRate(DataRate rate)
{
    m_wavelengthRate = rate;
}

DataRate
CircuitFabricHelper::GetWavelengthRate() const
{
    return m_wavelengthRate;
}

void
CircuitFabricHelper::SetControllerAttribute(const std::string& name, const AttributeValue& value)
{
    m_controllerFactory.Set(name, value);
}

void
CircuitFabricHelper::SetAllocator(const std::string& type)
{
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type, &tid) || !tid.HasConstructor() ||
        !tid.IsChildOf(CircuitAllocator::GetTypeId()))
    {
        throw std::invalid_argument("There is no circuit allocator '" + type +
                                    "': name the type of one, like "
                                    "ns3::lightpath::RingMaxMinAllocator");
    }
    m_allocatorFactory = ObjectFactory();
    m_allocatorFactory.SetTypeId(tid);
}

void
CircuitFabricHelper::SetAllocatorAttribute(const std::string& name, const AttributeValue& value)
{
    m_allocatorFactory.Set(name, value);
}

void
CircuitFabricHelper::CheckMultiple(uint64_t step, const std::string& parts) const
{
    const uint64_t rate = GetBandwidth().GetBitRate();
    if (step == 0 || rate == 0 || rate % step != 0)
    {
        std::ostringstream sentence;
        sentence << "A bandwidth of " << rate / 1e9 << " Gb/s cannot be made up of " << parts
                 << ": it must be a multiple of " << step / 1e9 << " Gb/s";
        throw std::invalid_argument(sentence.str());
    }
}

Ptr<CircuitAllocator>
CircuitFabricHelper::CreateAllocator(uint32_t nNodes) const
{
    const auto allocator = m_allocatorFactory.Create<CircuitAllocator>();
    ConfigureAllocator(allocator, nNodes);
    return allocator;
}

FabricLimits
CircuitFabricHelper::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits;
    limits.bitRate = GetBandwidth().GetBitRate();
    limits.degree = GetDegree();
    limits.circuits = GetNCircuits();
    if (nNodes > 1)
    {
        limits.allocators.push_back(CreateAllocator(nNodes));
    }
    return limits;
}

Ptr<CircuitController>
CircuitFabricHelper::CreateController(const NetDeviceContainer& devices) const
{
    const auto channel = DynamicCast<OpticalChannel>(GetChannel(devices));
    NS_ABORT_MSG_UNLESS(channel, "The devices are not attached to a fabric of circuits");
    const auto controller = m_controllerFactory.Create<CircuitController>();
    controller->SetChannel(channel);
    const auto allocator = CreateAllocator(devices.GetN());
    Follow(allocator, channel);
    controller->SetAllocator(allocator);
    return controller;
}

} // namespace lightpath
} // namespace ns3
