/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-options.h"

#include "option-values.h"

#include "ns3/oddl-helper.h"

using namespace ns3;
using namespace ns3::lightpath;

GridOptions::GridOptions()
    : m_attributes({{"tuningTime", "WssGridChannel::TuningTime", "10.5ns", "Time to tune a laser"},
                    {"lockTime",
                     "WssGridChannel::LockTime",
                     "0s",
                     "Time in which a receiver locks, like 100ns"},
                    {"lookAhead",
                     "OddlControlUnit::LookAhead",
                     "0s",
                     "Time before the end of a flow at which the next one is requested"},
                    {"grantPolicy",
                     "OddlControlUnit::GrantPolicy",
                     "fcfs",
                     "Flow that a receiver takes next"},
                    {"relayPolicy",
                     "OddlControlUnit::RelayPolicy",
                     "x-first",
                     "Corner that forwards between rows and columns"}})
{
}

void
GridOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: ODDL", {"oddl"});
    options.AddValue("rows", "Rows of the grid; 0: as square as the GPUs allow", m_rows);
    options.AddValue("columns", "Columns of the grid; 0: as square as the GPUs allow", m_columns);
    options.AddValue("transceivers", "Transceivers of a GPU at each switch", m_transceivers);
    m_attributes.AddTo(options);
}

void
GridOptions::Check() const
{
    CheckRange("rows", m_rows, 0, 65536);
    CheckRange("columns", m_columns, 0, 65536);
    CheckRange("transceivers", m_transceivers, 1, 64);
}

void
GridOptions::Configure(InterconnectHelper& fabric, bool isSet, int64_t nNodes) const
{
    auto* oddl = dynamic_cast<OddlHelper*>(&fabric);
    if (oddl == nullptr)
    {
        return;
    }
    oddl->SetGrid(static_cast<uint32_t>(m_rows), static_cast<uint32_t>(m_columns));
    oddl->SetTransceivers(static_cast<uint32_t>(m_transceivers));
    oddl->SetInitiallySet(isSet);
    m_attributes.Apply("WssGridChannel", [oddl](const auto& name, const auto& value) {
        oddl->SetChannelAttribute(name, value);
    });
    // Not left to the attribute, whose default was rounded to a nanosecond before the resolution of
    // time was set
    oddl->SetChannelAttribute("TuningTime",
                              TimeValue(ParseTime(m_attributes.GetText("tuningTime"))));
    m_attributes.Apply("OddlControlUnit", [oddl](const auto& name, const auto& value) {
        oddl->SetUnitAttribute(name, value);
    });
    Require(oddl->Check(static_cast<uint32_t>(nNodes)));
}
