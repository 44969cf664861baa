/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport-kind.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

const std::vector<TransportKind>&
TransportKind::GetAll()
{
    static const std::vector<TransportKind> kinds{
        {"circuit",
         "frames on the fabric itself",
         "ns3::lightpath::CircuitTransport",
         Need::CHANNEL,
         {}},
        {"relay",
         "by way of other GPUs where there is no circuit",
         "ns3::lightpath::RelayTransport",
         Need::CIRCUITS,
         {}},
        {"rotor",
         "at the slots of a periodic schedule, by way of other GPUs too",
         "ns3::lightpath::RotorTransport",
         Need::ROTORS,
         {}},
        {"tcp", "", "ns3::lightpath::SocketTransport", Need::ADDRESSES, {}},
        {"dctcp",
         "",
         "ns3::lightpath::SocketTransport",
         Need::MARKING,
         // After a mark, PRR would keep the window at what is in flight, which is nothing at the
         // end of a message; an acknowledgement held back would stall a window of two segments
         {{"CongestionControl", "ns3::lightpath::BoundedDctcp"},
          {"Recovery", "ns3::TcpClassicRecovery"},
          {"DelayedAcks", "1"}}},
        {"dcqcn", "RDMA over Ethernet", "ns3::lightpath::RdmaTransport", Need::CARDS, {}},
        {"hpcc", "the same with telemetry", "ns3::lightpath::RdmaTransport", Need::CARDS, {}},
        {"nscc", "the same with sprayed packets", "ns3::lightpath::RdmaTransport", Need::CARDS, {}},
        {"pfc", "the same with pauses alone", "ns3::lightpath::RdmaTransport", Need::CARDS, {}},
    };
    return kinds;
}

const TransportKind*
TransportKind::Find(const std::string& name)
{
    const auto& kinds = GetAll();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&name](const TransportKind& each) {
        return each.name == name;
    });
    return kind == kinds.end() ? nullptr : &*kind;
}

bool
TransportKind::UsesSockets() const
{
    return need == Need::ADDRESSES || need == Need::MARKING;
}

} // namespace lightpath
} // namespace ns3
