/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SERVER_OPTIONS_H
#define LIGHTPATH_SERVER_OPTIONS_H

#include "example-support.h"

#include "ns3/cluster-helper.h"
#include "ns3/command-line.h"
#include "ns3/electrical-switch-helper.h"

/**
 * @ingroup lightpath
 * @brief The options of a command line that say how GPUs share servers.
 */
class ServerOptions
{
  public:
    /**
     * @param [out] cmd the command line to add them to
     */
    void AddTo(ns3::CommandLine& cmd)
    {
        cmd.AddValue("serverGpus", "GPUs of a server (electrical, cluster)", m_gpus);
        cmd.AddValue("serverRate", "Rate of one GPU inside its server, like 2400Gbps", m_rate);
        cmd.AddValue("serverDelay", "Delay inside a server, like 1us", m_serverDelay);
        cmd.AddValue("delay", "Delay of the electrical switch, like 5us", m_delay);
        cmd.AddValue("collectiveLatency", "Time to launch a collective, like 10us", m_launch);
    }

    /**
     * Refuse values that are wrong by themselves, and servers where no fabric can have them.
     *
     * @param fabrics the names of the fabrics
     */
    void Check(const std::vector<std::string>& fabrics) const
    {
        CheckRange("serverGpus", m_gpus, 1, 1000000);
        ns3::lightpath::ElectricalSwitchHelper electrical;
        Configure(electrical, GetGpus());
        GetCollectiveLatency();
        bool isElectrical = false;
        bool hasServers = false;
        for (const auto& name : fabrics)
        {
            const auto fabric = ns3::lightpath::InterconnectHelper::Create(name);
            isElectrical = isElectrical || dynamic_cast<ns3::lightpath::ElectricalSwitchHelper*>(
                                               fabric.get()) != nullptr;
            hasServers = hasServers || isElectrical ||
                         dynamic_cast<ns3::lightpath::ClusterHelper*>(fabric.get()) != nullptr;
        }
        if ((!hasServers && m_gpus > 1) || (!isElectrical && m_delay != "0s"))
        {
            throw std::invalid_argument(
                "--serverGpus and --delay belong to the electrical fabric, which is not asked for, "
                "and --serverGpus to cluster, too");
        }
    }

    /**
     * @param bitRate the rate of one GPU inside its server, bit/s, unless the options have one; 0
     *        for none
     */
    void SetDefaultRate(double bitRate)
    {
        if (m_rate.empty() && bitRate > 0)
        {
            m_rate = std::to_string(static_cast<uint64_t>(bitRate)) + "bps";
        }
    }

    /**
     * @return the number of GPUs of a server
     */
    uint32_t GetGpus() const
    {
        return static_cast<uint32_t>(m_gpus);
    }

    /**
     * Have a fabric be as the options say, if it has servers.
     *
     * @param [out] fabric the fabric
     * @param serverGpus the number of nodes of a server, if the options ask for servers
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric, uint32_t serverGpus) const
    {
        if (auto* const cluster = dynamic_cast<ns3::lightpath::ClusterHelper*>(&fabric))
        {
            constexpr uint32_t gpus = 8;
            cluster->SetServers(m_gpus > 1 ? serverGpus : gpus,
                                ParseRate(m_rate.empty() ? "2400Gbps" : m_rate));
            return;
        }
        auto* electrical = dynamic_cast<ns3::lightpath::ElectricalSwitchHelper*>(&fabric);
        if (electrical == nullptr)
        {
            return;
        }
        electrical->SetDelay(ParseTime(m_delay));
        const ns3::Time serverDelay = ParseTime(m_serverDelay);
        if (m_gpus > 1)
        {
            if (m_rate.empty())
            {
                throw std::invalid_argument(
                    "--serverGpus=" + std::to_string(m_gpus) +
                    " needs the rate inside a server: give --serverRate, like 2400Gbps");
            }
            electrical->SetServers(serverGpus, ParseRate(m_rate), serverDelay);
        }
    }

    /**
     * @return the time to launch a collective operation
     */
    ns3::Time GetCollectiveLatency() const
    {
        return ParseTime(m_launch);
    }

  private:
    int64_t m_gpus{1};               //!< GPUs of a server
    std::string m_rate;              //!< Rate inside a server, empty for the default
    std::string m_serverDelay{"0s"}; //!< Delay inside a server
    std::string m_delay{"0s"};       //!< Delay between servers
    std::string m_launch{"0s"};      //!< Time to launch a collective operation
};

#endif /* LIGHTPATH_SERVER_OPTIONS_H */
