/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-watch.h"

#include "model/parallel/ordered-scheduler.h"
#include "model/parallel/process-group.h"
#include "model/training/run/report-format.h"
#include "option-values.h"

#include "ns3/global-value.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/search-planner.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The simulation that is watched; null if there is none.
RunWatch* g_watch = nullptr;

/// Seconds between two changes of the line of a terminal.
constexpr double MOVE_INTERVAL = 0.2;

/// Seconds between two lines elsewhere, unless another time is asked for.
constexpr double LINE_INTERVAL = 10;

/// Seconds between two lines that were asked for; 0 for no lines.
double g_lineInterval = 0;

/**
 * @ingroup lightpath
 * @brief A scheduler that lets a simulation be watched.
 *
 * @tparam T what it is but for that
 */
template <typename T>
class WatchedScheduler : public T
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        const std::string name = T::GetTypeId().GetName();
        static TypeId tid = TypeId("ns3::lightpath::Watched" + name.substr(name.rfind(':') + 1))
                                .template SetParent<T>()
                                .SetGroupName("Lightpath")
                                .template AddConstructor<WatchedScheduler<T>>();
        return tid;
    }

    /**
     * @return the next event, of which it counts one more
     */
    Scheduler::Event RemoveNext() override
    {
        constexpr uint64_t events = 4096;
        if (++m_nEvents % events == 0 && g_watch)
        {
            g_watch->Look();
        }
        return T::RemoveNext();
    }

  private:
    uint64_t m_nEvents{0}; //!< Events that were taken
};

} // namespace

void
ProgressLine::AddOption(ProgramOptions& options)
{
    options.Add(
        {"progress",
         "Without a terminal, print how far the program is every 10 s, or as often as given, "
         "like 1min",
         "",
         {},
         true,
         [](const std::string& text) {
             const bool isTime = text != "true" && text != "false";
             g_lineInterval = isTime           ? ParseTime(text).GetSeconds()
                              : text == "true" ? LINE_INTERVAL
                                               : 0;
             if (isTime && g_lineInterval <= 0)
             {
                 throw std::invalid_argument("the time between two lines must be above 0");
             }
         }});
}

ProgressLine::ProgressLine(bool isShown)
    : m_begin(std::chrono::steady_clock::now()),
      m_isMoving(isShown && isatty(STDERR_FILENO)),
      m_interval(m_isMoving ? MOVE_INTERVAL
                 : isShown  ? g_lineInterval
                            : 0)
{
}

ProgressLine::~ProgressLine()
{
    if (m_isMoving)
    {
        Show("");
    }
}

bool
ProgressLine::IsDue() const
{
    return m_interval > 0 && GetSeconds() > m_shown + m_interval;
}

void
ProgressLine::Show(const std::string& text)
{
    m_shown = GetSeconds();
    if (m_isMoving)
    {
        std::cerr << "\r\033[K" << text << std::flush;
    }
    else if (m_interval > 0)
    {
        std::cerr << text << std::endl;
    }
}

double
ProgressLine::GetSeconds() const
{
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - m_begin;
    return passed.count();
}

std::string
ProgressLine::Describe(double share) const
{
    const double done = std::min(1.0, share);
    std::string text = std::to_string(static_cast<uint32_t>(100 * done)) + " %";
    if (done > 0)
    {
        text += ", " + FormatLongTime(GetSeconds() * (1 - done) / done) + " left";
    }
    return text;
}

PlanWatch::PlanWatch(const std::string& name, Ptr<Planner> planner, bool isShown)
    : m_line(isShown),
      m_name(name)
{
    if (isatty(STDERR_FILENO))
    {
        m_line.Show(m_name);
    }
    m_search = DynamicCast<SearchPlanner>(planner);
    if (m_search)
    {
        m_search->TraceConnectWithoutContext("Evaluations", MakeCallback(&PlanWatch::Look, this));
    }
}

PlanWatch::~PlanWatch()
{
    if (m_search)
    {
        m_search->TraceDisconnectWithoutContext("Evaluations",
                                                MakeCallback(&PlanWatch::Look, this));
    }
}

void
PlanWatch::Look(uint64_t evaluations, uint64_t most)
{
    if (m_line.IsDue() && most > 0)
    {
        m_line.Show(m_name + ": " + std::to_string(evaluations) + " of " + std::to_string(most) +
                    " evaluations in " + FormatLongTime(m_line.GetSeconds()) + ", " +
                    m_line.Describe(static_cast<double>(evaluations) / most));
    }
}

void
RunWatch::UseScheduler()
{
    const TypeId type = ProcessGroup::IsJoined()
                            ? WatchedScheduler<OrderedScheduler>::GetTypeId()
                            : WatchedScheduler<PriorityQueueScheduler>::GetTypeId();
    GlobalValue::Bind("SchedulerType", StringValue(type.GetName()));
}

RunWatch::RunWatch(const std::string& name, uint32_t iterations, double limit, bool isShown)
    : m_line(isShown),
      m_name(name),
      m_iterations(iterations),
      m_limit(limit)
{
    g_watch = this;
}

RunWatch::~RunWatch()
{
    g_watch = nullptr;
}

void
RunWatch::SetExpected(double seconds)
{
    m_expected = seconds;
}

void
RunWatch::SetMostEvents(uint64_t events)
{
    m_most = events;
}

void
RunWatch::EndIteration(uint32_t iteration)
{
    const double now = Simulator::Now().GetSeconds();
    m_ended = iteration;
    m_expected = now - m_end;
    m_end = now;
}

double
RunWatch::GetShare() const
{
    const double passed = Simulator::Now().GetSeconds() - m_end;
    const double part = m_expected > 0 ? std::min(1.0, passed / m_expected) : 0;
    return (m_ended + part) / m_iterations;
}

void
RunWatch::Look()
{
    const double seconds = m_line.GetSeconds();
    if (m_line.IsDue())
    {
        std::ostringstream rate;
        rate << std::setprecision(3) << Simulator::GetEventCount() / seconds;
        m_line.Show(m_name + ": " + std::to_string(m_ended) + " of " +
                    std::to_string(m_iterations) + " iterations, " +
                    FormatSeconds(Simulator::Now().GetSeconds()) + " simulated in " +
                    FormatLongTime(seconds) + ", " + rate.str() + " events/s, " +
                    m_line.Describe(GetShare()));
    }
    if ((m_limit > 0 && seconds > m_limit) || (m_most > 0 && Simulator::GetEventCount() > m_most))
    {
        Simulator::Stop();
    }
}
