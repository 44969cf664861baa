/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-helper.h"

#include "electrical-switch-helper.h"
#include "oddl-helper.h"
#include "opt-inc-helper.h"
#include "sip-ocs-helper.h"
#include "sip-ring-helper.h"

#include "ns3/abort.h"
#include "ns3/config.h"
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

#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

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

/// Makes a helper.
using Maker = std::function<std::unique_ptr<FabricHelper>()>;

/**
 * @return what makes the helper of each kind of fabric
 */
const std::map<std::string, Maker>&
GetMakers()
{
    static const std::map<std::string, Maker> makers = {
        {"electrical", [] { return std::make_unique<ElectricalSwitchHelper>(); }},
        {"oddl", [] { return std::make_unique<OddlHelper>(); }},
        {"optinc", [] { return std::make_unique<OptIncHelper>(); }},
        {"sip-ocs", [] { return std::make_unique<SipOcsHelper>(); }},
        {"sip-ring", [] { return std::make_unique<SipRingHelper>(); }},
    };
    return makers;
}

} // namespace

std::vector<std::string>
FabricHelper::GetNames()
{
    std::vector<std::string> names;
    for (const auto& maker : GetMakers())
    {
        names.push_back(maker.first);
    }
    return names;
}

std::unique_ptr<FabricHelper>
FabricHelper::Create(const std::string& name)
{
    const auto found = GetMakers().find(name);
    if (found == GetMakers().end())
    {
        std::string known;
        for (const auto& each : GetNames())
        {
            known += (known.empty() ? "" : ", ") + each;
        }
        throw std::invalid_argument("There is no fabric '" + name + "': the known ones are " +
                                    known);
    }
    return found->second();
}

FabricHelper::FabricHelper(const std::string& channelType, DataRate bandwidth)
    : m_bandwidth(bandwidth)
{
    m_deviceFactory.SetTypeId("ns3::lightpath::OpticalNetDevice");
    m_channelFactory.SetTypeId(channelType);
    m_queueFactory.SetTypeId("ns3::lightpath::VirtualOutputQueue");
}

FabricHelper::~FabricHelper()
{
}

void
FabricHelper::SetBandwidth(DataRate bandwidth)
{
    m_bandwidth = bandwidth;
    ObjectFactory unused = m_channelFactory;
    ConfigureChannel(unused);
}

DataRate
FabricHelper::GetBandwidth() const
{
    return m_bandwidth;
}

void
FabricHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    if (!TakeDataRate(name, value))
    {
        m_deviceFactory.Set(name, value);
    }
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

void
FabricHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    if (!TakeDataRate(name, value))
    {
        m_channelFactory.Set(name, value);
    }
}

void
FabricHelper::GetChannelAttribute(const std::string& name, AttributeValue& value) const
{
    ObjectFactory factory = m_channelFactory;
    ConfigureChannel(factory);
    ReadAttribute(factory, name, value);
}

void
FabricHelper::ReadAttribute(const ObjectFactory& factory,
                            const std::string& name,
                            AttributeValue& value)
{
    TypeId::AttributeInformation attribute;
    const bool isKnown = factory.GetTypeId().LookupAttributeByName(name, &attribute);
    NS_ABORT_MSG_UNLESS(isKnown, factory.GetTypeId() << " has no attribute " << name);
    // A channel that is made to be asked would stay in the list of all channels
    std::ostringstream written;
    written << factory;
    std::string text = written.str();
    std::size_t begin = text.find("[" + name + "=");
    if (begin == std::string::npos)
    {
        begin = text.find("|" + name + "=");
    }
    if (begin == std::string::npos)
    {
        text = attribute.initialValue->SerializeToString(attribute.checker);
    }
    else
    {
        begin += name.size() + 2;
        text = text.substr(begin, text.find_first_of("|]", begin) - begin);
    }
    const bool isRead = value.DeserializeFromString(text, attribute.checker);
    NS_ABORT_MSG_UNLESS(isRead, "The attribute " << name << " cannot be read from " << text);
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

NetDeviceContainer
FabricHelper::Install(const NodeContainer& nodes) const
{
    ObjectFactory factory = m_channelFactory;
    ConfigureChannel(factory);
    ConfigureSize(factory, nodes.GetN());
    const auto channel = factory.Create<FabricChannel>();
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
