/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FORWARD_RECORDS_H
#define LIGHTPATH_FORWARD_RECORDS_H

#include "ns3/training-application.h"
#include "ns3/training-job.h"
#include "ns3/transport.h"

#include <sstream>
#include <string>

/**
 * @ingroup lightpath-tests
 * @param job a job
 * @return how its ranks have spent their iterations
 */
inline std::string
GetRecords(const ns3::lightpath::TrainingJob& job)
{
    std::ostringstream text;
    for (const auto& rank : job.GetRanks())
    {
        text << "\n" << rank->GetProgress() << " " << rank->GetTransport()->GetSentBytes();
        for (const ns3::lightpath::IterationRecord& record : rank->GetRecords())
        {
            text << " " << record.begin << " " << record.end;
            for (const ns3::Time& wait : record.waits)
            {
                text << " " << wait;
            }
        }
    }
    return text.str();
}

#endif /* LIGHTPATH_FORWARD_RECORDS_H */
