/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_HYBRID_OPTIONS_H
#define LIGHTPATH_HYBRID_OPTIONS_H

#include "example-support.h"

#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/training-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of a command line that say which messages leave an optical fabric for an
 * electrical network beside it.
 */
class HybridOptions
{
  public:
    /**
     * @param [out] cmd the command line to add them to
     */
    void AddTo(ns3::CommandLine& cmd)
    {
        cmd.AddValue("nicBandwidth",
                     "Rate of one GPU into the electrical network of a hybrid fabric, as of "
                     "sip-ring+fat-tree",
                     m_bandwidth);
        cmd.AddValue("smallMessage",
                     "Bytes of a message that always goes electrically there, at most",
                     m_smallMessage);
        cmd.AddValue("bulkMessage",
                     "Bytes of a message that always goes optically there, at least; 0 for none",
                     m_bulkMessage);
        cmd.AddValue("waitLimit",
                     "How long others wait there for a lightpath before they go electrically",
                     m_waitLimit);
    }

    /**
     * Refuse values that are wrong by themselves, and options that no fabric looks at.
     *
     * @param names the names of the fabrics, which a transport may follow
     */
    void Check(const std::vector<std::string>& names) const
    {
        CheckRange("smallMessage", m_smallMessage, 0, INT64_MAX);
        CheckRange("bulkMessage", m_bulkMessage, 0, INT64_MAX);
        ParseTime(m_waitLimit);
        GetBandwidth();
        const bool isHybrid = std::any_of(names.begin(), names.end(), [](const auto& name) {
            return name.find('+') != std::string::npos;
        });
        const HybridOptions defaults;
        if (!isHybrid && (m_bandwidth != defaults.m_bandwidth || m_smallMessage > 0 ||
                          m_bulkMessage > 0 || m_waitLimit != defaults.m_waitLimit))
        {
            throw std::invalid_argument("--nicBandwidth, --smallMessage, --bulkMessage and "
                                        "--waitLimit belong to hybrid fabrics, like "
                                        "sip-ring+fat-tree, which are not asked for");
        }
        if (m_bulkMessage > 0 && m_bulkMessage <= m_smallMessage)
        {
            throw std::invalid_argument(
                "--bulkMessage=" + std::to_string(m_bulkMessage) +
                " must be more than --smallMessage=" + std::to_string(m_smallMessage) + ", or 0");
        }
    }

    /**
     * @return the rate of one GPU into the electrical network
     */
    ns3::DataRate GetBandwidth() const
    {
        return ParseRate(m_bandwidth);
    }

    /**
     * Have a job send its messages as the options say.
     *
     * @param [out] training what installs the job
     * @param frameSize the most bytes of a frame on the optical fabric, 0 for bursts
     */
    void Configure(ns3::lightpath::TrainingHelper& training, uint64_t frameSize) const
    {
        training.SetHybridAttribute("FrameSize", ns3::UintegerValue(frameSize));
        training.SetHybridAttribute("SmallMessage", ns3::UintegerValue(m_smallMessage));
        training.SetHybridAttribute("BulkMessage", ns3::UintegerValue(m_bulkMessage));
        training.SetHybridAttribute("WaitLimit", ns3::TimeValue(ParseTime(m_waitLimit)));
    }

  private:
    std::string m_bandwidth{"200Gbps"}; //!< Rate of one GPU into the electrical network
    int64_t m_smallMessage{0};          //!< Bytes of a message that goes electrically, at most
    int64_t m_bulkMessage{0};           //!< Bytes of one that goes optically, at least; 0 for none
    std::string m_waitLimit{"0s"};      //!< How long messages wait for a lightpath
};

#endif /* LIGHTPATH_HYBRID_OPTIONS_H */
