/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_HELPER_H
#define TRAINING_HELPER_H

#include "ns3/application-container.h"
#include "ns3/circuit-controller.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/training-job.h"
#include "ns3/training-plan.h"
#include "ns3/transport.h"

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class InterconnectHelper;
class OpticalNetDevice;
struct ServerDevices;

/**
 * @ingroup lightpath
 * @brief Installs a training job on the devices of a fabric, or on nodes with addresses.
 */
class TrainingHelper
{
  public:
    TrainingHelper();

    /**
     * Set an attribute of the jobs to be installed.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetJobAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Choose the transport that carries the messages, in place of CircuitTransport. This resets all
     * attributes of transports.
     *
     * @param name "circuit", "relay", "rotor", "tcp" or "dctcp" (TransportKind), or the name
     *        of a type derived from Transport, such as "ns3::lightpath::SocketTransport"
     */
    void SetTransport(const std::string& name);

    /**
     * @param port the port at which the first rank of each node listens, by default 50000; further
     *        ranks of a node take the ports that follow
     */
    void SetPort(uint16_t port);

    /**
     * Set an attribute of the transports to be installed: of the type chosen by SetTransport(), and
     * of InNetworkTransport, which a fabric that averages gets. An attribute that only one of the
     * two has goes to that one.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetTransportAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the HybridTransport of each rank that InstallHybrid() installs, or of the
     * CircuitTransport that it uses on the optical fabric.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetHybridAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the CircuitTransport that each rank has inside its server, which
     * InstallServers() installs, or of their ServerNetwork.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetServerAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the applications (TrainingApplication) to be installed. A ComputeNoise
     * given as a string, such as "ns3::NormalRandomVariable[Mean=1|Variance=0.0025|Bound=0.2]",
     * becomes an object of its own for each rank. One given as a pointer is shared: its draws go to
     * the ranks in the order in which they begin their iterations.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetApplicationAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Install a job, and the control of its circuits, in the way that suits the interconnect.
     *
     * @param plan the plan, with a rank for each node
     * @param fabric the helper of the interconnect
     * @param devices devices that its Install() returned
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer Install(TrainingPlan plan,
                                 const InterconnectHelper& fabric,
                                 const NetDeviceContainer& devices) const;

    /**
     * Install a job: rank r on device r, for some or all ports of a fabric. Jobs on other ports may
     * run beside it. Plans that do not fit together or the devices end the program with a sentence.
     *
     * The controller decides on the circuits for the traffic of the plans of all jobs, now and when
     * one ends; it stops with the last. A controller that decides for each phase is told when a
     * phase of the job begins. For a plan that wants circuits for each phase (phaseCircuits), a
     * controller that would decide once is set to decide for each phase.
     *
     * The job fails if the controller leaves a pair without a circuit and makes no further
     * decision, or as soon as a message waits between two ranks that a failure has left without a
     * path. With a RelayTransport, messages go through other ranks instead.
     *
     * With a SocketTransport, the devices may be of any kind and must have IP addresses. The demand
     * that the controller gets then includes acknowledgements, a hundredth of the messages.
     *
     * @param plan the plan
     * @param devices the devices, one for each rank
     * @param controller decides on the circuits; null for a fabric without circuits
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer Install(TrainingPlan plan,
                                 const NetDeviceContainer& devices,
                                 Ptr<CircuitController> controller) const;

    /**
     * Install a job whose messages go over an optical fabric or over an electrical network beside
     * it, as a HybridTransport decides: rank r on the node of device r of both. SetTransport()
     * chooses the transport of the electrical side: a SocketTransport, unless its devices are
     * OpticalNetDevices. A pair without a lightpath does not make the job fail, unless bulk
     * messages wait for one and nothing else goes on. Successive ranks may have a fabric of their
     * own: messages to other ranks go electrically.
     *
     * @param plan the plan
     * @param optical the devices of the fabric, one for each rank
     * @param electrical the devices of the network, one for each rank
     * @param controller decides on the circuits; null for a fabric without circuits
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer InstallHybrid(TrainingPlan plan,
                                       const NetDeviceContainer& optical,
                                       const NetDeviceContainer& electrical,
                                       Ptr<CircuitController> controller) const;

    /**
     * Install a job on servers: rank r on the node of GPU r. Messages inside a server go over its
     * scale-up network, all others over the interconnects between servers, which may be hybrids.
     * SetTransport() chooses the transport on these, as for Install() and InstallHybrid().
     *
     * Each controller decides on the circuits of one interconnect for what the plan puts on it.
     *
     * @param plan the plan
     * @param devices the devices, as ServerHelper::Split() sorts them
     * @param controllers decides on the circuits of each interconnect between servers; null for one
     *        without circuits
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer InstallServers(
        TrainingPlan plan,
        const ServerDevices& devices,
        const std::vector<Ptr<CircuitController>>& controllers) const;

    /**
     * Install a job on a network of any kind: rank r on node r, reached at address r. The transport
     * must be a SocketTransport.
     *
     * @param plan the plan
     * @param nodes the nodes, one for each rank; a node may have several ranks
     * @param addresses an address of each node
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer Install(TrainingPlan plan,
                                 const NodeContainer& nodes,
                                 const std::vector<Address>& addresses) const;

    /**
     * Install a job on a network of any kind with IPv4: rank r on node r, reached by interface r.
     * The transport must be a SocketTransport.
     *
     * @param plan the plan
     * @param nodes the nodes, one for each rank; a node may have several ranks
     * @param interfaces an interface of each node
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer Install(TrainingPlan plan,
                                 const NodeContainer& nodes,
                                 const Ipv4InterfaceContainer& interfaces) const;

    /**
     * @param applications applications that Install() returned
     * @return their job
     */
    static Ptr<TrainingJob> GetJob(const ApplicationContainer& applications);

    /**
     * Mark a component of the servers of a job, or of a fabric between them, as failed, or as
     * repaired. A name that ServerHelper::CheckComponent() rejects ends the program with a
     * sentence.
     *
     * @param applications applications that InstallServers() returned
     * @param component the name of the component, like card:3:1
     * @param failed true for a failure, false for a repair
     */
    static void SetFailed(const ApplicationContainer& applications,
                          const std::string& component,
                          bool failed);

    /**
     * Stop the simulation when the last of one or several jobs ends, whatever else goes on: other
     * traffic, controllers, monitors. A job that fails has ended, too.
     *
     * @param applications applications that Install() returned, of one job or of several
     */
    static void StopWhenFinished(const ApplicationContainer& applications);

    /**
     * Print lines that say how far a job is, while the simulation runs: iterations, simulated time
     * and time of the clock. Results stay the same.
     *
     * @param applications applications that Install() returned
     * @param os where to print, which outlives the simulation
     * @param seconds the time between two lines, by the clock
     */
    static void EnableProgress(const ApplicationContainer& applications,
                               std::ostream& os = std::cerr,
                               double seconds = 10);

    /**
     * Fix the random numbers of a job, so that it draws the same ones on each fabric.
     *
     * @param applications applications that Install() returned
     * @param stream the number of the first stream
     * @return the number of streams that were assigned: one for each rank with ComputeNoise, and
     *         one if the loads of experts are drawn
     */
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    /**
     * @param rank a rank
     * @param netDevice its device, which must be an OpticalNetDevice at the port of the rank
     * @return the device
     */
    static Ptr<OpticalNetDevice> GetDevice(uint32_t rank, Ptr<NetDevice> netDevice);

    /**
     * @param rank a rank
     * @param netDevice its device
     * @return the transport of its messages over the fabric of the device
     */
    Ptr<Transport> MakeTransport(uint32_t rank, Ptr<NetDevice> netDevice) const;

    /**
     * @return true if messages go over sockets
     */
    bool UsesSockets() const;

    /**
     * @param plan the plan of a job
     * @param size the number of devices or nodes
     * @param name "device" or "node", for the sentence that refuses another number
     * @return the job
     */
    Ptr<TrainingJob> CreateJob(TrainingPlan plan, uint32_t size, const std::string& name) const;

    /**
     * @param nodes the nodes, one for each rank
     * @param addresses an address of each node
     * @return the transport of each rank over sockets
     */
    std::vector<Ptr<Transport>> MakeTransports(const NodeContainer& nodes,
                                               const std::vector<Address>& addresses) const;

    /**
     * @param devices the devices, one for each rank
     * @return the transport of each rank over them
     */
    std::vector<Ptr<Transport>> MakeTransports(const NetDeviceContainer& devices) const;

    /**
     * @param optical the devices of one or several fabrics, one for each rank
     * @param rank a rank
     * @return the first rank of its region: the successive ranks whose devices are on one fabric
     */
    static uint32_t FindRegion(const NetDeviceContainer& optical, uint32_t rank);

    /**
     * @param optical the devices of a fabric, one for each rank
     * @param electrical the devices of the network beside it, one for each rank
     * @return the transport of each rank over both
     */
    std::vector<Ptr<Transport>> MakeHybridTransports(const NetDeviceContainer& optical,
                                                     const NetDeviceContainer& electrical) const;

    /**
     * Add the applications of all ranks.
     *
     * @param job the job
     * @param nodes the nodes, one for each rank
     * @param transports the transport of each rank
     * @return the applications
     */
    ApplicationContainer AddRanks(Ptr<TrainingJob> job,
                                  const NodeContainer& nodes,
                                  const std::vector<Ptr<Transport>>& transports) const;

    /**
     * @param devices the devices, one for each rank
     * @return their nodes
     */
    static NodeContainer GetNodes(const NetDeviceContainer& devices);

    ObjectFactory m_jobFactory;         //!< Makes the jobs
    ObjectFactory m_transportFactory;   //!< Makes the transports
    ObjectFactory m_averagedFactory;    //!< Makes the transports of a fabric that averages
    ObjectFactory m_hybridFactory;      //!< Makes the transports that choose between two others
    ObjectFactory m_opticalFactory;     //!< Makes their transports on the optical fabric
    ObjectFactory m_insideFactory;      //!< Makes the transports inside servers
    ObjectFactory m_serverFactory;      //!< Makes the transports between servers and inside them
    ObjectFactory m_applicationFactory; //!< Makes the applications
    uint16_t m_port{50000};             //!< Port of the first rank of a node
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_HELPER_H */
