/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-fabric-helper.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param devices devices of a fabric
 * @return the fabric
 */
Ptr<OpticalChannel>
GetOpticalChannel(const NetDeviceContainer& devices)
{
    const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
    NS_ABORT_MSG_UNLESS(channel, "The devices are not attached to a fabric of circuits");
    return channel;
}

/**
 * @param name the name of a type
 * @param parent the type that it must derive from
 * @param [out] factory what is to make objects of this type
 * @return true if there is such a type
 */
bool
SetType(const std::string& name, TypeId parent, ObjectFactory& factory)
{
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(name, &tid) || !tid.HasConstructor() ||
        !tid.IsChildOf(parent))
    {
        return false;
    }
    factory = ObjectFactory();
    factory.SetTypeId(tid);
    return true;
}

} // namespace

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
    if (!SetType(type, CircuitAllocator::GetTypeId(), m_allocatorFactory))
    {
        throw std::invalid_argument("There is no circuit allocator '" + type +
                                    "': name the type of one, like "
                                    "ns3::lightpath::RingMaxMinAllocator");
    }
    m_schedulerFactory = ObjectFactory();
}

void
CircuitFabricHelper::SetAllocatorAttribute(const std::string& name, const AttributeValue& value)
{
    m_allocatorFactory.Set(name, value);
}

void
CircuitFabricHelper::SetScheduler(const std::string& type)
{
    if (!SetType(type, CircuitScheduler::GetTypeId(), m_schedulerFactory))
    {
        throw std::invalid_argument("There is no circuit scheduler '" + type +
                                    "': name the type of one, like "
                                    "ns3::lightpath::SolsticeScheduler");
    }
}

void
CircuitFabricHelper::SetSchedulerAttribute(const std::string& name, const AttributeValue& value)
{
    if (!HasScheduler())
    {
        throw std::invalid_argument("There is no scheduler yet that the attribute " + name +
                                    " could be of: choose it by SetScheduler() first");
    }
    m_schedulerFactory.Set(name, value);
}

bool
CircuitFabricHelper::HasScheduler() const
{
    return m_schedulerFactory.IsTypeIdSet();
}

std::vector<CircuitAlgorithm>
CircuitFabricHelper::GetAlgorithms() const
{
    return {};
}

void
CircuitFabricHelper::SetAlgorithm(const std::string& name)
{
    std::string known;
    for (const auto& algorithm : GetAlgorithms())
    {
        if (algorithm.name != name)
        {
            known += (known.empty() ? "" : ", ") + algorithm.name;
            continue;
        }
        TypeId tid;
        const bool isScheduler = TypeId::LookupByNameFailSafe(algorithm.type, &tid) &&
                                 tid.IsChildOf(CircuitScheduler::GetTypeId());
        if (isScheduler)
        {
            SetScheduler(algorithm.type);
        }
        else
        {
            SetAllocator(algorithm.type);
        }
        return;
    }
    throw std::invalid_argument("There is no allocator '" + name +
                                "' for this fabric: the known ones are " + known);
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
    const auto allocator = Complete(m_allocatorFactory.Create<CircuitAllocator>());
    ConfigureAllocator(allocator, nNodes);
    return allocator;
}

Ptr<CircuitAllocator>
CircuitFabricHelper::CreateAllocator(const NetDeviceContainer& devices) const
{
    const auto allocator = CreateAllocator(devices.GetN());
    Follow(allocator, GetOpticalChannel(devices));
    return allocator;
}

Ptr<CircuitScheduler>
CircuitFabricHelper::CreateScheduler(const NetDeviceContainer& devices) const
{
    if (!HasScheduler())
    {
        throw std::invalid_argument("There is no scheduler for the fabric: choose one by "
                                    "SetScheduler()");
    }
    const auto channel = GetOpticalChannel(devices);
    const auto scheduler = m_schedulerFactory.Create<CircuitScheduler>();
    ConfigureScheduler(scheduler, channel);
    TimeValue delay;
    channel->GetAttribute("SwitchingDelay", delay);
    scheduler->SetTiming(channel->GetLaneRate(), delay.Get());
    return scheduler;
}

Ptr<CircuitAllocator>
CircuitFabricHelper::Complete(Ptr<CircuitAllocator> allocator) const
{
    return allocator;
}

void
CircuitFabricHelper::ConfigureScheduler(Ptr<CircuitScheduler> scheduler,
                                        Ptr<OpticalChannel> channel) const
{
    throw std::invalid_argument("A " + scheduler->GetInstanceTypeId().GetName() +
                                " does not know this fabric: schedules are for fabrics that any "
                                "matching of their ports fits, like circuit switches");
}

FabricLimits
CircuitFabricHelper::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits;
    limits.bitRate = GetBandwidth().GetBitRate();
    limits.degree = GetDegree();
    limits.circuits = GetNCircuits();
    DataRateValue laneRate;
    GetChannelAttribute("LaneRate", laneRate);
    limits.laneRate = static_cast<double>(laneRate.Get().GetBitRate());
    TimeValue delay;
    GetChannelAttribute("SwitchingDelay", delay);
    limits.switchingSeconds = delay.Get().GetSeconds();
    ConfigurePaths(limits, nNodes);
    GetChannelAttribute("Delay", delay);
    const double beyond = delay.Get().GetSeconds();
    limits.latency += beyond;
    if (limits.pathLatency && beyond > 0)
    {
        limits.pathLatency = [ofPath = limits.pathLatency, beyond](uint32_t source,
                                                                   uint32_t destination,
                                                                   const std::vector<Lane>& lanes) {
            return ofPath(source, destination, lanes) + beyond;
        };
    }
    const auto controller = m_controllerFactory.Create<CircuitController>();
    limits.canSwitch = controller->GetTrigger() == CircuitController::ONCE && !HasScheduler();
    limits.phaseCircuits = controller->GetTrigger() == CircuitController::PHASE &&
                           controller->GetDemandSource() == CircuitController::PHASE_DEMAND &&
                           !HasScheduler();
    // What one slot of a schedule does not serve, another does
    if (nNodes > 1 && !HasScheduler())
    {
        limits.allocators.push_back(CreateAllocator(nNodes));
    }
    return limits;
}

Ptr<CircuitController>
CircuitFabricHelper::CreateController(const NetDeviceContainer& devices) const
{
    const auto controller = m_controllerFactory.Create<CircuitController>();
    const auto channel = GetOpticalChannel(devices);
    controller->SetChannel(channel);
    if (HasScheduler())
    {
        const auto scheduler = CreateScheduler(devices);
        if (scheduler->NeedsPartialPause() &&
            controller->GetChannel()->GetPauseMode() == OpticalChannel::GLOBAL_PAUSE)
        {
            throw std::invalid_argument(
                "A " + m_schedulerFactory.GetTypeId().GetName() +
                " whose rotors turn one after the other needs the PauseMode Partial, as "
                "otherwise all go dark whenever one turns; or set Stagger to false");
        }
        controller->SetScheduler(scheduler);
    }
    else
    {
        controller->SetAllocator(CreateAllocator(devices));
    }
    if (!channel->GetObject<CircuitController>())
    {
        channel->AggregateObject(controller);
    }
    return controller;
}

} // namespace lightpath
} // namespace ns3
