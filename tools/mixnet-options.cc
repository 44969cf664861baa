/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mixnet-options.h"

#include "ns3/mixnet-helper.h"

using namespace ns3::lightpath;

void
MixNetOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: MixNet", {NAME});
    options.AddValue("opticalCards",
                     "Cards of a server on the circuit switch of its region",
                     m_optical,
                     1,
                     1024);
    options.AddValue("electricalCards",
                     "Cards of a server on the electrical network",
                     m_electrical,
                     1,
                     1024);
    options.AddValue("regionServers",
                     "Successive servers that share a circuit switch",
                     m_region,
                     1,
                     1000000);
    options.AddValue("firstWaits",
                     "Whether the first all-to-all of a layer waits for its circuits, in place of "
                     "taking those of the one before it",
                     m_firstWaits);
}

void
MixNetOptions::Configure(InterconnectHelper& fabric) const
{
    auto* const mixnet = dynamic_cast<MixNetHelper*>(&fabric);
    if (!mixnet)
    {
        return;
    }
    mixnet->SetCards(m_optical, m_electrical);
    mixnet->SetRegion(m_region);
    mixnet->SetFirstWaits(m_firstWaits);
}
