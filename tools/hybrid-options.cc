/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hybrid-options.h"

#include "option-values.h"

#include "ns3/uinteger.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

HybridOptions::HybridOptions()
    : m_attributes({{"smallMessage",
                     "HybridTransport::SmallMessage",
                     "0",
                     "Largest message that goes electrically, bytes; 0: none"},
                    {"bulkMessage",
                     "HybridTransport::BulkMessage",
                     "0",
                     "Smallest message that waits for a lightpath however long, bytes; 0: none"},
                    {"waitLimit",
                     "HybridTransport::WaitLimit",
                     "0s",
                     "Time that messages wait for a lightpath before they go electrically"}})
{
}

void
HybridOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: hybrids, like sip-ring+fat-tree",
                       {"a hybrid fabric like sip-ring+fat-tree"});
    options.AddValue("nicBandwidth", "Rate of one GPU into the electrical network", m_bandwidth);
    m_attributes.AddTo(options);
}

void
HybridOptions::Check() const
{
    GetBandwidth();
    const std::string small = m_attributes.GetText("smallMessage");
    const std::string bulk = m_attributes.GetText("bulkMessage");
    if (m_attributes.IsChanged("bulkMessage") && std::stoull(bulk) <= std::stoull(small))
    {
        throw std::invalid_argument("--bulkMessage=" + bulk +
                                    " must be more than --smallMessage=" + small + ", or 0");
    }
}

DataRate
HybridOptions::GetBandwidth() const
{
    return ParseRate(m_bandwidth);
}

void
HybridOptions::Configure(TrainingHelper& training, uint64_t frameSize) const
{
    training.SetHybridAttribute("FrameSize", UintegerValue(frameSize));
    m_attributes.Apply("HybridTransport", [&training](const auto& name, const auto& value) {
        training.SetHybridAttribute(name, value);
    });
}
