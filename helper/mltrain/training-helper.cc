/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-helper.h"

#include "fabric-description.h"
#include "job-control.h"
#include "job-slice.h"
#include "model/training/run/job-ports.h"
#include "model/training/transport/hybrid-transport.h"
#include "model/training/transport/in-network-transport.h"
#include "model/training/transport/rdma-transport.h"
#include "model/training/transport/server-network.h"
#include "model/training/transport/socket-address.h"
#include "model/training/transport/transport-kind.h"
#include "training-progress.h"

#include "ns3/abort.h"
#include "ns3/circuit-transport.h"
#include "ns3/hybrid-helper.h"
#include "ns3/in-network-channel.h"
#include "ns3/ipv4.h"
#include "ns3/optical-net-device.h"
#include "ns3/server-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket-transport.h"
#include "ns3/string.h"
#include "ns3/training-application.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace ns3
{
namespace lightpath
{

TrainingHelper::TrainingHelper()
{
    m_jobFactory.SetTypeId("ns3::lightpath::TrainingJob");
    m_transportFactory.SetTypeId("ns3::lightpath::CircuitTransport");
    m_averagedFactory.SetTypeId("ns3::lightpath::InNetworkTransport");
    m_hybridFactory.SetTypeId("ns3::lightpath::HybridTransport");
    m_opticalFactory.SetTypeId("ns3::lightpath::CircuitTransport");
    m_insideFactory.SetTypeId("ns3::lightpath::CircuitTransport");
    m_serverFactory.SetTypeId("ns3::lightpath::ServerNetwork");
    m_applicationFactory.SetTypeId("ns3::lightpath::TrainingApplication");
}

void
TrainingHelper::SetJobAttribute(const std::string& name, const AttributeValue& value)
{
    m_jobFactory.Set(name, value);
}

void
TrainingHelper::SetTransportAttribute(const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation unused;
    const bool isAveraged = InNetworkTransport::GetTypeId().LookupAttributeByName(name, &unused);
    if (isAveraged)
    {
        m_averagedFactory.Set(name, value);
    }
    if (!isAveraged || m_transportFactory.GetTypeId().LookupAttributeByName(name, &unused))
    {
        m_transportFactory.Set(name, value);
    }
}

void
TrainingHelper::SetHybridAttribute(const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation unused;
    const bool isOptical = CircuitTransport::GetTypeId().LookupAttributeByName(name, &unused);
    (isOptical ? m_opticalFactory : m_hybridFactory).Set(name, value);
}

void
TrainingHelper::SetServerAttribute(const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation unused;
    const bool isInside = CircuitTransport::GetTypeId().LookupAttributeByName(name, &unused);
    (isInside ? m_insideFactory : m_serverFactory).Set(name, value);
}

void
TrainingHelper::SetApplicationAttribute(const std::string& name, const AttributeValue& value)
{
    m_applicationFactory.Set(name, value);
}

void
TrainingHelper::SetTransport(const std::string& name)
{
    m_transportFactory = ObjectFactory();
    const TransportKind* const kind = TransportKind::Find(name);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(kind ? kind->type : name, &type) ||
        !type.IsChildOf(Transport::GetTypeId()))
    {
        std::string names;
        for (const TransportKind& each : TransportKind::GetAll())
        {
            names += (names.empty() ? "" : ", ") + each.name;
        }
        NS_FATAL_ERROR("There is no transport '" << name << "': give one of " << names
                                                 << ", or the name of a type derived from "
                                                 << "ns3::lightpath::Transport");
    }
    m_transportFactory.SetTypeId(type);
    if (kind)
    {
        for (const auto& attribute : kind->attributes)
        {
            m_transportFactory.Set(attribute.first, StringValue(attribute.second));
        }
    }
}

void
TrainingHelper::SetPort(uint16_t port)
{
    m_port = port;
}

bool
TrainingHelper::UsesSockets() const
{
    const TypeId type = m_transportFactory.GetTypeId();
    return type == SocketTransport::GetTypeId() || type.IsChildOf(SocketTransport::GetTypeId());
}

Ptr<TrainingJob>
TrainingHelper::CreateJob(TrainingPlan plan, uint32_t size, const std::string& name) const
{
    NS_ABORT_MSG_IF(plan.programs.size() != size,
                    "A plan for " << plan.programs.size() << " ranks cannot be installed on "
                                  << size << " " << name << "s: give one " << name << " a rank");
    const auto job = m_jobFactory.Create<TrainingJob>();
    // The network knows the ranks by their ports
    job->SetPlan(plan.placement.IsLinear() ? std::move(plan) : plan.OnPorts());
    return job;
}

std::vector<Ptr<Transport>>
TrainingHelper::MakeTransports(const NodeContainer& nodes,
                               const std::vector<Address>& addresses) const
{
    const auto listening = std::make_shared<std::vector<Address>>();
    std::map<uint32_t, uint16_t> nRanks;
    for (uint32_t rank = 0; rank < nodes.GetN(); ++rank)
    {
        const auto port = static_cast<uint16_t>(m_port + nRanks[nodes.Get(rank)->GetId()]++);
        listening->push_back(SocketAddress::Make(addresses[rank], port));
        NS_ABORT_MSG_IF(listening->back().IsInvalid(),
                        "Rank " << rank << " has the address " << addresses[rank]
                                << ", which is none of IPv4 or IPv6");
    }
    std::vector<Ptr<Transport>> transports;
    for (uint32_t rank = 0; rank < nodes.GetN(); ++rank)
    {
        const auto transport = m_transportFactory.Create<SocketTransport>();
        transport->SetUp(nodes.Get(rank), rank, listening);
        transports.push_back(transport);
    }
    return transports;
}

std::vector<Ptr<Transport>>
TrainingHelper::MakeTransports(const NetDeviceContainer& devices) const
{
    if (m_transportFactory.GetTypeId() == RdmaTransport::GetTypeId())
    {
        return RdmaTransport::MakeAll(m_transportFactory, devices);
    }
    std::vector<Address> addresses;
    std::vector<Ptr<Transport>> transports;
    const auto ports = UsesSockets() ? nullptr : JobSlice::FindPorts(devices);
    for (uint32_t rank = 0; rank < devices.GetN(); ++rank)
    {
        if (!UsesSockets())
        {
            const uint32_t port = ports ? ports->GetPort(rank) : rank;
            transports.push_back(MakeTransport(port, devices.Get(rank)));
            JobSlice::SharePorts(*transports.back(), ports);
            continue;
        }
        const auto ipv4 = devices.Get(rank)->GetNode()->GetObject<Ipv4>();
        const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(devices.Get(rank)) : -1;
        NS_ABORT_MSG_IF(interface < 0 || ipv4->GetNAddresses(interface) == 0,
                        "Device " << rank << " of a training job over sockets has no IPv4 "
                                  << "address: assign addresses first");
        addresses.push_back(ipv4->GetAddress(interface, 0).GetLocal());
    }
    return UsesSockets() ? MakeTransports(GetNodes(devices), addresses) : transports;
}

ApplicationContainer
TrainingHelper::AddRanks(Ptr<TrainingJob> job,
                         const NodeContainer& nodes,
                         const std::vector<Ptr<Transport>>& transports) const
{
    ApplicationContainer applications;
    for (uint32_t rank = 0; rank < nodes.GetN(); ++rank)
    {
        const auto application = m_applicationFactory.Create<TrainingApplication>();
        // The job owns the application, which owns the transport: a counting pointer back would
        // keep all three
        transports[rank]->SetFailureCallback(MakeCallback(&TrainingJob::Fail, PeekPointer(job)));
        application->SetUp(job, rank, transports[rank]);
        nodes.Get(rank)->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

NodeContainer
TrainingHelper::GetNodes(const NetDeviceContainer& devices)
{
    NodeContainer nodes;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        nodes.Add(devices.Get(i)->GetNode());
    }
    return nodes;
}

ApplicationContainer
TrainingHelper::Install(TrainingPlan plan,
                        const InterconnectHelper& fabric,
                        const NetDeviceContainer& devices) const
{
    return FabricDescription::Create(fabric)->InstallJob(*this, std::move(plan), devices);
}

ApplicationContainer
TrainingHelper::Install(TrainingPlan plan,
                        const NodeContainer& nodes,
                        const std::vector<Address>& addresses) const
{
    NS_ABORT_MSG_UNLESS(UsesSockets(),
                        "A training job over addresses needs sockets: set the transport "
                        "ns3::lightpath::SocketTransport, instead of "
                            << m_transportFactory.GetTypeId().GetName());
    NS_ABORT_MSG_IF(addresses.size() != nodes.GetN(),
                    "There are " << addresses.size() << " addresses for " << nodes.GetN()
                                 << " nodes: give one for each node");
    const auto job = CreateJob(std::move(plan), nodes.GetN(), "node");
    return AddRanks(job, nodes, MakeTransports(nodes, addresses));
}

ApplicationContainer
TrainingHelper::Install(TrainingPlan plan,
                        const NodeContainer& nodes,
                        const Ipv4InterfaceContainer& interfaces) const
{
    std::vector<Address> addresses;
    for (uint32_t i = 0; i < interfaces.GetN(); ++i)
    {
        addresses.push_back(interfaces.GetAddress(i));
    }
    return Install(std::move(plan), nodes, addresses);
}

ApplicationContainer
TrainingHelper::Install(TrainingPlan plan,
                        const NetDeviceContainer& devices,
                        Ptr<CircuitController> controller) const
{
    const bool isFolded = plan.representedRanks > 0;
    const auto job = CreateJob(std::move(plan), devices.GetN(), "device");
    job->SetFabric(DynamicCast<FabricChannel>(devices.Get(0)->GetChannel()));
    for (uint32_t rank = 0; isFolded && rank < devices.GetN(); ++rank)
    {
        const auto device = DynamicCast<OpticalNetDevice>(devices.Get(rank));
        NS_ABORT_MSG_IF(device && device->HasErrors(),
                        "Each rank of a folded plan stands for ranks that do the same at the same "
                        "time, but errors at device "
                            << rank << " strike at random: use the full plan");
    }
    const auto transports = MakeTransports(devices);
    const auto applications = AddRanks(job, GetNodes(devices), transports);
    JobSlice::ReleaseWhenFinished(*job, transports);
    if (controller)
    {
        JobControl::WatchCircuits(job, transports, controller, 0);
        // A socket keeps bytes that are neither to come nor wait in a device
        if (!UsesSockets())
        {
            job->SetLedger(controller->GetLedger());
        }
        const auto ports = JobSlice::FindPorts(devices);
        JobControl::Follow(
            job,
            controller,
            [isAcknowledged = UsesSockets(), ports](const TrafficMatrix& demand) {
                const TrafficMatrix onPorts = ports ? ports->ToPorts(demand) : demand;
                return isAcknowledged ? JobControl::AddAcknowledgements(onPorts) : onPorts;
            });
    }
    return applications;
}

ApplicationContainer
TrainingHelper::InstallHybrid(TrainingPlan plan,
                              const NetDeviceContainer& optical,
                              const NetDeviceContainer& electrical,
                              Ptr<CircuitController> controller) const
{
    const auto job = CreateJob(std::move(plan), optical.GetN(), "device");
    job->SetFabric(DynamicCast<FabricChannel>(optical.Get(0)->GetChannel()));
    const auto transports = MakeHybridTransports(optical, electrical);
    const auto applications = AddRanks(job, GetNodes(optical), transports);
    if (controller)
    {
        JobControl::WatchCircuits(job, transports, controller, 0);
        job->SetLedger(controller->GetLedger());
        JobControl::Follow(job, controller, [](const TrafficMatrix& demand) { return demand; });
    }
    return applications;
}

uint32_t
TrainingHelper::FindRegion(const NetDeviceContainer& optical, uint32_t rank)
{
    uint32_t first = rank;
    while (first > 0 && optical.Get(first - 1)->GetChannel() == optical.Get(rank)->GetChannel())
    {
        --first;
    }
    return first;
}

std::vector<Ptr<Transport>>
TrainingHelper::MakeHybridTransports(const NetDeviceContainer& optical,
                                     const NetDeviceContainer& electrical) const
{
    NS_ABORT_MSG_IF(optical.GetN() != electrical.GetN(),
                    "There are " << optical.GetN() << " optical and " << electrical.GetN()
                                 << " electrical devices: give each rank one of either");
    std::vector<Ptr<Transport>> transports = MakeTransports(electrical);
    for (uint32_t rank = 0; rank < optical.GetN(); ++rank)
    {
        NS_ABORT_MSG_IF(optical.Get(rank)->GetNode() != electrical.Get(rank)->GetNode(),
                        "The devices of rank " << rank << " belong to different nodes");
        const uint32_t first = FindRegion(optical, rank);
        const auto circuits = m_opticalFactory.Create<CircuitTransport>();
        circuits->SetDevice(GetDevice(rank - first, optical.Get(rank)));
        const auto hybrid = m_hybridFactory.Create<HybridTransport>();
        hybrid->SetUp(circuits, transports[rank], first);
        transports[rank] = hybrid;
    }
    return transports;
}

ApplicationContainer
TrainingHelper::InstallServers(TrainingPlan plan,
                               const ServerDevices& devices,
                               const std::vector<Ptr<CircuitController>>& controllers) const
{
    NS_ABORT_MSG_IF(controllers.size() != devices.rails.size(),
                    "There are " << controllers.size() << " controllers for "
                                 << devices.rails.size()
                                 << " interconnects between servers: give one, or null, for each");
    const uint32_t places = devices.inside.GetN();
    const auto job = CreateJob(std::move(plan), places, "GPU");
    std::vector<Ptr<Transport>> inside;
    for (uint32_t place = 0; place < places; ++place)
    {
        inside.push_back(m_insideFactory.Create<CircuitTransport>());
        inside.back()->SetDevice(
            GetDevice(devices.layout.GetIndex(place), devices.inside.Get(place)));
    }
    std::vector<ServerRail> rails;
    bool isHybrid = false;
    for (const auto& rail : devices.rails)
    {
        // Those of a hybrid interconnect have two devices for each port
        isHybrid = rail.GetN() > devices.layout.GetNPorts(places);
        rails.push_back({DynamicCast<FabricChannel>(rail.Get(0)->GetChannel()),
                         isHybrid ? MakeHybridTransports(HybridHelper::GetOpticalDevices(rail),
                                                         HybridHelper::GetElectricalDevices(rail))
                                  : MakeTransports(rail)});
    }
    const auto servers = m_serverFactory.Create<ServerNetwork>();
    servers->SetUp(devices.layout, std::move(inside), std::move(rails));
    job->SetServers(servers);
    std::vector<Ptr<Transport>> transports;
    for (uint32_t place = 0; place < places; ++place)
    {
        transports.push_back(servers->GetTransport(place));
    }
    const auto applications = AddRanks(job, GetNodes(devices.inside), transports);
    const bool isAcknowledged = UsesSockets() && !isHybrid;
    for (uint32_t rail = 0; rail < controllers.size(); ++rail)
    {
        if (!controllers[rail])
        {
            continue;
        }
        JobControl::WatchCircuits(job,
                                  servers->GetRails()[rail].transports,
                                  controllers[rail],
                                  rail);
        if (!isAcknowledged)
        {
            job->SetLedger(controllers[rail]->GetLedger(), rail);
        }
        JobControl::Follow(
            job,
            controllers[rail],
            [layout = devices.layout, rail, isAcknowledged](const TrafficMatrix& demand) {
                const TrafficMatrix ofRail = layout.GetRailTraffic(demand, rail);
                return isAcknowledged ? JobControl::AddAcknowledgements(ofRail) : ofRail;
            },
            rail);
    }
    return applications;
}

Ptr<OpticalNetDevice>
TrainingHelper::GetDevice(uint32_t rank, Ptr<NetDevice> netDevice)
{
    const auto device = DynamicCast<OpticalNetDevice>(netDevice);
    NS_ABORT_MSG_UNLESS(device && device->GetPort() == rank,
                        "Device " << rank << " of a training job must be an OpticalNetDevice "
                                  << "that has port " << rank << " of its fabric");
    return device;
}

Ptr<Transport>
TrainingHelper::MakeTransport(uint32_t rank, Ptr<NetDevice> netDevice) const
{
    const auto device = GetDevice(rank, netDevice);
    const bool isAveraged = DynamicCast<InNetworkChannel>(device->GetChannel()) != nullptr;
    const auto transport =
        (isAveraged ? m_averagedFactory : m_transportFactory).Create<Transport>();
    transport->SetDevice(device);
    return transport;
}

Ptr<TrainingJob>
TrainingHelper::GetJob(const ApplicationContainer& applications)
{
    NS_ABORT_MSG_IF(
        applications.GetN() == 0,
        "A container without applications belongs to no job: give one that Install() returned");
    const auto application = DynamicCast<TrainingApplication>(applications.Get(0));
    NS_ABORT_MSG_UNLESS(application,
                        "The first application is none of a training job: give a container that "
                        "Install() returned");
    return application->GetJob();
}

void
TrainingHelper::SetFailed(const ApplicationContainer& applications,
                          const std::string& component,
                          bool failed)
{
    const auto servers = GetJob(applications)->GetServers();
    NS_ABORT_MSG_UNLESS(servers,
                        "The job runs on no servers, of which " << component << " could fail");
    servers->SetFailed(component, failed);
}

void
TrainingHelper::StopWhenFinished(const ApplicationContainer& applications)
{
    // The jobs that go on, shared by the sinks of all of them
    const auto jobs = std::make_shared<std::set<const TrainingJob*>>();
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        const auto job = GetJob(ApplicationContainer(applications.Get(i)));
        if (job->IsFinished() || !jobs->insert(PeekPointer(job)).second)
        {
            continue;
        }
        const auto end = [jobs, ended = PeekPointer(job)] {
            if (jobs->erase(ended) > 0 && jobs->empty())
            {
                Simulator::Stop();
            }
        };
        job->TraceConnectWithoutContext("Finished", Callback<void>(end));
        job->TraceConnectWithoutContext("Failed",
                                        Callback<void, std::string>([end](std::string) { end(); }));
    }
    NS_ABORT_MSG_IF(jobs->empty(), "StopWhenFinished() is given no job that could still finish");
}

void
TrainingHelper::EnableProgress(const ApplicationContainer& applications,
                               std::ostream& os,
                               double seconds)
{
    TrainingProgress::Watch(GetJob(applications), os, seconds);
}

int64_t
TrainingHelper::AssignStreams(const ApplicationContainer& applications, int64_t stream)
{
    return GetJob(applications)->AssignStreams(stream);
}

} // namespace lightpath
} // namespace ns3
