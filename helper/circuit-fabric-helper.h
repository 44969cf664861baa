/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_FABRIC_HELPER_H
#define CIRCUIT_FABRIC_HELPER_H

#include "fabric-helper.h"

#include "ns3/circuit-allocator.h"
#include "ns3/circuit-scheduler.h"
#include "ns3/optical-channel.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A kind of allocator or scheduler that a fabric has a short name for.
 */
struct CircuitAlgorithm
{
    std::string name;      //!< Its short name, like max-min
    std::string type;      //!< The name of its type, like ns3::lightpath::RingMaxMinAllocator
    std::string objective; //!< What its objective is, in words
};

/**
 * @ingroup lightpath
 * @brief Installs a fabric of circuits, and what controls them.
 *
 * This class cannot be instantiated, as it does not know the kind of fabric. The first controller
 * that is made for a channel is aggregated to it, so that paths of ns3::Config reach it.
 */
class CircuitFabricHelper : public FabricHelper
{
  public:
    /**
     * @param rate the rate of one wavelength; 25 Gb/s at first
     */
    void SetWavelengthRate(DataRate rate);

    /**
     * Set an attribute of the controller to be made.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetControllerAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Have circuits decided on by another kind of allocator than the fabric's own max-min one.
     * Attributes set before are forgotten.
     *
     * @param type the name of its type, like ns3::lightpath::ConcaveUtilityAllocator;
     *        std::invalid_argument if there is no such allocator
     */
    void SetAllocator(const std::string& type);

    /**
     * Set an attribute of the allocator to be made.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetAllocatorAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Have circuits change by a schedule, instead of the decisions of an allocator. Attributes of
     * schedulers set before are forgotten.
     *
     * @param type the name of the type of the scheduler, like ns3::lightpath::SolsticeScheduler;
     *        std::invalid_argument if there is no such scheduler
     */
    void SetScheduler(const std::string& type);

    /**
     * Set an attribute of the scheduler to be made.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetSchedulerAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @return whether circuits change by a schedule
     */
    bool HasScheduler() const;

    /**
     * @return the allocators and schedulers that SetAlgorithm() knows for this fabric, the one that
     *         it has at first first; none unless a child class says otherwise
     */
    virtual std::vector<CircuitAlgorithm> GetAlgorithms() const;

    /**
     * Have circuits decided on by an allocator or a scheduler, named as in GetAlgorithms().
     *
     * @param name its short name; std::invalid_argument, which lists the known ones, if there is
     *        none of this name
     */
    void SetAlgorithm(const std::string& name);

    /**
     * @param nNodes the number of nodes, at least 2
     * @return what decides on the circuits between so many nodes
     */
    Ptr<CircuitAllocator> CreateAllocator(uint32_t nNodes) const;

    /**
     * @param devices devices that Install() returned, two at least
     * @return what decides on the circuits between them; it knows what works of the fabric, and
     *         when that changes
     */
    Ptr<CircuitAllocator> CreateAllocator(const NetDeviceContainer& devices) const;

    /**
     * @param devices devices that Install() returned, two at least
     * @return the scheduler chosen by SetScheduler(), with the lane rate and the switching delay of
     *         the fabric; it knows what works of the fabric, and when that changes.
     *         std::invalid_argument if none was chosen or if the fabric has no schedules
     */
    Ptr<CircuitScheduler> CreateScheduler(const NetDeviceContainer& devices) const;

    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;
    FabricLimits GetLimits(uint32_t nNodes) const override;

  protected:
    /**
     * @param channelType the name of the type of the channel
     * @param allocatorType the name of the type of the allocator
     * @param bandwidth the rate of each node into the fabric
     */
    CircuitFabricHelper(const std::string& channelType,
                        const std::string& allocatorType,
                        DataRate bandwidth);

    /**
     * @return the rate of one wavelength
     */
    DataRate GetWavelengthRate() const;

    /**
     * Refuse, by std::invalid_argument, a bandwidth that is no multiple of a rate.
     *
     * @param step the rate in bit/s
     * @param parts what has this rate, for the sentence
     */
    void CheckMultiple(uint64_t step, const std::string& parts) const;

  private:
    /**
     * @param allocator what was chosen to decide on circuits
     * @return what decides on them with its help: here the same
     */
    virtual Ptr<CircuitAllocator> Complete(Ptr<CircuitAllocator> allocator) const;

    /**
     * @param allocator an allocator without any knowledge of the fabric
     * @param nNodes the number of nodes of the fabric
     */
    virtual void ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const = 0;

    /**
     * Have an allocator know what works of a fabric, now and whenever that changes.
     *
     * @param allocator the allocator
     * @param channel the fabric
     */
    virtual void Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const = 0;

    /**
     * Have a scheduler know what works of a fabric, now and whenever that changes. Here it refuses
     * by std::invalid_argument, as a fabric has no schedules unless a child class says otherwise.
     *
     * @param scheduler the scheduler
     * @param channel the fabric
     */
    virtual void ConfigureScheduler(Ptr<CircuitScheduler> scheduler,
                                    Ptr<OpticalChannel> channel) const;

    /**
     * Tell a planner how long messages are on their way, and how much of the rate of a node can go
     * to one peer.
     *
     * @param [in,out] limits what it needs to know, with the rate of a node; the latencies and
     *        FabricLimits::peerBitRate are set here
     * @param nNodes the number of nodes
     */
    virtual void ConfigurePaths(FabricLimits& limits, uint32_t nNodes) const = 0;

    /**
     * @return the most peers that a planner should give a node
     */
    virtual uint32_t GetDegree() const = 0;

    /**
     * @return the number of circuits that the bandwidth of a node is split into
     */
    virtual uint32_t GetNCircuits() const = 0;

    DataRate m_wavelengthRate;         //!< Rate of one wavelength
    ObjectFactory m_controllerFactory; //!< Makes the controllers
    ObjectFactory m_allocatorFactory;  //!< Makes their allocators
    ObjectFactory m_schedulerFactory;  //!< Makes their schedulers, if circuits change by one
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_FABRIC_HELPER_H */
