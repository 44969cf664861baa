/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_FABRIC_HELPER_H
#define CIRCUIT_FABRIC_HELPER_H

#include "fabric-helper.h"

#include "ns3/bring-up.h"
#include "ns3/circuit-allocator.h"
#include "ns3/circuit-scheduler.h"
#include "ns3/optical-channel.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An allocator or scheduler of a fabric, with its short name.
 */
struct CircuitAlgorithm
{
    std::string name;      //!< Its short name, like max-min
    std::string type;      //!< The name of its type, like ns3::lightpath::RingMaxMinAllocator
    std::string objective; //!< Its objective, in words
};

/**
 * @ingroup lightpath
 * @brief Installs a fabric of circuits and their controller.
 *
 * An abstract base class. The first controller created for a channel is aggregated to it, so that
 * paths of ns3::Config reach the controller.
 */
class CircuitFabricHelper : public FabricHelper
{
  public:
    /**
     * @param rate the rate of one wavelength; the default LaneRate of a channel at first
     */
    virtual void SetWavelengthRate(DataRate rate);

    /**
     * Cut the fabric into slices, each with the same share of the bandwidth: of the wavelengths of
     * each fibre of a ring, or of the switches. Install() then installs one slice. Slices over the
     * same nodes have devices, controllers and circuits of their own: jobs on different slices do
     * not feel each other. A number that does not suit the fabric ends the program with the
     * sentence of CheckSlices().
     *
     * @param slices the number of slices
     */
    void SetSlices(uint32_t slices);

    /**
     * @param slices a number of slices, at least 1
     * @return empty if SetSlices() accepts it; otherwise the sentence that says why not
     */
    [[nodiscard]] std::string CheckSlices(uint32_t slices) const;

    /**
     * @param steps the steps that bring circuits up: attributes of the channel
     */
    void SetBringUp(const BringUp& steps);

    /**
     * Set an attribute of the controllers to be created.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetControllerAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Replace the default allocator of the fabric. This resets all attributes of allocators.
     *
     * @param type the name of its type, like ns3::lightpath::ConcaveUtilityAllocator; any other
     *        type ends the program
     */
    void SetAllocator(const std::string& type);

    /**
     * Set an attribute of the allocators to be created.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetAllocatorAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Let a scheduler decide on circuits in place of an allocator. This resets all attributes of
     * schedulers.
     *
     * @param type the name of its type, like ns3::lightpath::SolsticeScheduler; any other type ends
     *        the program
     */
    void SetScheduler(const std::string& type);

    /**
     * Set an attribute of the schedulers to be created, whose type SetScheduler() has set.
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
     * @return the allocators and schedulers that SetAlgorithm() accepts, the default first; none in
     *         the base class
     */
    virtual std::vector<CircuitAlgorithm> GetAlgorithms() const;

    /**
     * @param name a short name of an allocator or a scheduler
     * @return empty if GetAlgorithms() has it; otherwise a message that lists the known names
     */
    [[nodiscard]] std::string CheckAlgorithm(const std::string& name) const;

    /**
     * Choose the allocator or the scheduler. A name that CheckAlgorithm() rejects ends the program
     * with its message.
     *
     * @param name its short name, as in GetAlgorithms()
     */
    void SetAlgorithm(const std::string& name);

    /**
     * @return empty if wavelengths make up the bandwidth; otherwise the sentence that names another
     *         bandwidth and, if there is one, another rate of a wavelength
     */
    [[nodiscard]] virtual std::string CheckBandwidth() const;

    std::string Check(uint32_t nNodes) const override;

    /**
     * @param nNodes the number of nodes
     * @return empty if the fabric can be installed over these nodes and have a controller;
     *         otherwise the sentence that says why not, with which CreateController() ends the
     *         program
     */
    [[nodiscard]] std::string CheckController(uint32_t nNodes) const;

    /**
     * @param nNodes the number of nodes, at least 2
     * @return an allocator of the circuits between these nodes
     */
    Ptr<CircuitAllocator> CreateAllocator(uint32_t nNodes) const;

    /**
     * @param devices devices that Install() returned, two at least
     * @return an allocator of the circuits between them; it follows failures and repairs of the
     *         fabric
     */
    Ptr<CircuitAllocator> CreateAllocator(const NetDeviceContainer& devices) const;

    /**
     * @param devices devices that Install() returned, two at least
     * @return the scheduler chosen by SetScheduler(), with the lane rate and the switching delay of
     *         the fabric; it follows failures and repairs
     */
    Ptr<CircuitScheduler> CreateScheduler(const NetDeviceContainer& devices) const;

    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;

    /**
     * @param nNodes the number of nodes
     * @return a sentence if circuits have no delay, or follow what waits at all ports
     */
    std::string CheckCut(uint32_t nNodes) const override;

    using FabricHelper::Install;
    NetDeviceContainer Install(const NodeContainer& nodes) const override;

    /**
     * @return the rate of one wavelength
     */
    virtual DataRate GetWavelengthRate() const;

    /**
     * @param nNodes the number of nodes, at least 2
     * @return an allocator of the circuits between these nodes; refused by an exception of the
     *         allocator if it does not know the geometry of the fabric
     */
    Ptr<CircuitAllocator> MakeAllocator(uint32_t nNodes) const;

    /**
     * @return true if circuits can follow operations: any matching of ports fits the fabric, and
     *         circuits are switched one by one; false in the base class
     */
    virtual bool CanTurn() const
    {
        return false;
    }

    /**
     * @return the most peers that a planner should give a node
     */
    virtual uint32_t GetDegree() const = 0;

    /**
     * @return the number of circuits that the bandwidth of a node is split into
     */
    virtual uint32_t GetNCircuits() const = 0;

    /**
     * @return the least time that light takes from one node to another; 0 in the base class, where
     *         the channel alone knows it
     */
    virtual Time GetPathDelay() const
    {
        return Time(0);
    }

    /**
     * @return a controller with the attributes that have been set, of no fabric yet
     */
    Ptr<CircuitController> MakeController() const;

    /**
     * @return the darkness of a reconfiguration: the time to switch and to bring circuits up
     */
    Time GetReconfigurationTime() const;

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
     * @param wavelengths the fewest wavelengths of a node, of which it has a multiple
     * @param where the places that share them out evenly, for the message
     * @return empty if such wavelengths make up the bandwidth; otherwise an error message
     */
    std::string CheckWavelengths(uint64_t wavelengths, const std::string& where) const;

  private:
    /**
     * @param allocator the allocator that has been chosen
     * @return the allocator that the controller uses, which may wrap it; the base class returns it
     *         as it is
     */
    virtual Ptr<CircuitAllocator> Complete(Ptr<CircuitAllocator> allocator) const;

    /**
     * @param type the type of the allocator that has been chosen
     * @return empty if it can decide on circuits of this fabric; otherwise an error message. The
     *         base class accepts any type.
     */
    virtual std::string CheckAllocator(TypeId type) const;

    /**
     * @return what slices share out: its number, and its name; a single part in the base class
     */
    virtual std::pair<uint32_t, std::string> GetSliceable() const;

    /**
     * Keep a share of what slices share out; the bandwidth follows. Nothing in the base class.
     *
     * @param count the number that is left
     */
    virtual void KeepShare(uint32_t count);

    /**
     * Tell an allocator the geometry of the fabric.
     *
     * @param allocator an allocator
     * @param nNodes the number of nodes of the fabric
     */
    virtual void ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const = 0;

    /**
     * Tell an allocator which components of a fabric work, now and after each change.
     *
     * @param allocator the allocator
     * @param channel the fabric
     */
    virtual void Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const = 0;

    /**
     * Tell a scheduler the geometry of the fabric.
     *
     * @param scheduler a scheduler
     * @param nNodes the number of nodes of the fabric
     * @return empty if the fabric supports schedulers; otherwise an error message. The base class
     *         supports none.
     */
    virtual std::string PrepareScheduler(Ptr<CircuitScheduler> scheduler, uint32_t nNodes) const;

    /**
     * @param scheduler a scheduler
     * @param nNodes the number of nodes of the fabric
     * @return the sentence of PrepareScheduler(), or of the exception by which the scheduler
     *         refuses the geometry; empty if there is none
     */
    std::string TryPrepare(Ptr<CircuitScheduler> scheduler, uint32_t nNodes) const;

    /**
     * Tell a scheduler which components of a fabric work, now and whenever that changes: here
     * nothing, as the fabric has no schedules.
     *
     * @param scheduler the scheduler
     * @param channel the fabric
     */
    virtual void ConfigureScheduler(Ptr<CircuitScheduler> scheduler,
                                    Ptr<OpticalChannel> channel) const;

    /**
     * @param nNodes the number of nodes
     * @return a time that each circuit takes at least from end to end
     */
    Time GetLeastDelay(uint32_t nNodes) const;

    ObjectFactory m_controllerFactory; //!< Makes the controllers
    ObjectFactory m_allocatorFactory;  //!< Makes their allocators
    ObjectFactory m_schedulerFactory;  //!< Makes their schedulers, if there are any
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_FABRIC_HELPER_H */
