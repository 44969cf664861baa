/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-timeline.h"

#include <cmath>

using namespace ns3::lightpath;

namespace
{

// Numbers of the tracks behind those of the GPUs, from the number of GPUs on
constexpr uint32_t FAULTS = 0;  //!< Failures and repairs
constexpr uint32_t BUSY = 1;    //!< GPUs with jobs
constexpr uint32_t WAITING = 2; //!< Jobs that wait

// Numbers of the processes
constexpr uint32_t CLUSTER = 0; //!< What concerns the whole cluster
constexpr uint32_t GPUS = 1;    //!< The GPUs

} // namespace

ClusterTimeline::ClusterTimeline(const std::string& file,
                                 uint32_t gpus,
                                 const std::vector<ClusterJob>& jobs,
                                 const std::vector<ClusterComponent>& components)
    : m_file(file, 0),
      m_gpus(gpus),
      m_nFailed(gpus),
      m_components(components)
{
    const auto declare =
        [this](Record::Type type, uint32_t track, const std::string& name, uint32_t process = 0) {
            Record record;
            record.type = type;
            record.track = track;
            record.name = AddName(name);
            record.category = process;
            m_file.Add(record);
        };
    declare(Record::PROCESS, CLUSTER, "cluster");
    declare(Record::PROCESS, GPUS, "GPUs");
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        declare(Record::THREAD, gpu, "GPU " + std::to_string(gpu), GPUS);
    }
    declare(Record::THREAD, gpus + FAULTS, "failures and repairs", CLUSTER);
    declare(Record::COUNTER, gpus + BUSY, "GPUs with jobs", CLUSTER);
    declare(Record::COUNTER, gpus + WAITING, "jobs that wait", CLUSTER);
    m_outOfUse = AddName("out of use");
    for (const ClusterJob& job : jobs)
    {
        m_jobNames.push_back(AddName("job " + job.name + ", " + job.model));
    }
    for (const ClusterComponent& component : components)
    {
        m_failNames.push_back(AddName(component.name + " fails"));
        m_repairNames.push_back(AddName(component.name + " works again"));
    }
}

uint32_t
ClusterTimeline::AddName(const std::string& name)
{
    m_file.AddName(name);
    return m_nNames++;
}

void
ClusterTimeline::Add(Record::Type type, uint32_t track, uint32_t name, uint64_t value)
{
    Record record;
    record.type = type;
    record.track = track;
    record.name = name;
    record.category = name;
    record.time = m_now;
    record.value = value;
    m_file.Add(record);
}

void
ClusterTimeline::Note(const Event& event)
{
    m_now = std::llround(1e9 * event.time);
    if (event.kind == Event::FAILED || event.kind == Event::REPAIRED)
    {
        const bool failed = event.kind == Event::FAILED;
        Add(Record::INSTANT, m_gpus + FAULTS, (failed ? m_failNames : m_repairNames)[event.number]);
        SetFailed(m_components[event.number], failed);
        return;
    }
    const bool begins = event.kind == Event::STARTED;
    for (std::size_t i = 0; event.ports && i < event.ports->size(); ++i)
    {
        Add(begins ? Record::BEGIN : Record::END, (*event.ports)[i], m_jobNames[event.number]);
    }
    if (event.ports)
    {
        m_nBusy += begins ? event.ports->size() : -event.ports->size();
        Add(Record::VALUE, m_gpus + BUSY, 0, m_nBusy);
    }
    if (event.kind != Event::ENDED)
    {
        begins ? --m_nWaiting : ++m_nWaiting;
        Add(Record::VALUE, m_gpus + WAITING, 0, m_nWaiting);
    }
}

void
ClusterTimeline::SetFailed(const ClusterComponent& component, bool failed)
{
    if (component.isBypassed)
    {
        return;
    }
    for (const uint32_t port : component.ports)
    {
        const bool changes = failed ? m_nFailed[port]++ == 0 : --m_nFailed[port] == 0;
        if (changes)
        {
            Add(failed ? Record::BEGIN : Record::END, port, m_outOfUse);
        }
    }
}

void
ClusterTimeline::Close()
{
    m_file.Close();
}
