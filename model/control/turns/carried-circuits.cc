/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "carried-circuits.h"

namespace ns3
{
namespace lightpath
{

void
CarriedCircuits::Update(CircuitTurns& turns, std::vector<Circuit>& gone, std::vector<Circuit>& come)
{
    gone.clear();
    come.clear();
    const auto changes = turns.TakeChanges();
    for (const auto& [plane, source] : changes)
    {
        auto& carried = m_carried[plane][source];
        const auto& circuit = turns.GetCircuit(plane, source);
        if (carried && (!circuit || circuit->destination != *carried))
        {
            gone.push_back({plane, source, *carried});
            carried.reset();
        }
    }
    for (const auto& [plane, source] : changes)
    {
        auto& carried = m_carried[plane][source];
        const auto& circuit = turns.GetCircuit(plane, source);
        if (circuit && !carried)
        {
            carried = circuit->destination;
            come.push_back({plane, source, *carried});
        }
    }
}

} // namespace lightpath
} // namespace ns3
