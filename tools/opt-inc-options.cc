/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "opt-inc-options.h"

#include "option-values.h"

#include "ns3/opt-inc-helper.h"

#include <algorithm>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

void
OptIncOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: OptINC", {"optinc"});
    options.AddValue("averageBits", "Bits of a word that the network averages", m_bits);
    options.AddValue("averageBlock", "Gradients that share a scale", m_blockSize);
    options.AddValue("averager", "What averages: constructive, exact, mesh, trained", m_averager);
    options.AddValue("cascade", "Two levels of networks: none, naive, fraction", m_cascade);
    options.AddValue("cascadeGroup", "GPUs of a group of the first level", m_groupSize);
}

void
OptIncOptions::Check(const std::vector<std::string>& fabrics) const
{
    CheckRange("averageBits", m_bits, 2, 16);
    CheckRange("averageBlock", m_blockSize, 1, 1000000);
    CheckRange("cascadeGroup", m_groupSize, 1, 1000000);
    const auto count = std::count(fabrics.begin(), fabrics.end(), "optinc");
    if (count > 0 && static_cast<std::size_t>(count) < fabrics.size())
    {
        throw std::invalid_argument("--compare needs one plan for all fabrics, but optinc averages "
                                    "gradients, which no other fabric does: simulate it by "
                                    "itself, with --fabric=optinc");
    }
}

void
OptIncOptions::Configure(InterconnectHelper& fabric) const
{
    auto* optInc = dynamic_cast<OptIncHelper*>(&fabric);
    if (optInc)
    {
        optInc->SetBits(static_cast<uint32_t>(m_bits));
        optInc->SetBlockSize(static_cast<uint32_t>(m_blockSize));
        optInc->SetAverager(m_averager);
        optInc->SetCascade(OptIncHelper::GetCascade(m_cascade), static_cast<uint32_t>(m_groupSize));
    }
}
