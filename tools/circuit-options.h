/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CIRCUIT_OPTIONS_H
#define LIGHTPATH_CIRCUIT_OPTIONS_H

#include "attribute-options.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @param fabric the name of a fabric
 * @return the names of its allocators and schedulers, separated by commas
 */
std::string ListAlgorithms(const std::string& fabric);

/**
 * @ingroup lightpath
 * @brief Choose the allocator or scheduler of a fabric.
 *
 * @param [out] fabric the fabric
 * @param name the name of the algorithm; std::invalid_argument if the fabric has none of this name
 * @param settings attributes like Name=Value, of which those are set that the algorithm has
 * @return the algorithm
 */
ns3::lightpath::CircuitAlgorithm SetAlgorithm(ns3::lightpath::CircuitFabricHelper& fabric,
                                              const std::string& name,
                                              const std::vector<std::string>& settings);

/**
 * @ingroup lightpath
 * @return the option that says what a lightpath of a ring keeps to itself
 */
const AttributeOption& GetWavelengthMode();

/**
 * @ingroup lightpath
 * @brief The options of fabrics of circuits, and of the control of circuits.
 */
class CircuitOptions
{
  public:
    CircuitOptions();

    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Add the options that say how many circuits of switches there are, when they turn, and for how
     * long they are then dark.
     *
     * @param options the options of the program
     */
    void AddTurns(ProgramOptions& options);

    /**
     * Refuse allocators that none of the fabrics has, attributes that none of the allocators has,
     * and failures where nothing can fail.
     *
     * @param fabrics the names of the fabrics
     * @param nNodes the number of nodes of each
     * @param hasParts whether there are servers or networks for RDMA, whose parts can fail
     */
    void Check(const std::vector<std::string>& fabrics, int64_t nNodes, bool hasParts) const;

    /**
     * Set up a fabric; values that it cannot have are refused.
     *
     * @param [out] fabric the fabric
     * @param nNodes the number of its nodes
     */
    void Configure(ns3::lightpath::CircuitFabricHelper& fabric, int64_t nNodes) const;

    /**
     * Refuse failures of components that an interconnect does not have, if any of its components
     * can fail.
     *
     * @param interconnect the interconnect
     * @param nNodes the number of its nodes
     */
    void CheckFaults(const ns3::lightpath::InterconnectHelper& interconnect, int64_t nNodes) const;

    /**
     * Set the steps that bring up circuits, unless they are part of the published times.
     *
     * @tparam T a type of helpers
     * @param [out] fabric the fabric
     */
    template <class T>
    void ConfigureBringUp(T& fabric) const
    {
        if (m_bringUp != "published")
        {
            fabric.SetBringUp(ns3::lightpath::BringUp::Create(m_bringUp));
        }
    }

    /// Let the first circuits serve from the start.
    void DisableInitialSwitching();

    /**
     * @return whether the first circuits take the time to be switched
     */
    bool HasInitialSwitching() const;

    /**
     * @return whether components fail or are repaired
     */
    bool HasFaults() const
    {
        return !m_faults.empty();
    }

    /// Marks a component as failed, or as repaired.
    using FaultCallback = std::function<void(const std::string&, bool)>;

    /**
     * Schedule the failures and repairs of components.
     *
     * @param apply is called at the time of each
     */
    void ScheduleFaults(const FaultCallback& apply) const;

    /**
     * @param end the end of a run
     * @return a line for each failure and repair after it; empty if there is none
     */
    std::string DescribeUnreached(ns3::Time end) const;

    /**
     * Let a job wait for repairs that are scheduled: it is stalled when they have not helped.
     *
     * @param job a TrainingJob
     */
    void AwaitRepairs(ns3::Object& job) const;

    /**
     * @return whether there is one decision only
     */
    bool DecidesOnce() const;

    /**
     * @return true if the first circuits stay as long as they serve, whatever is decided later
     */
    bool KeepsCircuits() const;

    /**
     * @return true if later decisions can serve pairs that the first one leaves without circuits
     */
    bool ServesInTurn() const;

  private:
    /**
     * Add the options of circuit switches.
     *
     * @param options the options of the program
     */
    void AddSwitches(ProgramOptions& options);

    /// A failure or a repair.
    struct Fault
    {
        std::string component; //!< Name of the component
        bool failed;           //!< Whether it fails, or is repaired
        ns3::Time time;        //!< When
    };

    /**
     * @param list failures and repairs, separated by commas
     */
    void AddFaults(const std::string& list);

    /**
     * @return the word for the Trigger of the controller: as given, or by the decision interval
     */
    std::string GetTrigger() const;

    /**
     * Choose the algorithm of a fabric: the first one given that the fabric has, or else its
     * default.
     *
     * @param [out] fabric the fabric
     * @return the algorithm
     */
    ns3::lightpath::CircuitAlgorithm ChooseAlgorithm(
        ns3::lightpath::CircuitFabricHelper& fabric) const;

    AttributeOptions m_ring;                       //!< Of the channel of a ring
    AttributeOptions m_banks;                      //!< Attributes of circuit switches
    AttributeOptions m_turns;                      //!< When circuits turn, and how long
    AttributeOptions m_attributes;                 //!< Of channels and controllers
    std::vector<std::string> m_allocators;         //!< Short names of allocators
    std::vector<std::string> m_settings;           //!< Attributes of the allocator
    std::string m_bringUp{"published"};            //!< Steps that bring up circuits, by name
    ns3::Time m_decisionTime;                      //!< Time that a decision takes
    bool m_isMeasured{false};                      //!< Whether that is the time of its computation
    std::optional<ns3::DataRate> m_wavelengthRate; //!< Rate of a wavelength, unless the default
    uint32_t m_switches{0};                        //!< Parallel circuit switches, 0 for the default
    std::vector<Fault> m_faults;                   //!< Failures and repairs
};

#endif /* LIGHTPATH_CIRCUIT_OPTIONS_H */
