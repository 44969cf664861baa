/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-helper.h"

#include "fabric-table.h"
#include "refusal.h"

#include "ns3/abort.h"
#include "ns3/config.h"
#include "ns3/enum.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-interface-container.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/neighbor-cache-helper.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("FabricHelper");

namespace
{

/**
 * Find the IP interfaces of all devices on a fabric.
 *
 * @tparam Ip the IP stack
 * @tparam Container a container of its interfaces
 * @param channel the fabric
 * @return the interfaces; none unless each node has the stack
 */
template <typename Ip, typename Container>
Container
GetInterfaces(Ptr<FabricChannel> channel)
{
    Container interfaces;
    for (std::size_t port = 0; port < channel->GetNDevices(); ++port)
    {
        const auto device = channel->GetDevice(port);
        const auto ip = device->GetNode()->GetObject<Ip>();
        if (!ip)
        {
            return Container();
        }
        const int32_t interface = ip->GetInterfaceForDevice(device);
        if (interface >= 0)
        {
            interfaces.Add(ip, interface);
        }
    }
    return interfaces;
}

/**
 * Fill the neighbour cache of one of several interfaces.
 *
 * @tparam Container a container of interfaces
 * @param interfaces the interfaces of a fabric, by port; none, or one of each port
 * @param port a port
 */
template <typename Container>
void
FillNeighborCache(const Container& interfaces, uint32_t port)
{
    const NeighborCacheHelper caches;
    for (uint32_t other = 0; other < interfaces.GetN(); ++other)
    {
        if (other != port && port < interfaces.GetN())
        {
            Container pair;
            pair.Add(interfaces.Get(port).first, interfaces.Get(port).second);
            pair.Add(interfaces.Get(other).first, interfaces.Get(other).second);
            caches.PopulateNeighborCache(pair);
        }
    }
}

/**
 * Fill the neighbour caches of the IP stacks on a fabric.
 *
 * @param channel the fabric
 */
void
FillNeighborCaches(Ptr<FabricChannel> channel)
{
    const NeighborCacheHelper caches;
    caches.PopulateNeighborCache(GetInterfaces<Ipv4, Ipv4InterfaceContainer>(channel));
    caches.PopulateNeighborCache(GetInterfaces<Ipv6, Ipv6InterfaceContainer>(channel));
}

/**
 * Fill the neighbour caches again that change of link has emptied.
 *
 * @param channel the fabric, which keeps this connected to its trace
 * @param ports the ports whose link has changed
 */
void
RefillNeighborCaches(FabricChannel* channel, const std::vector<uint32_t>& ports)
{
    if (2 * ports.size() > channel->GetNDevices())
    {
        FillNeighborCaches(channel);
        return;
    }
    const auto ipv4 = GetInterfaces<Ipv4, Ipv4InterfaceContainer>(channel);
    const auto ipv6 = GetInterfaces<Ipv6, Ipv6InterfaceContainer>(channel);
    for (const uint32_t port : ports)
    {
        FillNeighborCache(ipv4, port);
        FillNeighborCache(ipv6, port);
    }
}

} // namespace

std::vector<std::string>
FabricHelper::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : GetFabricTable())
    {
        if (entry.isFabric)
        {
            names.push_back(entry.name);
        }
    }
    return names;
}

std::string
FabricHelper::CheckName(const std::string& name)
{
    return CheckKnown("fabric", name, GetNames());
}

std::unique_ptr<FabricHelper>
FabricHelper::Create(const std::string& name)
{
    const std::string refusal = CheckName(name);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    return std::unique_ptr<FabricHelper>(
        dynamic_cast<FabricHelper*>(InterconnectHelper::Create(name).release()));
}

FabricHelper::FabricHelper(const std::string& channelType, DataRate bandwidth)
    : InterconnectHelper(bandwidth),
      m_channelType(TypeId::LookupByName(channelType))
{
    m_deviceFactory.SetTypeId("ns3::lightpath::OpticalNetDevice");
    m_queueFactory.SetTypeId("ns3::lightpath::VirtualOutputQueue");
}

std::string
FabricHelper::Check(uint32_t nNodes) const
{
    return "";
}

void
FabricHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    NS_ABORT_MSG_IF(name == "Address",
                    "Each device of a fabric has an Address of its own: set it on the devices that "
                    "Install() returns");
    NS_ABORT_MSG_IF(name == "TxQueue",
                    "Each device of a fabric has a TxQueue of its own: set its attributes by "
                    "SetQueueAttribute()");
    if (!TakeDataRate(name, value))
    {
        m_deviceFactory.Set(name, value);
    }
}

void
FabricHelper::SetMessageDelay(Time delay)
{
    SetChannelAttribute("Delay", TimeValue(delay));
}

bool
FabricHelper::TakeDataRate(const std::string& name, const AttributeValue& value)
{
    if (name != "DataRate")
    {
        return false;
    }
    const auto rate = MakeDataRateChecker()->CreateValidValue(value);
    NS_ABORT_MSG_UNLESS(rate, "The DataRate of a fabric must be a rate, like 100Gbps");
    SetBandwidth(DynamicCast<const DataRateValue>(rate)->Get());
    return true;
}

TypeId::AttributeInformation
FabricHelper::FindChannelAttribute(const std::string& name) const
{
    TypeId::AttributeInformation attribute;
    const bool isKnown = m_channelType.LookupAttributeByName(name, &attribute);
    NS_ABORT_MSG_UNLESS(isKnown, "A " << m_channelType << " has no attribute " << name);
    return attribute;
}

void
FabricHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    if (TakeDataRate(name, value))
    {
        return;
    }
    const auto attribute = FindChannelAttribute(name);
    for (const auto& derived : GetDerived())
    {
        NS_ABORT_MSG_IF(derived.name == name && !derived.origin.empty(),
                        "The attribute " << name << " of a " << m_channelType << " follows from "
                                         << derived.origin << ": set that instead");
    }
    const Ptr<AttributeValue> valid = attribute.checker->CreateValidValue(value);
    NS_ABORT_MSG_UNLESS(valid,
                        "The attribute " << name << " of a " << m_channelType
                                         << " cannot have this value: it must be a "
                                         << attribute.checker->GetValueTypeName() << " of "
                                         << attribute.checker->GetUnderlyingTypeInformation());
    m_settings[name] = valid;
}

void
FabricHelper::GetChannelAttribute(const std::string& name, AttributeValue& value) const
{
    for (const auto& derived : GetDerived())
    {
        if (derived.name == name)
        {
            FindChannelAttribute(name).checker->Copy(*derived.value, value);
            return;
        }
    }
    GetSetting(name, value);
}

void
FabricHelper::GetSetting(const std::string& name, AttributeValue& value) const
{
    const auto attribute = FindChannelAttribute(name);
    const auto set = m_settings.find(name);
    const auto& source = set == m_settings.end() ? attribute.initialValue : set->second;
    // A default may be stored as text
    const Ptr<AttributeValue> valid = attribute.checker->CreateValidValue(*source);
    const bool isRead = valid && attribute.checker->Copy(*valid, value);
    NS_ABORT_MSG_UNLESS(isRead,
                        "The attribute " << name << " of a " << m_channelType << " is a "
                                         << attribute.checker->GetValueTypeName());
}

bool
FabricHelper::HasSetting(const std::string& name) const
{
    return m_settings.count(name) > 0;
}

void
FabricHelper::ResetSetting(const std::string& name)
{
    m_settings.erase(name);
}

std::vector<FabricHelper::DerivedAttribute>
FabricHelper::GetDerived() const
{
    return {};
}

void
FabricHelper::SetQueueAttribute(const std::string& name, const AttributeValue& value)
{
    m_queueFactory.Set(name, value);
}

void
FabricHelper::DisableFlowControl()
{
    m_flowControl = false;
}

Ptr<FabricChannel>
FabricHelper::MakeChannel(uint32_t nNodes) const
{
    ObjectFactory factory;
    factory.SetTypeId(m_channelType);
    for (const auto& [name, value] : m_settings)
    {
        factory.Set(name, *value);
    }
    for (const auto& derived : GetDerived())
    {
        factory.Set(derived.name, *derived.value);
    }
    ConfigureSize(factory, nNodes);
    return factory.Create<FabricChannel>();
}

void
FabricHelper::StandForAll(const FabricHelper& /* whole */,
                          uint32_t ports,
                          const std::vector<uint32_t>& /* kept */)
{
    if (m_channelType.IsChildOf(PhotonicChannel::GetTypeId()))
    {
        SetChannelAttribute("LightPorts", UintegerValue(ports));
    }
}

Ptr<PhotonicChannel>
FabricHelper::MakeLightChannel(uint32_t nNodes, PhotonicChannel::PhysicalLayer layer) const
{
    if (!m_channelType.IsChildOf(PhotonicChannel::GetTypeId()))
    {
        return nullptr;
    }
    EnumValue own(PhotonicChannel::NONE);
    GetSetting("PhysicalLayer", own);
    return own.Get() == layer ? DynamicCast<PhotonicChannel>(MakeChannel(nNodes)) : nullptr;
}

std::string
FabricHelper::CheckLight(uint32_t nNodes) const
{
    if (const auto channel = MakeLightChannel(nNodes, PhotonicChannel::BUDGET))
    {
        return channel->CheckLight(1, nNodes);
    }
    const auto channel = MakeLightChannel(nNodes, PhotonicChannel::ERRORS);
    return channel ? channel->CheckLight(0, nNodes) : "";
}

NetDeviceContainer
FabricHelper::Install(const NodeContainer& nodes) const
{
    RequireValid(nodes.GetN());
    const auto channel = MakeChannel(nodes.GetN());
    NetDeviceContainer devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto device = m_deviceFactory.Create<OpticalNetDevice>();
        const auto queue = m_queueFactory.Create<VirtualOutputQueue>();
        device->SetAddress(Mac48Address::Allocate());
        device->SetQueue(queue);
        (*node)->AddDevice(device);
        device->Attach(channel);
        if (m_flowControl)
        {
            const auto interface = CreateObject<NetDeviceQueueInterface>();
            interface->GetTxQueue(0)->ConnectQueueTraces(queue);
            device->AggregateObject(interface);
        }
        devices.Add(device);
    }
    ConfigureAttached(channel);
    Simulator::ScheduleNow(&FillNeighborCaches, channel);
    channel->TraceConnectWithoutContext(
        "LinkChange",
        MakeBoundCallback(&RefillNeighborCaches, PeekPointer(channel)));
    return devices;
}

NetDeviceContainer
FabricHelper::Install(Ptr<Node> a, Ptr<Node> b) const
{
    return Install(NodeContainer(a, b));
}

Ipv4InterfaceContainer
FabricHelper::AssignAddresses(const NetDeviceContainer& devices) const
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    Ipv4InterfaceContainer interfaces;
    NetDeviceContainer unassigned;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        const auto node = (*device)->GetNode();
        if (!node->GetObject<Ipv4>())
        {
            stack.Install(node);
        }
        const auto ipv4 = node->GetObject<Ipv4>();
        const int32_t interface = ipv4->GetInterfaceForDevice(*device);
        NS_ABORT_MSG_IF((interface >= 0 && unassigned.GetN() > 0) ||
                            (interface < 0 && interfaces.GetN() > 0),
                        "Some devices of the fabric have an address and others do not: give all "
                        "of them one, or none");
        if (interface >= 0)
        {
            interfaces.Add(ipv4, interface);
        }
        else
        {
            unassigned.Add(*device);
        }
    }
    // One network, as each device reaches each other one without a router
    return unassigned.GetN() > 0 ? Ipv4AddressHelper("10.0.0.0", "255.0.0.0").Assign(unassigned)
                                 : interfaces;
}

std::string
FabricHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    return "There is no component '" + component + "': no component of this fabric can fail";
}

void
FabricHelper::ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const
{
}

void
FabricHelper::ConfigureAttached(Ptr<FabricChannel> channel) const
{
}

Ptr<FabricChannel>
FabricHelper::GetChannel(const NetDeviceContainer& devices)
{
    NS_ABORT_MSG_IF(devices.GetN() == 0, "A container without devices has no fabric");
    const auto channel = DynamicCast<FabricChannel>(devices.Get(0)->GetChannel());
    NS_ABORT_MSG_UNLESS(channel, "The first device of the container is not attached to a fabric");
    return channel;
}

void
FabricHelper::EnablePcapInternal(std::string prefix,
                                 Ptr<NetDevice> nd,
                                 bool promiscuous,
                                 bool explicitFilename)
{
    const auto device = nd->GetObject<OpticalNetDevice>();
    if (!device)
    {
        NS_LOG_INFO("Device " << nd << " is not of type ns3::lightpath::OpticalNetDevice");
        return;
    }
    constexpr int ethernet = 1;
    // The most bytes of a frame in a file: a burst is longer than any reader takes
    constexpr uint32_t most = 65535;
    PcapHelper pcapHelper;
    const std::string name =
        explicitFilename ? prefix : pcapHelper.GetFilenameFromDevice(prefix, device);
    const auto file = pcapHelper.CreateFile(name,
                                            std::ios::out,
                                            static_cast<PcapHelper::DataLinkType>(ethernet),
                                            most);
    pcapHelper.HookDefaultSink<OpticalNetDevice>(device,
                                                 promiscuous ? "PromiscSniffer" : "Sniffer",
                                                 file);
}

void
FabricHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                  std::string prefix,
                                  Ptr<NetDevice> nd,
                                  bool explicitFilename)
{
    const auto device = nd->GetObject<OpticalNetDevice>();
    if (!device)
    {
        NS_LOG_INFO("Device " << nd << " is not of type ns3::lightpath::OpticalNetDevice");
        return;
    }
    Packet::EnablePrinting();
    if (!stream)
    {
        AsciiTraceHelper helper;
        const std::string name =
            explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
        const auto file = helper.CreateFileStream(name);
        const Ptr<Queue<Packet>> queue = device->GetQueue();
        helper.HookDefaultReceiveSinkWithoutContext<OpticalNetDevice>(device, "MacRx", file);
        helper.HookDefaultEnqueueSinkWithoutContext<Queue<Packet>>(queue, "Enqueue", file);
        helper.HookDefaultDropSinkWithoutContext<Queue<Packet>>(queue, "Drop", file);
        helper.HookDefaultDequeueSinkWithoutContext<Queue<Packet>>(queue, "Dequeue", file);
        helper.HookDefaultDropSinkWithoutContext<OpticalNetDevice>(device, "PhyRxDrop", file);
        return;
    }
    const std::string path = "/NodeList/" + std::to_string(nd->GetNode()->GetId()) +
                             "/DeviceList/" + std::to_string(nd->GetIfIndex()) +
                             "/$ns3::lightpath::OpticalNetDevice/";
    Config::Connect(path + "MacRx",
                    MakeBoundCallback(&AsciiTraceHelper::DefaultReceiveSinkWithContext, stream));
    Config::Connect(path + "TxQueue/Enqueue",
                    MakeBoundCallback(&AsciiTraceHelper::DefaultEnqueueSinkWithContext, stream));
    Config::Connect(path + "TxQueue/Dequeue",
                    MakeBoundCallback(&AsciiTraceHelper::DefaultDequeueSinkWithContext, stream));
    Config::Connect(path + "TxQueue/Drop",
                    MakeBoundCallback(&AsciiTraceHelper::DefaultDropSinkWithContext, stream));
    Config::Connect(path + "PhyRxDrop",
                    MakeBoundCallback(&AsciiTraceHelper::DefaultDropSinkWithContext, stream));
}

} // namespace lightpath
} // namespace ns3
