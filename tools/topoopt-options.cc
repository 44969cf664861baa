/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topoopt-options.h"

#include "option-values.h"

#include "ns3/topo-opt-helper.h"

using namespace ns3;
using namespace ns3::lightpath;

void
TopoOptOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: TopoOpt", {"topoopt"});
    options.AddValue("degree", "Links of a GPU, which share its bandwidth", m_degree, 1, 1024);
    options.AddValue("setupDelay",
                     "Darkness while an optical switch sets the links at the beginning, like 10ms; "
                     "0s: a patch panel, set before",
                     "0s",
                     [this](const std::string& text) { m_switchingDelay = ParseTime(text); });
}

void
TopoOptOptions::Configure(InterconnectHelper& fabric) const
{
    if (auto* const topoOpt = dynamic_cast<TopoOptHelper*>(&fabric))
    {
        topoOpt->SetDegree(m_degree);
        topoOpt->SetSwitchingDelay(m_switchingDelay);
    }
}
