/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "search-budget.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

SearchBudget::SearchBudget(uint64_t evaluations, double seconds)
    : m_maxEvaluations(evaluations),
      m_maxSeconds(seconds),
      m_begin(std::chrono::steady_clock::now())
{
}

void
SearchBudget::SetListener(std::function<void(uint64_t, uint64_t)> listener)
{
    m_listener = std::move(listener);
}

void
SearchBudget::Charge(uint64_t evaluations)
{
    m_evaluations += evaluations;
    if (m_listener)
    {
        m_listener(m_evaluations, m_maxEvaluations);
    }
}

uint64_t
SearchBudget::Extend(uint64_t evaluations)
{
    const uint64_t more = std::min(evaluations, UINT64_MAX - m_maxEvaluations);
    m_maxEvaluations += more;
    return more;
}

bool
SearchBudget::HasRoom(uint64_t evaluations) const
{
    if (m_evaluations + evaluations > m_maxEvaluations)
    {
        return false;
    }
    if (m_maxSeconds <= 0)
    {
        return true;
    }
    const double elapsed = GetElapsedSeconds();
    const double pace = m_evaluations > 0 ? elapsed / static_cast<double>(m_evaluations) : 1e-3;
    // A single evaluation is risked as long as there is time, several only if they are in time
    return elapsed < m_maxSeconds &&
           (evaluations <= 1 || elapsed + pace * static_cast<double>(evaluations) < m_maxSeconds);
}

bool
SearchBudget::HasTime(double share) const
{
    return m_maxSeconds <= 0 || GetElapsedSeconds() < share * m_maxSeconds;
}

uint64_t
SearchBudget::GetEvaluations() const
{
    return m_evaluations;
}

SearchBudget::Part
SearchBudget::GetPart(uint64_t numerator, uint64_t denominator) const
{
    const uint64_t left = m_maxEvaluations - std::min(m_maxEvaluations, m_evaluations);
    Part part{m_evaluations + left * numerator / denominator,
              std::numeric_limits<double>::infinity()};
    if (m_maxSeconds > 0)
    {
        const double elapsed = GetElapsedSeconds();
        part.seconds = elapsed + (m_maxSeconds - elapsed) * static_cast<double>(numerator) /
                                     static_cast<double>(denominator);
    }
    return part;
}

bool
SearchBudget::IsWithin(const Part& part, uint64_t evaluations) const
{
    return m_evaluations + evaluations <= part.evaluations &&
           (m_maxSeconds <= 0 || GetElapsedSeconds() < part.seconds);
}

uint64_t
SearchBudget::GetMaxEvaluations() const
{
    return m_maxEvaluations;
}

double
SearchBudget::GetElapsedSeconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
}

void
SearchBudget::Record(double best, double bound)
{
    m_progress.push_back({m_evaluations, GetElapsedSeconds(), best, bound});
}

const std::vector<SearchProgress>&
SearchBudget::GetProgress() const
{
    return m_progress;
}

} // namespace lightpath
} // namespace ns3
