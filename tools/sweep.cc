/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep.h"

#include "helper/shell-words.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

using namespace ns3::lightpath;

namespace
{

/// Most rows of a sweep.
constexpr std::size_t MOST_ROWS = 1000000;

/**
 * @param words the options of a run
 * @return them as a part of a command line
 */
std::string
Join(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words)
    {
        text += (text.empty() ? "" : " ") + ShellWords::Quote(word);
    }
    return text;
}

} // namespace

Sweep::Sweep(const std::vector<SweepLine>& lines,
             const SweepProgram& program,
             const SweepStore& store)
    : m_program(program),
      m_store(store)
{
    std::map<std::vector<std::string>, std::size_t> known;
    for (const auto& line : lines)
    {
        m_columns.label = m_columns.label || !line.label.empty();
        for (const auto& name : line.grid.GetNames())
        {
            program.CheckOption(name);
            auto& options = m_columns.options;
            if (std::find(options.begin(), options.end(), name) == options.end())
            {
                options.push_back(name);
            }
            m_columns.bound = m_columns.bound || name == "explain";
        }
        for (const auto& run : line.grid.GetRuns())
        {
            const auto [at, isNew] = known.emplace(run.GetCanonicalWords(), m_runs.size());
            if (isNew)
            {
                m_runs.push_back(run);
            }
            m_rows.push_back({line.label, at->second});
        }
        if (m_rows.size() > MOST_ROWS)
        {
            throw std::invalid_argument("The sweep has more than " + std::to_string(MOST_ROWS) +
                                        " rows: make several of it");
        }
    }
    for (std::size_t i = 0; i < m_runs.size(); ++i)
    {
        if (auto found = store.Find(m_runs[i]))
        {
            m_finished[i] = std::move(*found);
        }
    }
}

void
Sweep::TakeShare(uint64_t i, uint64_t n)
{
    const auto isOther = [i, n](const Row& row) { return row.run % n != i - 1; };
    m_rows.erase(std::remove_if(m_rows.begin(), m_rows.end(), isOther), m_rows.end());
}

std::vector<std::size_t>
Sweep::FindMissing() const
{
    std::vector<std::size_t> missing;
    std::vector<bool> isKnown(m_runs.size());
    for (const auto& row : m_rows)
    {
        if (m_finished.count(row.run) == 0 && !isKnown[row.run])
        {
            missing.push_back(row.run);
            isKnown[row.run] = true;
        }
    }
    return missing;
}

Sweep::Summary
Sweep::Run(ProcessPool& pool, const Progress& progress)
{
    const auto missing = FindMissing();
    const auto words = GetMissing();
    Summary summary;
    std::map<std::size_t, std::string> failures;
    std::size_t done = 0;
    const auto ended = [&](std::size_t i, const ProcessPool::Outcome& outcome) {
        SweepResult result = SweepProgram::Judge(outcome);
        if (result.failure.empty())
        {
            m_store.Write(m_runs[missing[i]], result);
            m_finished[missing[i]] = std::move(result);
        }
        else
        {
            failures[i] = "The run " + Join(words[i]) + " " + result.failure;
        }
        progress(++done, missing.size());
    };
    progress(0, missing.size());
    summary.interrupted = !pool.Run(missing.size(), m_program.MakeBody(words), ended);
    for (const auto& failure : failures)
    {
        summary.failures.push_back(failure.second);
    }
    return summary;
}

std::vector<std::vector<std::string>>
Sweep::GetMissing() const
{
    std::vector<std::vector<std::string>> missing;
    for (const std::size_t run : FindMissing())
    {
        missing.push_back(m_runs[run].GetWords());
    }
    return missing;
}

std::size_t
Sweep::GetNFinished() const
{
    return std::count_if(m_rows.begin(), m_rows.end(), [this](const Row& row) {
        return m_finished.count(row.run) > 0;
    });
}

std::size_t
Sweep::GetNRefused() const
{
    return std::count_if(m_rows.begin(), m_rows.end(), [this](const Row& row) {
        const auto found = m_finished.find(row.run);
        return found != m_finished.end() && !found->second.refusal.empty();
    });
}

std::size_t
Sweep::GetNRows() const
{
    return m_rows.size();
}

SweepTable
Sweep::GetTable(bool measure) const
{
    auto columns = m_columns;
    columns.measure = measure;
    SweepTable table(columns);
    for (const auto& row : m_rows)
    {
        const auto found = m_finished.find(row.run);
        if (found != m_finished.end())
        {
            table.AddRow(row.label, m_runs[row.run], found->second);
        }
    }
    return table;
}
