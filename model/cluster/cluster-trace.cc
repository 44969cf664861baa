/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-trace.h"

#include "model/base/read-line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Seconds of a day.
constexpr int64_t DAY = 86400;

/**
 * @param year a year
 * @param month a month, from 1
 * @param day a day of the month, from 1
 * @return the days since the first of March of the year 0
 */
int64_t
CountDays(int64_t year, int64_t month, int64_t day)
{
    // Years begin in March, so that a leap day is their last
    const int64_t whole = month > 2 ? year : year - 1;
    const int64_t months = month > 2 ? month - 3 : month + 9;
    return 365 * whole + whole / 4 - whole / 100 + whole / 400 + (153 * months + 2) / 5 + day - 1;
}

/**
 * Read a line of values between commas, which may be quoted (RFC 4180).
 *
 * @param is where to read
 * @param where the place of the line, for the sentence that refuses one that is too long
 * @param [out] values the values; previous content is lost
 * @return false at the end
 */
bool
ReadValues(std::istream& is, const std::string& where, std::vector<std::string>& values)
{
    values.assign(1, "");
    bool isQuoted = false;
    std::size_t size = 0;
    char c = 0;
    for (; is.get(c) && (isQuoted || c != '\n'); ++size)
    {
        if (size == LONGEST_LINE)
        {
            throw std::invalid_argument(where + " has more than " + std::to_string(LONGEST_LINE) +
                                        " bytes: is it the trace of a cluster?");
        }
        if (c == '"')
        {
            // Two quotes within quotes are one
            const bool isDouble = isQuoted && is.peek() == '"';
            values.back() += isDouble ? std::string(1, static_cast<char>(is.get())) : "";
            isQuoted = isDouble || !isQuoted;
        }
        else if (c == ',' && !isQuoted)
        {
            values.emplace_back();
        }
        else if (c != '\r' || isQuoted)
        {
            values.back() += c;
        }
    }
    return size > 0 || is;
}

/**
 * @param text a number
 * @param where the place of the text, for the sentence that refuses it
 * @return the number, 0 or more
 */
double
ReadNumber(const std::string& text, const std::string& where)
{
    std::size_t end = 0;
    double number = -1;
    try
    {
        number = std::stod(text, &end);
    }
    catch (const std::exception&)
    {
        end = 0;
    }
    if (end == 0 || end != text.size() || !(number >= 0 && number < 1e15))
    {
        throw std::invalid_argument(where + " has '" + text +
                                    "' in place of a number of at least 0");
    }
    return number;
}

/**
 * @param text a time, like 2020-04-01 00:04:21
 * @param where the place of the text, for the sentence that refuses it
 * @return the seconds since the first of March of the year 0
 */
double
ReadTime(const std::string& text, const std::string& where)
{
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (std::sscanf(text.c_str(),
                    "%4d-%2d-%2d%*1[ T]%2d:%2d:%2d",
                    &year,
                    &month,
                    &day,
                    &hour,
                    &minute,
                    &second) != 6 ||
        year < 1 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 ||
        minute < 0 || minute > 59 || second < 0 || second > 60)
    {
        throw std::invalid_argument(where + " has '" + text +
                                    "' in place of a time like 2020-04-01 00:04:21");
    }
    return static_cast<double>(CountDays(year, month, day) * DAY + hour * 3600 + minute * 60 +
                               second);
}

/**
 * @param random random numbers
 * @return a number between 0 and 1, without both, the same with each library
 */
double
DrawShare(std::mt19937_64& random)
{
    return (static_cast<double>(random() >> 11) + 0.5) / 9007199254740992.0;
}

/**
 * Sort jobs by their submission, and count time from the first.
 *
 * @param [in,out] jobs the jobs
 */
void
SortJobs(std::vector<TraceJob>& jobs)
{
    std::stable_sort(jobs.begin(), jobs.end(), [](const TraceJob& a, const TraceJob& b) {
        return a.submitted < b.submitted;
    });
    const double first = jobs.empty() ? 0 : jobs.front().submitted;
    for (TraceJob& job : jobs)
    {
        job.submitted -= first;
    }
}

} // namespace

std::vector<TraceJob>
ClusterTrace::Read(std::istream& is, const std::string& name)
{
    std::vector<std::string> values;
    ReadValues(is, name + ", line 1,", values);
    std::map<std::string, std::size_t> columns;
    for (const auto& head : values)
    {
        columns.emplace(head, columns.size());
    }
    for (const std::string head : {"job_id", "gpu_num", "submit_time", "duration"})
    {
        if (columns.count(head) == 0)
        {
            throw std::invalid_argument(name + " has no column " + head +
                                        " in its first line: a trace of a cluster has job_id, "
                                        "gpu_num, submit_time and duration");
        }
    }
    std::vector<TraceJob> jobs;
    for (uint64_t number = 2;; ++number)
    {
        const std::string where = name + ", line " + std::to_string(number) + ",";
        if (!ReadValues(is, where, values))
        {
            break;
        }
        if (values == std::vector<std::string>{""})
        {
            continue;
        }
        if (values.size() != columns.size())
        {
            throw std::invalid_argument(where + " has " + std::to_string(values.size()) +
                                        " values for " + std::to_string(columns.size()) +
                                        " columns");
        }
        const double gpus = ReadNumber(values[columns["gpu_num"]], where);
        const std::string& duration = values[columns["duration"]];
        TraceJob job{values[columns["job_id"]],
                     ReadTime(values[columns["submit_time"]], where),
                     static_cast<uint32_t>(std::min(std::ceil(gpus), 4e9)),
                     duration.empty() ? 0 : ReadNumber(duration, where)};
        if (job.gpus > 0 && job.duration > 0)
        {
            jobs.push_back(std::move(job));
        }
    }
    SortJobs(jobs);
    return jobs;
}

std::vector<TraceJob>
ClusterTrace::ReadFile(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        throw std::invalid_argument("The trace " + path + " cannot be opened: give a file to read");
    }
    auto jobs = Read(file, path);
    if (jobs.empty())
    {
        throw std::invalid_argument("The trace " + path + " has no job with GPUs and a duration");
    }
    return jobs;
}

std::vector<TraceJob>
ClusterTrace::Draw(const TraceStatistics& statistics)
{
    std::mt19937_64 random(statistics.seed);
    const auto sizes = static_cast<uint64_t>(std::log2(statistics.largest)) + 1;
    std::vector<TraceJob> jobs(statistics.jobs);
    for (TraceJob& job : jobs)
    {
        job.submitted = statistics.seconds * DrawShare(random);
        job.gpus = uint32_t{1} << random() % sizes;
        // Box and Muller
        const double radius = std::sqrt(-2 * std::log(DrawShare(random)));
        const double normal = radius * std::cos(2 * std::acos(-1.0) * DrawShare(random));
        job.duration =
            std::ceil(statistics.medianSeconds * std::exp(statistics.deviation * normal));
    }
    SortJobs(jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        jobs[i].name = std::to_string(i);
    }
    return jobs;
}

void
ClusterTrace::Write(const std::vector<TraceJob>& jobs, std::ostream& os)
{
    os << "job_id,gpu_num,submit_time,duration\n";
    // The first of January 2020, UTC
    constexpr std::time_t origin = 1577836800;
    for (const TraceJob& job : jobs)
    {
        const std::time_t time = origin + static_cast<std::time_t>(job.submitted);
        os << job.name << ',' << job.gpus << ','
           << std::put_time(std::gmtime(&time), "%Y-%m-%d %H:%M:%S") << ','
           << static_cast<int64_t>(job.duration) << '\n';
    }
}

} // namespace lightpath
} // namespace ns3
