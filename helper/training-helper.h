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
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OpticalNetDevice;

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
     * Have messages carried by another kind of transport than CircuitTransport. Attributes set
     * before are forgotten.
     *
     * @param type the name of its type, like ns3::lightpath::SocketTransport
     */
    void SetTransport(const std::string& type);

    /**
     * @param port the port at which the first rank of each node listens, 50000 at first; further
     *        ones have the ports that follow
     */
    void SetPort(uint16_t port);

    /**
     * Set an attribute of the transports to be installed: of those chosen by SetTransport(), and of
     * InNetworkTransport on a fabric that averages; what only the one of them has, the other leaves
     * aside.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetTransportAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of what InstallHybrid() installs: of the HybridTransport of each rank, or of
     * the CircuitTransport that it uses on the optical fabric.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetHybridAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the applications (TrainingApplication) to be installed. A ComputeNoise
     * given as a string, such as "ns3::NormalRandomVariable[Mean=1|Variance=0.0025|Bound=0.2]", is
     * made anew for each rank; one given as a pointer is shared, so that its draws go to the ranks
     * in the order in which they begin their iterations.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetApplicationAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Install a job: rank r on the node of device r, which must be port r of its fabric. At the
     * start of the simulation the controller decides on the circuits for the traffic of the plan;
     * it stops as the job ends. If its decisions are about phases, it hears of those of the job. A
     * plan that wants circuits for each phase gets them from a controller that otherwise would
     * decide once.
     * The job fails if it cannot give each pair a circuit and makes no further decision, or once a
     * message waits between two ranks that a failure has left no path between; with a
     * RelayTransport, messages go by other ranks instead.
     *
     * With a SocketTransport, the nodes must have addresses on the devices, which may be of any
     * kind; the controller also hears of the acknowledgements, as a hundredth of the messages.
     *
     * @param plan the plan
     * @param devices the devices, one a rank
     * @param controller decides on the circuits; null for a fabric without circuits
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer Install(TrainingPlan plan,
                                 const NetDeviceContainer& devices,
                                 Ptr<CircuitController> controller) const;

    /**
     * Install a job whose messages go over an optical fabric or over an electrical network beside
     * it, as a HybridTransport decides: rank r on the node of device r of either. The transport
     * that was set by SetTransport(), which is a SocketTransport unless the devices of the network
     * are OpticalNetDevices, is for the electrical side. Pairs without a lightpath
     * do not have the job fail, unless nothing goes on as bulk messages wait for one.
     *
     * @param plan the plan
     * @param optical the devices of the fabric, one a rank
     * @param electrical the devices of the network, one a rank
     * @param controller decides on the circuits; null for a fabric without circuits
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer InstallHybrid(TrainingPlan plan,
                                       const NetDeviceContainer& optical,
                                       const NetDeviceContainer& electrical,
                                       Ptr<CircuitController> controller) const;

    /**
     * Install a job on a network of any kind: rank r on node r, reached at address r. The transport
     * must be a SocketTransport.
     *
     * @param plan the plan
     * @param nodes the nodes, one a rank; a node may have several ranks
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
     * @param nodes the nodes, one a rank; a node may have several ranks
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
     * Stop the simulation at the end of the last of some jobs, whatever else goes on: other
     * traffic, controllers, monitors. A job that fails has ended, too.
     *
     * @param applications applications that Install() returned, of one job or several
     */
    static void StopWhenFinished(const ApplicationContainer& applications);

    /**
     * Fix the random numbers of a job, so that it draws the same ones on each fabric.
     *
     * @param applications applications that Install() returned
     * @param stream the number of the first stream
     * @return the number of streams that were assigned: one a rank with ComputeNoise
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
     * @return what carries its messages over the fabric of the device
     */
    Ptr<Transport> MakeTransport(uint32_t rank, Ptr<NetDevice> netDevice) const;

    /**
     * @return whether messages go over sockets
     */
    bool UsesSockets() const;

    /**
     * @param plan the plan of a job
     * @param size the number of devices or nodes
     * @param name what these are
     * @return the job
     */
    Ptr<TrainingJob> CreateJob(TrainingPlan plan, uint32_t size, const std::string& name) const;

    /**
     * Add the application of the next rank.
     *
     * @param job the job
     * @param node the node
     * @param transport what carries its messages
     * @param [in,out] applications the applications of the ranks before
     */
    void AddRank(Ptr<TrainingJob> job,
                 Ptr<Node> node,
                 Ptr<Transport> transport,
                 ApplicationContainer& applications) const;

    /**
     * @param nodes the nodes, one a rank
     * @param addresses an address of each node
     * @return what carries the messages of each rank over sockets
     */
    std::vector<Ptr<Transport>> MakeTransports(const NodeContainer& nodes,
                                               const std::vector<Address>& addresses) const;

    /**
     * @param devices the devices, one a rank
     * @return what carries the messages of each rank over them
     */
    std::vector<Ptr<Transport>> MakeTransports(const NetDeviceContainer& devices) const;

    /**
     * Add the applications of all ranks.
     *
     * @param job the job
     * @param nodes the nodes, one a rank
     * @param transports what carries the messages of each rank
     * @return the applications
     */
    ApplicationContainer AddRanks(Ptr<TrainingJob> job,
                                  const NodeContainer& nodes,
                                  const std::vector<Ptr<Transport>>& transports) const;

    /**
     * @param devices the devices, one a rank
     * @return their nodes
     */
    static NodeContainer GetNodes(const NetDeviceContainer& devices);

    /**
     * Have a controller serve a job.
     *
     * @param job the job
     * @param transports what carries its messages
     * @param controller decides on the circuits
     * @param isAcknowledged whether the fabric carries acknowledgements too
     */
    static void Control(Ptr<TrainingJob> job,
                        const std::vector<Ptr<Transport>>& transports,
                        Ptr<CircuitController> controller,
                        bool isAcknowledged);

    /**
     * @param demand bytes of messages, by source and destination
     * @param isAcknowledged whether the fabric carries acknowledgements too
     * @return it, with the bytes of acknowledgements
     */
    static TrafficMatrix GetWhole(const TrafficMatrix& demand, bool isAcknowledged);

    /**
     * Have a controller hear of the phases of a job.
     *
     * @param job the job
     * @param controller decides on the circuits
     * @param isAcknowledged whether the fabric carries acknowledgements too
     */
    static void ConnectPhases(Ptr<TrainingJob> job,
                              Ptr<CircuitController> controller,
                              bool isAcknowledged);

    ObjectFactory m_jobFactory;         //!< Makes the jobs
    ObjectFactory m_transportFactory;   //!< Makes the transports
    ObjectFactory m_averagedFactory;    //!< Makes the transports of a fabric that averages
    ObjectFactory m_hybridFactory;      //!< Makes the transports that choose between two others
    ObjectFactory m_opticalFactory;     //!< Makes those that these use on the optical fabric
    ObjectFactory m_applicationFactory; //!< Makes the applications
    uint16_t m_port{50000};             //!< Port of the first rank of a node
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_HELPER_H */
