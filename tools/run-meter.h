/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RUN_METER_H
#define LIGHTPATH_RUN_METER_H

#include <chrono>
#include <cstdint>

/**
 * @ingroup lightpath
 * @brief Measures the wall time and the peak memory of one simulation.
 */
class RunMeter
{
  public:
    RunMeter();

    /**
     * @return the seconds since the meter was made
     */
    double GetWallSeconds() const;

    /**
     * @return the largest memory of the process since the last meter was made, bytes; 0 if the
     *         system does not tell
     */
    static uint64_t GetPeakMemoryBytes();

  private:
    std::chrono::steady_clock::time_point m_begin; //!< When the meter was made
};

#endif /* LIGHTPATH_RUN_METER_H */
