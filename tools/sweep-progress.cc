/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep-progress.h"

#include <cmath>
#include <iostream>
#include <string>
#include <unistd.h>

namespace
{

/// Characters of the bar.
constexpr std::size_t WIDTH = 30;

/**
 * @param seconds a time
 * @return it in words, rounded up
 */
std::string
Describe(double seconds)
{
    if (seconds < 90)
    {
        return std::to_string(std::lround(std::ceil(seconds))) + " s";
    }
    const long minutes = std::lround(std::ceil(seconds / 60));
    return minutes < 90
               ? std::to_string(minutes) + " min"
               : std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

} // namespace

SweepProgress::SweepProgress(bool isShown)
    : m_isShown(isShown && isatty(STDERR_FILENO) != 0),
      m_begin(std::chrono::steady_clock::now())
{
}

SweepProgress::~SweepProgress()
{
    if (m_isShown)
    {
        std::cerr << "\r\033[K" << std::flush;
    }
}

void
SweepProgress::Show(std::size_t done, std::size_t all) const
{
    if (!m_isShown || all == 0)
    {
        return;
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - m_begin;
    const std::size_t filled = done * WIDTH / all;
    std::cerr << "\r\033[K[" << std::string(filled, '#') << std::string(WIDTH - filled, '-') << "] "
              << done << " of " << all << " runs";
    if (done > 0 && done < all)
    {
        std::cerr << ", about " << Describe(passed.count() / done * (all - done)) << " left";
    }
    std::cerr << std::flush;
}
