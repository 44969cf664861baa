/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-watch.h"

#include "model/training/report-format.h"

#include "ns3/global-value.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>
#include <unistd.h>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The simulation that is watched; null if there is none.
RunWatch* g_watch = nullptr;

/// Seconds between two lines.
constexpr double INTERVAL = 0.2;

/**
 * @ingroup lightpath
 * @brief A scheduler that lets a simulation be watched.
 */
class WatchedScheduler : public PriorityQueueScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::WatchedScheduler")
                                .SetParent<PriorityQueueScheduler>()
                                .SetGroupName("Lightpath")
                                .AddConstructor<WatchedScheduler>();
        return tid;
    }

    Event RemoveNext() override
    {
        constexpr uint64_t events = 4096;
        if (++m_nEvents % events == 0 && g_watch)
        {
            g_watch->Look();
        }
        return PriorityQueueScheduler::RemoveNext();
    }

  private:
    uint64_t m_nEvents{0}; //!< Events that were taken
};

NS_OBJECT_ENSURE_REGISTERED(WatchedScheduler);

} // namespace

ProgressLine::ProgressLine(bool isShown)
    : m_isShown(isShown && isatty(STDERR_FILENO))
{
}

ProgressLine::~ProgressLine()
{
    Show("");
}

void
ProgressLine::Show(const std::string& text) const
{
    if (m_isShown)
    {
        std::cerr << "\r\033[K" << text << std::flush;
    }
}

void
RunWatch::UseScheduler()
{
    GlobalValue::Bind("SchedulerType", StringValue(WatchedScheduler::GetTypeId().GetName()));
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
RunWatch::EndIteration(uint32_t iteration)
{
    m_ended = iteration;
}

void
RunWatch::Look()
{
    const double seconds = m_meter.GetWallSeconds();
    if (seconds > m_shown + INTERVAL)
    {
        m_shown = seconds;
        m_line.Show(m_name + ": " + std::to_string(m_ended) + " of " +
                    std::to_string(m_iterations) + " iterations, " +
                    FormatSeconds(Simulator::Now().GetSeconds()) + " simulated in " +
                    FormatLongTime(seconds));
    }
    if (m_limit > 0 && seconds > m_limit)
    {
        Simulator::Stop();
    }
}
