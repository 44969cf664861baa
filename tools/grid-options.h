/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_GRID_OPTIONS_H
#define LIGHTPATH_GRID_OPTIONS_H

#include "example-support.h"

#include "ns3/command-line.h"
#include "ns3/oddl-helper.h"
#include "ns3/string.h"

#include <algorithm>

/**
 * @ingroup lightpath
 * @brief The options of a command line that say how the grid of ODDL is.
 */
class GridOptions
{
  public:
    /**
     * @param [out] cmd the command line to add them to
     */
    void AddTo(ns3::CommandLine& cmd)
    {
        cmd.AddValue("rows", "Rows of oddl; 0: as square as GPUs allow", m_rows);
        cmd.AddValue("columns", "Columns of oddl; 0: as square as GPUs allow", m_columns);
        cmd.AddValue("transceivers", "Transceivers of a GPU at each switch", m_transceivers);
        cmd.AddValue("tuningTime", "Time to tune a laser, like 10.5ns", m_tuningTime);
        cmd.AddValue("lockTime", "Time in which a receiver locks, like 100ns", m_lockTime);
        cmd.AddValue("lookAhead",
                     "Time before the end of a flow at which the next one is requested",
                     m_lookAhead);
        cmd.AddValue("grantPolicy",
                     "Which flow a receiver takes next: fcfs, smallest-first, oldest-step-first",
                     m_grantPolicy);
        cmd.AddValue("relayPolicy",
                     "Which corner forwards: x-first, y-first, least-loaded, forbid",
                     m_relayPolicy);
    }

    /**
     * Refuse values that are wrong by themselves, and a grid where no fabric is one.
     *
     * @param fabrics the names of the fabrics
     * @param nNodes the number of nodes of each
     */
    void Check(const std::vector<std::string>& fabrics, int64_t nNodes) const
    {
        CheckRange("rows", m_rows, 0, 65536);
        CheckRange("columns", m_columns, 0, 65536);
        CheckRange("transceivers", m_transceivers, 1, 64);
        ns3::lightpath::OddlHelper oddl;
        Configure(oddl, true);
        const bool isAsked = std::find(fabrics.begin(), fabrics.end(), "oddl") != fabrics.end();
        if (isAsked)
        {
            oddl.GetGrid(static_cast<uint32_t>(nNodes));
        }
        else if (m_rows > 0 || m_columns > 0 || m_transceivers > 1)
        {
            throw std::invalid_argument("--rows, --columns and --transceivers belong to the fabric "
                                        "oddl, which is not asked for");
        }
    }

    /**
     * Have a fabric be as the options say, if it is ODDL.
     *
     * @param [out] fabric the fabric
     * @param isSet true for switches that are set from the start
     */
    void Configure(ns3::lightpath::FabricHelper& fabric, bool isSet) const
    {
        auto* oddl = dynamic_cast<ns3::lightpath::OddlHelper*>(&fabric);
        if (oddl == nullptr)
        {
            return;
        }
        oddl->SetGrid(static_cast<uint32_t>(m_rows), static_cast<uint32_t>(m_columns));
        oddl->SetTransceivers(static_cast<uint32_t>(m_transceivers));
        oddl->SetInitiallySet(isSet);
        oddl->SetChannelAttribute("TuningTime", ns3::TimeValue(ParseTime(m_tuningTime)));
        oddl->SetChannelAttribute("LockTime", ns3::TimeValue(ParseTime(m_lockTime)));
        oddl->SetUnitAttribute("LookAhead", ns3::TimeValue(ParseTime(m_lookAhead)));
        oddl->SetUnitAttribute(
            "GrantPolicy",
            ns3::StringValue(ParseWord("grantPolicy",
                                       m_grantPolicy,
                                       {{"fcfs", "Fcfs"},
                                        {"smallest-first", "SmallestFirst"},
                                        {"oldest-step-first", "OldestStepFirst"}})));
        oddl->SetUnitAttribute("RelayPolicy",
                               ns3::StringValue(ParseWord("relayPolicy",
                                                          m_relayPolicy,
                                                          {{"x-first", "XFirst"},
                                                           {"y-first", "YFirst"},
                                                           {"least-loaded", "LeastLoaded"},
                                                           {"forbid", "Forbid"}})));
    }

  private:
    int64_t m_rows{0};                    //!< Rows, 0 for what the columns leave
    int64_t m_columns{0};                 //!< Columns, 0 for what the rows leave
    int64_t m_transceivers{1};            //!< Transceivers of a GPU at each switch
    std::string m_tuningTime{"10.5ns"};   //!< Time to tune a laser
    std::string m_lockTime{"0s"};         //!< Time in which a receiver locks
    std::string m_lookAhead{"0s"};        //!< Time before an end at which the next is requested
    std::string m_grantPolicy{"fcfs"};    //!< Which flow a receiver takes next
    std::string m_relayPolicy{"x-first"}; //!< Which corner forwards
};

#endif /* LIGHTPATH_GRID_OPTIONS_H */
