/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TRAINING_RUN_H
#define LIGHTPATH_TRAINING_RUN_H

#include "ns3/application-container.h"
#include "ns3/interconnect-helper.h"
#include "ns3/light-verdict.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"

#include <string>

/**
 * @ingroup lightpath
 * @brief One simulation of a training job on a fabric, from its nodes to the report.
 *
 * The simulator is used for nothing else meanwhile; its state goes with this object.
 */
class TrainingRun
{
  public:
    /**
     * Install the fabric.
     *
     * @param fabric the helper that installs it, which must outlive this object
     * @param gpus the number of GPUs
     */
    TrainingRun(const ns3::lightpath::InterconnectHelper& fabric, uint32_t gpus);

    ~TrainingRun();

    TrainingRun(const TrainingRun&) = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    /**
     * Give the GPUs IPv4 addresses, which a job over sockets needs; before Install().
     */
    void AssignAddresses();

    /**
     * Mark a component of the fabric, or of servers, as failed or as repaired, if it can fail.
     *
     * @param component the name of the component
     * @param failed true for a failure, false for a repair
     */
    void SetFailed(const std::string& component, bool failed) const;

    /**
     * Install the job, before Run().
     *
     * @param training the helper that installs it
     * @param plan the plan of the job, of as many ranks as there are GPUs
     * @return the applications, one a rank
     */
    const ns3::ApplicationContainer& Install(const ns3::lightpath::TrainingHelper& training,
                                             const ns3::lightpath::TrainingPlan& plan);

    /**
     * Simulate the job. A job that fails ends in std::runtime_error, which says why in one
     * sentence.
     *
     * @return the report, without the name of the fabric and the wall time and memory of the
     * simulation
     */
    ns3::lightpath::TrainingReport Run();

    /**
     * Simulate the job until a fabric has light, or to its end, to judge the first lightpaths.
     *
     * @param turns whether switches turn later
     * @return whether their light arrives
     */
    ns3::lightpath::LightVerdict FindLight(bool turns);

  private:
    /**
     * End a simulation whose job has failed.
     *
     * @param [out] failure where to put the sentence
     * @param sentence why the job failed
     */
    static void EndFailed(std::string* failure, std::string sentence);

    const ns3::lightpath::InterconnectHelper& m_fabric; //!< Installs the fabric
    ns3::NetDeviceContainer m_devices;                  //!< The devices, one a GPU
    ns3::ApplicationContainer m_applications;           //!< The applications, one a rank
    std::string m_failure;                              //!< Why the job failed; empty if it did not
};

#endif /* LIGHTPATH_TRAINING_RUN_H */
