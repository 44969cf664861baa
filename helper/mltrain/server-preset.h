/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_PRESET_H
#define SERVER_PRESET_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class ServerHelper;

/**
 * @ingroup lightpath
 * @brief A server that is on the market.
 *
 * Rates are peaks of the data sheets, in one direction.
 */
struct ServerPreset
{
    std::string name;        //!< Name, like dgx-h100
    uint32_t gpus;           //!< GPUs that share a scale-up network; 1 for none
    std::string kind;        //!< Kind of that network, as ServerHelper::SetKind() takes it
    uint32_t rate;           //!< Rate of one GPU into it, Gbit/s; 0 for none
    bool reduces;            //!< Whether its switches can sum
    uint32_t cards;          //!< Cards of a server
    uint32_t cardRate;       //!< Rate of one card, Gbit/s
    std::string accelerator; //!< Its GPUs, an Accelerator, whose latencies its messages have
    std::string network;     //!< Name of the network inside
    std::string annotation;  //!< What the model simplifies; empty for nothing

    /**
     * @return all presets, in ascending order of their names
     */
    static const std::vector<ServerPreset>& GetAll();

    /**
     * @return the names of all presets
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name a name
     * @return empty if there is a preset of this name; otherwise the sentence that lists the known
     *         ones
     */
    [[nodiscard]] static std::string CheckName(const std::string& name);

    /**
     * Get a preset. A name that CheckName() rejects ends the program with its message.
     *
     * @param name the name of a preset
     * @return the preset
     */
    static const ServerPreset& Get(const std::string& name);

    /**
     * Give servers these GPUs, cards, rates and latencies, attached as
     * InterconnectHelper::GetUsualAttach() says. The time to launch a collective is that of a job
     * (TrainingHelper::SetJobAttribute()).
     *
     * @param [in,out] servers the helper of the servers
     */
    void Configure(ServerHelper& servers) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_PRESET_H */
