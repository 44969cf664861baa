/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-options.h"

#include "option-values.h"

#include "ns3/rotor-helper.h"

#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

void
RotorOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: rotors", {"opera", "rotornet", "sirius"});
    options.AddValue(
        "uplinks",
        "Uplinks of a port, which share its bandwidth; 0: as many as divide the ports, at "
        "most 8, or 4 on rotornet",
        m_nUplinks,
        0,
        65536);
    options.AddValue("slotTime",
                     "Time from one turn of the rotors to the next, like 100us; default by fabric",
                     "",
                     [this](const std::string& text) { m_slotTime = ParseTime(text); });
    options.AddValue("darkTime",
                     "Time for which an uplink is dark when it turns, like 10us; default by fabric",
                     "",
                     [this](const std::string& text) { m_darkTime = ParseTime(text); });
    options.AddValue("discipline",
                     "What goes through other GPUs: direct (nothing), balanced (what others have "
                     "room for), expander (short messages, over several hops), valiant (all); "
                     "default by fabric",
                     m_discipline);
    options.AddValue("shortMessage",
                     "Smallest message that waits for its own slot, with the discipline expander, "
                     "bytes",
                     m_shortMessage,
                     0,
                     1000000000000);
    options.AddValue("speedUp",
                     "Rate of all uplinks of a GPU over its bandwidth, like 1.5",
                     m_speedUp);
}

void
RotorOptions::Configure(InterconnectHelper& fabric, int64_t ports) const
{
    auto* const rotors = dynamic_cast<RotorHelper*>(&fabric);
    if (!rotors)
    {
        return;
    }
    if (m_nUplinks > 0)
    {
        rotors->SetNUplinks(m_nUplinks);
    }
    const uint32_t most = rotors->GetNUplinks();
    rotors->SetSpeedUp(m_speedUp);
    rotors->SetShortMessage(static_cast<uint64_t>(m_shortMessage));
    if (m_slotTime)
    {
        rotors->SetSlotTime(*m_slotTime);
    }
    if (m_darkTime)
    {
        rotors->SetDarkTime(*m_darkTime);
    }
    if (!m_discipline.empty())
    {
        Require(RotorHelper::CheckDiscipline(m_discipline));
        rotors->SetDiscipline(m_discipline);
    }
    const auto nPorts = static_cast<uint32_t>(ports);
    const uint32_t possible = nPorts > 1 && m_speedUp >= 1 ? rotors->FindNUplinks(nPorts) : 0;
    if (possible > most || (possible > 0 && m_nUplinks > 0 && possible != most))
    {
        throw std::invalid_argument(
            "There is no schedule of " + std::to_string(most) + " uplinks for " +
            std::to_string(ports) +
            " ports, whose number they must divide: give --uplinks=" + std::to_string(possible));
    }
    if (possible > 0)
    {
        rotors->SetNUplinks(possible);
    }
}
