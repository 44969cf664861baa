/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CLUSTER_TIMELINE_H
#define LIGHTPATH_CLUSTER_TIMELINE_H

#include "model/cluster/cluster-run.h"
#include "model/observation/timeline-file.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Writes the life of a cluster to a file for ui.perfetto.dev: which job holds which GPUs
 * when, how many jobs wait, and what fails.
 */
class ClusterTimeline
{
  public:
    /**
     * Create the file. Throws std::invalid_argument for an unknown ending of the name, and
     * std::runtime_error if the file cannot be written.
     *
     * @param file the name of the file
     * @param gpus the number of GPUs
     * @param jobs the jobs
     * @param components the components that fail
     */
    ClusterTimeline(const std::string& file,
                    uint32_t gpus,
                    const std::vector<ns3::lightpath::ClusterJob>& jobs,
                    const std::vector<ns3::lightpath::ClusterComponent>& components);

    /**
     * @param event what happens to the cluster
     */
    void Note(const ns3::lightpath::ClusterRun::Event& event);

    /// Complete the file. Throws std::runtime_error if it cannot be written.
    void Close();

  private:
    using Record = ns3::lightpath::TimelineRecord;   //!< An entry
    using Event = ns3::lightpath::ClusterRun::Event; //!< What happens

    /**
     * @param name a new name
     * @return its number
     */
    uint32_t AddName(const std::string& name);

    /**
     * Add an entry.
     *
     * @param type its kind
     * @param track its track
     * @param name the number of its name
     * @param value its value, if it is that of a counter
     */
    void Add(Record::Type type, uint32_t track, uint32_t name, uint64_t value = 0);

    /**
     * Show that ports are out of use, or in use again.
     *
     * @param component the component that they need
     * @param failed true if it has failed
     */
    void SetFailed(const ns3::lightpath::ClusterComponent& component, bool failed);

    ns3::lightpath::TimelineFile m_file; //!< The file
    uint32_t m_nNames{0};                //!< Names so far
    int64_t m_now{0};                    //!< The time of the event, ns
    uint32_t m_gpus;                     //!< The number of GPUs
    uint32_t m_outOfUse{0};              //!< Number of the name of ports out of use
    std::vector<uint32_t> m_jobNames;    //!< Number of the name of each job
    std::vector<uint32_t> m_failNames;   //!< Number of the name of the failure of each component
    std::vector<uint32_t> m_repairNames; //!< Number of the name of its repair
    std::vector<uint32_t> m_nFailed;     //!< Failed components that each port needs
    std::vector<ns3::lightpath::ClusterComponent> m_components; //!< The components
    uint64_t m_nBusy{0};                                        //!< GPUs with jobs
    uint64_t m_nWaiting{0};                                     //!< Jobs that wait
};

#endif /* LIGHTPATH_CLUSTER_TIMELINE_H */
