/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_OPT_INC_OPTIONS_H
#define LIGHTPATH_OPT_INC_OPTIONS_H

#include "example-support.h"

#include "ns3/command-line.h"
#include "ns3/opt-inc-helper.h"

#include <algorithm>

/**
 * @ingroup lightpath
 * @brief The options of a command line that say how a network averages gradients.
 */
class OptIncOptions
{
  public:
    /**
     * @param [out] cmd the command line to add them to
     */
    void AddTo(ns3::CommandLine& cmd)
    {
        cmd.AddValue("averageBits", "Bits of a word that optinc averages", m_bits);
        cmd.AddValue("averageBlock", "Gradients that share a scale on optinc", m_blockSize);
        cmd.AddValue("averager",
                     "What averages on optinc: constructive, exact, mesh, trained",
                     m_averager);
        cmd.AddValue("cascade", "Two levels of optinc: none, naive, fraction", m_cascade);
        cmd.AddValue("cascadeGroup", "GPUs of a group of the first level", m_groupSize);
    }

    /**
     * Refuse values that are wrong by themselves, options that no fabric looks at, and a network
     * that averages beside fabrics that do not, as they cannot have a plan in common.
     *
     * @param fabrics the names of the fabrics
     */
    void Check(const std::vector<std::string>& fabrics) const
    {
        CheckRange("averageBits", m_bits, 2, 16);
        CheckRange("averageBlock", m_blockSize, 1, 1000000);
        CheckRange("cascadeGroup", m_groupSize, 1, 1000000);
        ns3::lightpath::OptIncHelper helper;
        Configure(helper);
        const auto count = std::count(fabrics.begin(), fabrics.end(), "optinc");
        const OptIncOptions defaults;
        if (count == 0 && (m_bits != defaults.m_bits || m_blockSize != defaults.m_blockSize ||
                           m_averager != defaults.m_averager || m_cascade != defaults.m_cascade))
        {
            throw std::invalid_argument("--averageBits, --averageBlock, --averager and --cascade "
                                        "belong to the fabric optinc, which is not asked for");
        }
        if (count > 0 && static_cast<std::size_t>(count) < fabrics.size())
        {
            throw std::invalid_argument("--compare needs one plan for all fabrics, but optinc "
                                        "averages gradients, which no other fabric does: simulate "
                                        "it by itself, with --fabric=optinc");
        }
    }

    /**
     * Have a fabric be as the options say, if it averages.
     *
     * @param [out] fabric the fabric
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric) const
    {
        using ns3::lightpath::OptIncHelper;
        auto* optInc = dynamic_cast<OptIncHelper*>(&fabric);
        if (optInc)
        {
            optInc->SetBits(static_cast<uint32_t>(m_bits));
            optInc->SetBlockSize(static_cast<uint32_t>(m_blockSize));
            optInc->SetAverager(m_averager);
            optInc->SetCascade(OptIncHelper::GetCascade(m_cascade),
                               static_cast<uint32_t>(m_groupSize));
        }
    }

  private:
    int64_t m_bits{8};               //!< Bits of a word
    int64_t m_blockSize{256};        //!< Gradients that share a scale
    std::string m_averager{"exact"}; //!< Kind of averager
    std::string m_cascade{"none"};   //!< Kind of cascade
    int64_t m_groupSize{4};          //!< GPUs of a group of the first level
};

#endif /* LIGHTPATH_OPT_INC_OPTIONS_H */
