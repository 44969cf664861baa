/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-preset.h"

#include "helper/optical/refusal.h"

#include "ns3/abort.h"
#include "ns3/accelerator.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/server-helper.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

const std::vector<ServerPreset>&
ServerPreset::GetAll()
{
    // Gbit/s in one direction are 8 times the GB/s of data sheets, which count both directions of
    // NVLink together. A TPU has six links of 45 or 100 GB/s, and no other network.
    static const std::vector<ServerPreset> presets = {
        {"dgx-a100", 8, "switch", 2400, false, 8, 200, "A100", "NVLink 3 and NVSwitch", ""},
        {"dgx-h100", 8, "switch", 3600, true, 8, 400, "H100", "NVLink 4 and NVSwitch", ""},
        {"dgx-h200", 8, "switch", 3600, true, 8, 400, "H200", "NVLink 4 and NVSwitch", ""},
        {"dgx-v100",
         8,
         "switch",
         1200,
         false,
         4,
         100,
         "V100",
         "NVLink 2 in a hybrid cube mesh",
         "the six links of a GPU are a switch of their rate"},
        {"gb200-nvl72", 72, "switch", 7200, true, 72, 400, "GB200", "NVLink 5 and NVSwitch", ""},
        {"gb300-nvl72", 72, "switch", 7200, true, 72, 800, "GB300", "NVLink 5 and NVSwitch", ""},
        {"hgx-b200", 8, "switch", 7200, true, 8, 400, "B200", "NVLink 5 and NVSwitch", ""},
        {"hgx-b300", 8, "switch", 7200, true, 8, 800, "B300", "NVLink 5 and NVSwitch", ""},
        {"mi300x",
         8,
         "mesh",
         3584,
         false,
         8,
         400,
         "MI300X",
         "Infinity Fabric, a link for each pair",
         ""},
        {"mi355x",
         8,
         "mesh",
         4284,
         false,
         8,
         400,
         "MI355X",
         "Infinity Fabric, a link for each pair",
         ""},
        {"rubin-nvl144",
         72,
         "switch",
         14400,
         true,
         72,
         1600,
         "Rubin",
         "NVLink 6 and NVSwitch",
         "announced figures; a GPU has two of the 144 dies"},
        {"tpu-v4",
         1,
         "switch",
         0,
         false,
         1,
         2160,
         "TPU-v4",
         "none: a chip is a node of the torus",
         "the six links of the interchip interconnect are one card"},
        {"tpu-v7",
         1,
         "switch",
         0,
         false,
         1,
         4800,
         "TPU-v7",
         "none: a chip is a node of the torus",
         "the six links of the interchip interconnect are one card"},
    };
    return presets;
}

std::vector<std::string>
ServerPreset::GetNames()
{
    std::vector<std::string> names;
    for (const auto& preset : GetAll())
    {
        names.push_back(preset.name);
    }
    return names;
}

std::string
ServerPreset::CheckName(const std::string& name)
{
    return CheckKnown("server", name, GetNames());
}

const ServerPreset&
ServerPreset::Get(const std::string& name)
{
    const std::string refusal = CheckName(name);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    return *std::find_if(GetAll().begin(), GetAll().end(), [&name](const auto& preset) {
        return preset.name == name;
    });
}

void
ServerPreset::Configure(ServerHelper& servers) const
{
    constexpr uint64_t giga = 1000000000;
    const Accelerator gpu = Accelerator::Create(accelerator);
    InterconnectHelper& outside = servers.GetOutside();
    // A GPU alone sends nothing inside its server
    servers.SetServers(gpus,
                       DataRate(giga * (gpus > 1 ? rate : cardRate)),
                       Seconds(gpu.serverLatency));
    outside.SetMessageDelay(Seconds(gpu.networkLatency));
    servers.SetKind(kind);
    servers.SetReduces(reduces);
    const Attach attach = outside.GetUsualAttach(gpus, cards);
    const bool hasCards = attach == Attach::RAIL || attach == Attach::CARDS;
    servers.SetAttach(attach, hasCards ? cards : 0);
    servers.SetBandwidth(DataRate(giga * cardRate * cards / gpus));
}

} // namespace lightpath
} // namespace ns3
