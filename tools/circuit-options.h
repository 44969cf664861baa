/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CIRCUIT_OPTIONS_H
#define LIGHTPATH_CIRCUIT_OPTIONS_H

#include "ns3/circuit-fabric-helper.h"
#include "ns3/command-line.h"
#include "ns3/fabric-channel.h"
#include "ns3/nstime.h"
#include "ns3/oddl-helper.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * Get the values of an option that may be given again and again, which ns-3 would take the last of.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 * @return the values of all --attribute options, separated by commas
 */
std::string JoinAttributes(int argc, char* argv[]);

/**
 * Split the setting of an attribute; a setting that is none, an attribute that the type does not
 * have and a value that it cannot have are refused by std::invalid_argument.
 *
 * @param type the type that has the attribute
 * @param setting the setting, like Name=Value
 * @return name and value
 */
std::pair<std::string, std::string> ParseAttribute(ns3::TypeId type, const std::string& setting);

/**
 * @ingroup lightpath
 * @brief The options of a command line that say how circuits are switched and decided on.
 */
class CircuitOptions
{
  public:
    /**
     * @param [out] cmd the command line to add them to
     */
    void AddTo(ns3::CommandLine& cmd);

    /**
     * Take the values of all --attribute options, of which ns3::CommandLine keeps the last.
     *
     * @param argc the number of arguments
     * @param argv the arguments
     */
    void SetAttributes(int argc, char* argv[]);

    /**
     * Refuse values that are wrong by themselves, allocators that none of the fabrics knows, and
     * failures where nothing can fail.
     *
     * @param fabrics the names of the fabrics
     * @param nNodes the number of nodes of each
     */
    void Check(const std::vector<std::string>& fabrics, int64_t nNodes) const;

    /**
     * Have the wavelengths of a fabric be as the options say, before it is given a bandwidth, which
     * must be a multiple of theirs.
     *
     * @param [out] fabric the fabric
     */
    void ConfigureRate(ns3::lightpath::CircuitFabricHelper& fabric) const;

    /**
     * Have a fabric be as the options say in all else; values that it cannot have are refused.
     *
     * @param [out] fabric the fabric
     * @param nNodes the number of its nodes
     */
    void Configure(ns3::lightpath::CircuitFabricHelper& fabric, int64_t nNodes) const;

    /**
     * Refuse failures of what ODDL does not have.
     *
     * @param oddl the fabric
     * @param nNodes the number of its nodes
     */
    void CheckGrid(const ns3::lightpath::OddlHelper& oddl, int64_t nNodes) const;

    /**
     * @return true if the first circuits, or those of a job, take the time to be switched
     */
    bool HasInitialSwitching() const;

    /**
     * Have components of a fabric fail and be mended; nothing for one that knows no failures.
     *
     * @param channel the fabric
     */
    void ScheduleFaults(ns3::Ptr<ns3::lightpath::FabricChannel> channel) const;

    /**
     * @return true if there is one decision only
     */
    bool DecidesOnce() const;

  private:
    /// A component that fails or is mended.
    struct Fault
    {
        std::string component; //!< Its name
        bool failed{true};     //!< Whether it fails
        ns3::Time time;        //!< When
    };

    /**
     * @return the failures and repairs
     */
    std::vector<Fault> GetFaults() const;

    /**
     * @return the Trigger of the controller: as given, or else by the decision interval
     */
    std::string GetTrigger() const;

    /**
     * Choose what decides: the first of the allocators given that the fabric knows, or else its
     * own.
     *
     * @param [out] fabric the fabric
     * @return the type of what decides
     */
    ns3::TypeId ChooseAlgorithm(ns3::lightpath::CircuitFabricHelper& fabric) const;

    /**
     * @param [out] fabric the fabric, whose controllers are to decide as the options say
     */
    void ConfigureController(ns3::lightpath::CircuitFabricHelper& fabric) const;

    std::string m_reconfigurationDelay;         //!< Darkness, empty for the default
    std::string m_allocator;                    //!< Short names of allocators, or empty
    std::string m_attributes;                   //!< Of what decides, separated by commas
    std::string m_trigger;                      //!< What decisions wait for, or empty
    std::string m_decisionInterval{"0s"};       //!< Time between decisions
    std::string m_demandSource;                 //!< What decisions are made for, or empty
    std::string m_decisionTime{"0s"};           //!< Time that a decision takes, or "measured"
    std::string m_pauseMode{"global"};          //!< What is dark while circuits are switched
    std::string m_frameCut{"resume"};           //!< What becomes of frames that darkness meets
    std::string m_wavelengthMode{"continuity"}; //!< What a lightpath of the ring has to itself
    bool m_fibreByFibre{false};                 //!< Fibres are switched one after the other
    bool m_initialSwitching{true};              //!< The first circuits are switched to as well
    std::string m_wavelengthRate;               //!< Rate of a wavelength, empty for the default
    int64_t m_switches{0};                      //!< Parallel circuit switches, 0 for the default
    std::string m_fail;                         //!< Failures and repairs, separated by commas
};

#endif /* LIGHTPATH_CIRCUIT_OPTIONS_H */
