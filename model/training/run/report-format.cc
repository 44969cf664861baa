/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-format.h"

#include "ns3/rank-groups.h"

#include <iomanip>
#include <sstream>

namespace ns3
{
namespace lightpath
{

double
ToSeconds(Time time)
{
    return static_cast<double>(time.GetTimeStep()) / Seconds(1).GetTimeStep();
}

std::string
FormatSeconds(double seconds)
{
    std::ostringstream text;
    text << std::showpoint << std::setprecision(4);
    // Means of whole ticks may leave less than one by rounding
    if (seconds >= 0 && seconds < 1e-12)
    {
        text << "0";
    }
    else if (seconds < 1e-9)
    {
        text << seconds * 1e12 << " ps";
    }
    else if (seconds < 1e-6)
    {
        text << seconds * 1e9 << " ns";
    }
    else if (seconds < 1e-3)
    {
        text << seconds * 1e6 << " us";
    }
    else if (seconds < 1)
    {
        text << seconds * 1e3 << " ms";
    }
    else
    {
        text << seconds << " s";
    }
    return text.str();
}

std::string
FormatLongTime(double seconds)
{
    std::ostringstream text;
    text << std::setprecision(3) << std::showpoint;
    if (seconds < 60)
    {
        text << seconds << " s";
    }
    else if (seconds < 3600)
    {
        text << seconds / 60 << " min";
    }
    else if (seconds < 48 * 3600)
    {
        text << seconds / 3600 << " h";
    }
    else
    {
        text << std::fixed << std::setprecision(1) << seconds / 86400 << " days";
    }
    return text.str();
}

std::string
GetParallelismName(std::size_t group)
{
    static const char* const names[N_GROUP_KINDS] =
        {"tensor", "data", "pipeline", "pipeline", "expert", "data", "context", "data"};
    return group < N_GROUP_KINDS ? names[group] : "other";
}

} // namespace lightpath
} // namespace ns3
