/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-meter.h"

#include <fstream>
#include <sstream>
#include <string>

RunMeter::RunMeter()
    : m_begin(std::chrono::steady_clock::now())
{
    // Linux resets the peak: earlier simulations of this process do not count
    std::ofstream("/proc/self/clear_refs") << "5";
}

double
RunMeter::GetWallSeconds() const
{
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - m_begin;
    return passed.count();
}

uint64_t
RunMeter::GetPeakMemoryBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
    {
        std::istringstream words(line);
        std::string key;
        uint64_t kibibytes = 0;
        if (words >> key >> kibibytes && key == "VmHWM:")
        {
            return kibibytes * 1024;
        }
    }
    return 0;
}
