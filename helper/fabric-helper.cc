/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-helper.h"

#include "electrical-switch-helper.h"
#include "sip-ocs-helper.h"
#include "sip-ring-helper.h"

#include "ns3/abort.h"
#include "ns3/config.h"
#include "ns3/ipv4-interface-container.h"
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
    m_deviceFactory.Set(name, value);
}

void
FabricHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channelFactory.Set(name, value);
}

void
FabricHelper::GetChannelAttribute(const std::string& name, AttributeValue& value) const
{
    ObjectFactory factory = m_channelFactory;
    ConfigureChannel(factory);
    factory.Create<FabricChannel>()->GetAttribute(name, value);
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
    ObjectFactory channelFactory = m_channelFactory;
    ConfigureChannel(channelFactory);
    const auto channel = channelFactory.Create<FabricChannel>();
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
    return devices;
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
