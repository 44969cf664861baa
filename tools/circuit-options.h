/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CIRCUIT_OPTIONS_H
#define LIGHTPATH_CIRCUIT_OPTIONS_H

#include "attribute-options.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/fabric-channel.h"
#include "ns3/nstime.h"
#include "ns3/oddl-helper.h"
#include "ns3/ring-geometry.h"
#include "ns3/type-id.h"

#include <cstdint>
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
 * @param name continuity or load-only
 * @return the resource that a lightpath of a ring keeps to itself
 */
ns3::lightpath::RingGeometry::WavelengthMode ParseWavelengthMode(const std::string& name);

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
     * Refuse allocators that none of the fabrics has, attributes that none of the allocators has,
     * and failures where nothing can fail.
     *
     * @param fabrics the names of the fabrics
     * @param nNodes the number of nodes of each
     */
    void Check(const std::vector<std::string>& fabrics, int64_t nNodes) const;

    /**
     * Set the wavelengths of a fabric, before it is given a bandwidth, which must be a multiple of
     * theirs.
     *
     * @param [out] fabric the fabric
     */
    void ConfigureRate(ns3::lightpath::CircuitFabricHelper& fabric) const;

    /**
     * Set up a fabric in all else; values that it cannot have are refused.
     *
     * @param [out] fabric the fabric
     * @param nNodes the number of its nodes
     */
    void Configure(ns3::lightpath::CircuitFabricHelper& fabric, int64_t nNodes) const;

    /**
     * Refuse failures of components that a fabric does not have.
     *
     * @param fabric the fabric
     * @param nNodes the number of its nodes
     */
    void CheckFaults(const ns3::lightpath::FabricHelper& fabric, int64_t nNodes) const;

    /**
     * @return whether the first circuits take the time to be switched
     */
    bool HasInitialSwitching() const;

    /**
     * Schedule the failures and repairs of components.
     *
     * @param channel the fabric
     */
    void ScheduleFaults(ns3::Ptr<ns3::lightpath::FabricChannel> channel) const;

    /**
     * @return whether there is one decision only
     */
    bool DecidesOnce() const;

  private:
    /// A failure or a repair.
    struct Fault
    {
        std::string component; //!< Name of the component
        bool failed{true};     //!< Whether it fails, or is repaired
        ns3::Time time;        //!< When
    };

    /**
     * @return the failures and repairs
     */
    std::vector<Fault> GetFaults() const;

    /**
     * @return the word for the Trigger of the controller: as given, or by the decision interval
     */
    std::string GetTrigger() const;

    /**
     * Choose the algorithm of a fabric: the first one given that the fabric has, or else its
     * default.
     *
     * @param [out] fabric the fabric
     * @return the type of the algorithm
     */
    ns3::TypeId ChooseAlgorithm(ns3::lightpath::CircuitFabricHelper& fabric) const;

    /**
     * Set up the controllers of a fabric.
     *
     * @param [out] fabric the fabric
     */
    void ConfigureController(ns3::lightpath::CircuitFabricHelper& fabric) const;

    AttributeOptions m_attributes;              //!< Of channels and controllers
    std::vector<std::string> m_allocators;      //!< Short names of allocators
    std::vector<std::string> m_settings;        //!< Attributes of the allocator
    std::string m_decisionTime{"0s"};           //!< Time that a decision takes, or "measured"
    std::string m_wavelengthMode{"continuity"}; //!< What a lightpath of the ring keeps
    std::string m_wavelengthRate;               //!< Rate of a wavelength, empty for the default
    int64_t m_switches{0};                      //!< Parallel circuit switches, 0 for the default
    std::vector<std::string> m_faults;          //!< Failures and repairs
};

#endif /* LIGHTPATH_CIRCUIT_OPTIONS_H */
