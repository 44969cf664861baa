/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SERVER_OPTIONS_H
#define LIGHTPATH_SERVER_OPTIONS_H

#include "program-options.h"

#include "ns3/accelerator.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/server-helper.h"
#include "ns3/server-preset.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

/**
 * @ingroup lightpath
 * @brief The options of servers: GPUs that share a scale-up network, below any fabric.
 */
class ServerOptions
{
  public:
    /// The owner of options that only servers have.
    static constexpr const char* OWNER = "servers (--serverGpus, --server)";

    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * @return the GPUs of a server; 1 without servers
     */
    uint32_t GetGpus() const;

    /**
     * @return whether options say how many GPUs a server has
     */
    bool AreGiven() const
    {
        return m_gpus > 0 || !m_preset.empty();
    }

    /**
     * @return the rate of one GPU into the fabrics between servers of the preset; 0 without one
     */
    ns3::DataRate GetBandwidth() const;

    /**
     * @return the rate of one GPU inside its server; 0 if it is not known
     */
    ns3::DataRate GetRate() const;

    /**
     * @return the time of a message between servers of the preset besides its bytes and its path; 0
     *         without one
     */
    ns3::Time GetMessageDelay() const;

    /**
     * @return the time to launch a collective on servers of the preset; 0 without one
     */
    ns3::Time GetLaunch() const;

    /**
     * Take the accelerators of the preset, unless an option names others.
     *
     * @param [in,out] options the options of the program, which have --accelerator
     */
    void SetAccelerator(ProgramOptions& options) const;

    /**
     * Set the rate inside servers, unless an option does.
     *
     * @param bitRate the rate of one GPU, bit/s; 0 to leave it alone
     */
    void SetDefaultRate(double bitRate);

    /**
     * Set the servers that a fabric brings with it, as far as neither an option nor the accelerator
     * says otherwise.
     *
     * @param gpus the GPUs of a server
     * @param rate the rate of one GPU inside
     */
    void SetUsual(uint32_t gpus, ns3::DataRate rate);

    /**
     * Refuse, by std::invalid_argument, options that the fabric cluster does not obey, whose GPUs
     * have a card each and a switch inside the server.
     */
    void CheckCluster() const;

    /**
     * Put servers below an interconnect.
     *
     * @param outside installs what joins the servers
     * @param perServer the GPUs of a server
     * @param bandwidth the rate of one GPU into it
     * @return the helper of both
     */
    std::unique_ptr<ns3::lightpath::ServerHelper> MakeServers(
        std::unique_ptr<ns3::lightpath::InterconnectHelper> outside,
        uint32_t perServer,
        ns3::DataRate bandwidth) const;

    /**
     * @param servers the helper of servers
     * @param plan the plan of a job on them
     * @return how many servers, fabrics and ports there are, and how many ports the job uses
     */
    static nlohmann::ordered_json GetJson(const ns3::lightpath::ServerHelper& servers,
                                          const ns3::lightpath::TrainingPlan& plan);

    /**
     * @param servers the same, as GetJson() returns it
     * @return it as a line for a person
     */
    static std::string GetText(const nlohmann::ordered_json& servers);

  private:
    /**
     * @return the preset; null without one
     */
    const ns3::lightpath::ServerPreset* GetPreset() const;

    /**
     * @param figure a latency of an accelerator, in seconds
     * @return that of the GPUs of the preset; 0 without one
     */
    ns3::Time GetLatency(double ns3::lightpath::Accelerator::*figure) const;

    std::string m_preset;             //!< Name of the preset; empty without one
    uint32_t m_gpus{0};               //!< GPUs of a server; 0 for those of the preset, or one
    std::string m_kind;               //!< Kind of the scale-up networks; empty for the default
    ns3::DataRate m_rate{0};          //!< Rate inside a server, 0 for the default
    ns3::DataRate m_defaultRate{0};   //!< That of the accelerator; 0 if there is none
    uint32_t m_usualGpus{1};          //!< GPUs of a server by default
    ns3::DataRate m_usualRate{0};     //!< Rate inside that a fabric brings with it; 0 for none
    std::optional<ns3::Time> m_delay; //!< Delay inside a server; that of the preset if not given
    std::optional<bool> m_reduces;    //!< Whether switches inside sum; else as in the preset
    std::string m_attach;             //!< How GPUs are attached; empty for the default
    uint32_t m_cards{0};         //!< Cards of a server; 0 for those of the preset, or one a GPU
    ns3::DataRate m_cardRate{0}; //!< Rate of a card; 0 for that of all GPUs that share it
    bool m_crosses{true};        //!< Whether messages may cross rails inside servers
};

#endif /* LIGHTPATH_SERVER_OPTIONS_H */
