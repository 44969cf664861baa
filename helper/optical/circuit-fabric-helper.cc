/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-fabric-helper.h"

#include "model/parallel/look-ahead.h"
#include "model/parallel/process-group.h"
#include "refusal.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <sstream>

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
 * @param [out] factory the factory of objects of this type
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
    : FabricHelper(channelType, bandwidth)
{
    m_controllerFactory.SetTypeId("ns3::lightpath::CircuitController");
    m_allocatorFactory.SetTypeId(allocatorType);
}

void
CircuitFabricHelper::SetWavelengthRate(DataRate rate)
{
    SetChannelAttribute("LaneRate", DataRateValue(rate));
}

std::pair<uint32_t, std::string>
CircuitFabricHelper::GetSliceable() const
{
    return {1, "part"};
}

void
CircuitFabricHelper::KeepShare(uint32_t /* count */)
{
}

std::string
CircuitFabricHelper::CheckSlices(uint32_t slices) const
{
    const auto [count, name] = GetSliceable();
    return slices > 0 && count % slices == 0
               ? ""
               : "A fabric of " + std::to_string(count) + " " + name + " cannot be cut into " +
                     std::to_string(slices) + " equal slices: their number must divide it";
}

void
CircuitFabricHelper::SetSlices(uint32_t slices)
{
    const std::string refusal = CheckSlices(slices);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    const uint64_t rate = GetBandwidth().GetBitRate();
    KeepShare(GetSliceable().first / slices);
    SetBandwidth(DataRate(rate / slices));
}

DataRate
CircuitFabricHelper::GetWavelengthRate() const
{
    return GetSetting<DataRateValue>("LaneRate");
}

void
CircuitFabricHelper::SetControllerAttribute(const std::string& name, const AttributeValue& value)
{
    m_controllerFactory.Set(name, value);
}

void
CircuitFabricHelper::SetAllocator(const std::string& type)
{
    NS_ABORT_MSG_UNLESS(SetType(type, CircuitAllocator::GetTypeId(), m_allocatorFactory),
                        "There is no circuit allocator '"
                            << type
                            << "': name the type of one, like ns3::lightpath::RingMaxMinAllocator");
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
    NS_ABORT_MSG_UNLESS(SetType(type, CircuitScheduler::GetTypeId(), m_schedulerFactory),
                        "There is no circuit scheduler '"
                            << type
                            << "': name the type of one, like ns3::lightpath::SolsticeScheduler");
}

void
CircuitFabricHelper::SetSchedulerAttribute(const std::string& name, const AttributeValue& value)
{
    NS_ABORT_MSG_UNLESS(HasScheduler(),
                        "There is no scheduler yet that could have the attribute "
                            << name << ": choose one by SetScheduler() first");
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

std::string
CircuitFabricHelper::CheckAlgorithm(const std::string& name) const
{
    std::vector<std::string> known;
    for (const auto& algorithm : GetAlgorithms())
    {
        known.push_back(algorithm.name);
    }
    return CheckKnown("allocator", name, known, " for this fabric");
}

void
CircuitFabricHelper::SetAlgorithm(const std::string& name)
{
    const std::string refusal = CheckAlgorithm(name);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    const auto algorithms = GetAlgorithms();
    const auto chosen =
        std::find_if(algorithms.begin(), algorithms.end(), [&name](const auto& algorithm) {
            return algorithm.name == name;
        });
    if (TypeId::LookupByName(chosen->type).IsChildOf(CircuitScheduler::GetTypeId()))
    {
        SetScheduler(chosen->type);
    }
    else
    {
        SetAllocator(chosen->type);
    }
}

std::string
CircuitFabricHelper::CheckWavelengths(uint64_t wavelengths, const std::string& where) const
{
    const uint64_t rate = GetBandwidth().GetBitRate();
    const uint64_t wavelengthRate = GetWavelengthRate().GetBitRate();
    const uint64_t step = wavelengths * wavelengthRate;
    if (step > 0 && rate > 0 && rate % step == 0)
    {
        return "";
    }
    std::ostringstream sentence;
    sentence << "A bandwidth of " << rate / 1e9 << " Gb/s cannot be made up of "
             << (where.empty() ? "" : "equal numbers of ") << "wavelengths of "
             << wavelengthRate / 1e9 << " Gb/s" << where << ": it must be a multiple of "
             << step / 1e9 << " Gb/s";
    // The largest slower wavelength that suits the bandwidth
    constexpr uint64_t most = 1000;
    for (uint64_t parts = step > 0 ? rate / step + 1 : most; parts < most; ++parts)
    {
        if (rate > 0 && rate % (parts * wavelengths) == 0)
        {
            sentence << ", or a wavelength have another rate, like "
                     << rate / (parts * wavelengths) / 1e9 << " Gb/s";
            break;
        }
    }
    return sentence.str();
}

std::string
CircuitFabricHelper::CheckBandwidth() const
{
    return CheckWavelengths(1, "");
}

std::string
CircuitFabricHelper::CheckAllocator(TypeId type) const
{
    return "";
}

std::string
CircuitFabricHelper::Check(uint32_t nNodes) const
{
    std::string refusal = CheckBandwidth();
    refusal = refusal.empty() && nNodes > 1 ? CheckLight(nNodes) : refusal;
    if (!refusal.empty() || HasScheduler())
    {
        return refusal;
    }
    refusal = CheckAllocator(m_allocatorFactory.GetTypeId());
    if (!refusal.empty() || nNodes < 2)
    {
        return refusal;
    }
    return GetRefusal([&] { MakeAllocator(nNodes); });
}

std::string
CircuitFabricHelper::CheckController(uint32_t nNodes) const
{
    const std::string refusal = Check(nNodes);
    const auto controller = MakeController();
    if (refusal.empty() && controller->GetTrigger() == CircuitController::OPERATION &&
        (!CanTurn() || HasScheduler()))
    {
        return "Circuits follow operations (Trigger Operation) on circuit switches that lead one "
               "way, without a scheduler: choose another trigger for this fabric";
    }
    if (!refusal.empty() || !HasScheduler() || nNodes < 2)
    {
        return refusal;
    }
    const auto scheduler = m_schedulerFactory.Create<CircuitScheduler>();
    const std::string unprepared = TryPrepare(scheduler, nNodes);
    if (!unprepared.empty())
    {
        return unprepared;
    }
    DataRateValue laneRate;
    GetChannelAttribute("LaneRate", laneRate);
    EnumValue pause(OpticalChannel::GLOBAL_PAUSE);
    GetSetting("PauseMode", pause);
    scheduler->SetTiming(laneRate.Get(), GetReconfigurationTime());
    return scheduler->CheckTiming(pause.Get() != OpticalChannel::GLOBAL_PAUSE);
}

Ptr<CircuitAllocator>
CircuitFabricHelper::MakeAllocator(uint32_t nNodes) const
{
    const auto allocator = Complete(m_allocatorFactory.Create<CircuitAllocator>());
    ConfigureAllocator(allocator, nNodes);
    return allocator;
}

Ptr<CircuitAllocator>
CircuitFabricHelper::CreateAllocator(uint32_t nNodes) const
{
    RequireValid(nNodes);
    return MakeAllocator(nNodes);
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
    NS_ABORT_MSG_UNLESS(HasScheduler(),
                        "There is no scheduler for the fabric: choose one by SetScheduler()");
    const auto channel = GetOpticalChannel(devices);
    const auto scheduler = m_schedulerFactory.Create<CircuitScheduler>();
    const std::string refusal = TryPrepare(scheduler, devices.GetN());
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    const std::string error = GetRefusal([&] {
        ConfigureScheduler(scheduler, channel);
        scheduler->SetTiming(channel->GetLaneRate(), channel->GetReconfigurationTime());
    });
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    return scheduler;
}

std::string
CircuitFabricHelper::TryPrepare(Ptr<CircuitScheduler> scheduler, uint32_t nNodes) const
{
    std::string refusal;
    const std::string error = GetRefusal([&] { refusal = PrepareScheduler(scheduler, nNodes); });
    return error.empty() ? refusal : error;
}

Ptr<CircuitAllocator>
CircuitFabricHelper::Complete(Ptr<CircuitAllocator> allocator) const
{
    return allocator;
}

std::string
CircuitFabricHelper::PrepareScheduler(Ptr<CircuitScheduler> scheduler, uint32_t nNodes) const
{
    return "A " + scheduler->GetInstanceTypeId().GetName() +
           " does not know this fabric: schedules are for fabrics that any matching of their "
           "ports fits, like circuit switches";
}

void
CircuitFabricHelper::ConfigureScheduler(Ptr<CircuitScheduler> scheduler,
                                        Ptr<OpticalChannel> channel) const
{
}

void
CircuitFabricHelper::SetBringUp(const BringUp& steps)
{
    SetChannelAttribute("LaserTuningTime", TimeValue(steps.laserTuning));
    SetChannelAttribute("ReceiverLockTime", TimeValue(steps.receiverLock));
    SetChannelAttribute("CodeAlignmentTime", TimeValue(steps.codeAlignment));
    SetChannelAttribute("LinkTrainingTime", TimeValue(steps.linkTraining));
}

Time
CircuitFabricHelper::GetReconfigurationTime() const
{
    Time sum;
    for (const std::string step : {"SwitchingDelay",
                                   "LaserTuningTime",
                                   "ReceiverLockTime",
                                   "CodeAlignmentTime",
                                   "LinkTrainingTime"})
    {
        TimeValue time;
        GetChannelAttribute(step, time);
        sum += time.Get();
    }
    return sum;
}

Time
CircuitFabricHelper::GetLeastDelay(uint32_t nNodes) const
{
    // Less a rounding, so that nothing arrives as early as that
    return nNodes < 2 ? Time(0) : GetPathDelay() + GetSetting<TimeValue>("Delay") - TimeStep(2);
}

std::string
CircuitFabricHelper::CheckCut(uint32_t nNodes) const
{
    if (MakeController()->GetTrigger() != CircuitController::ONCE ||
        HasScheduler())
    {
        return "Circuits that follow what waits at all ports cannot be divided among processes: "
               "give --trigger=once, or run it in one process";
    }
    return GetLeastDelay(nNodes).IsStrictlyPositive()
               ? ""
               : "Circuits without a delay cannot be divided among processes: give their fibres a "
                 "length, or run it in one process";
}

NetDeviceContainer
CircuitFabricHelper::Install(const NodeContainer& nodes) const
{
    if (ProcessGroup::GetSize() > 1 && nodes.GetN() > 1)
    {
        LookAhead::Bound(GetLeastDelay(nodes.GetN()));
    }
    return FabricHelper::Install(nodes);
}

Ptr<CircuitController>
CircuitFabricHelper::MakeController() const
{
    return m_controllerFactory.Create<CircuitController>();
}

Ptr<CircuitController>
CircuitFabricHelper::CreateController(const NetDeviceContainer& devices) const
{
    const auto controller = MakeController();
    const auto channel = GetOpticalChannel(devices);
    controller->SetChannel(channel);
    if (HasScheduler())
    {
        const auto scheduler = CreateScheduler(devices);
        const std::string refusal =
            scheduler->CheckTiming(channel->GetPauseMode() != OpticalChannel::GLOBAL_PAUSE);
        NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
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
