/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CLUSTER_FAILURE_OPTIONS_H
#define LIGHTPATH_CLUSTER_FAILURE_OPTIONS_H

#include "helper/mltrain/cluster-components.h"
#include "program-options.h"

#include <cstdint>
#include <string>

/**
 * @ingroup lightpath
 * @brief The options of failures of a cluster, and of what jobs do about them.
 */
class ClusterFailureOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which all of these are added
     */
    void AddTo(ProgramOptions& options);

    /// Throw std::invalid_argument for values that are out of range.
    void Check() const;

    /**
     * @return true if any component fails
     */
    bool HasFailures() const;

    /**
     * @param fabric installs the fabric
     * @param gpus the number of GPUs
     * @param isBypassing whether circuits are switched past components that have failed
     * @param seed the seed of the random numbers
     * @return how the components of the cluster fail
     */
    ns3::lightpath::ClusterFailures Get(const ns3::lightpath::InterconnectHelper& fabric,
                                        uint32_t gpus,
                                        bool isBypassing,
                                        uint32_t seed) const;

    uint32_t spare{0}; //!< GPUs kept free for jobs that failures have stopped

  private:
    /**
     * @return how often components fail
     */
    ns3::lightpath::ClusterReliability GetReliability() const;

    std::string m_name{"none"};                 //!< Published failures
    double m_repairDays{5.535};                 //!< Mean days until a component works again
    double m_repairMedian{0.8506};              //!< Median of these days; 0: exponential
    ns3::lightpath::ClusterFailures m_failures; //!< What jobs do about failures
    /// Years between failures in place of the published ones, unless below 0
    ns3::lightpath::ClusterReliability m_given{-1, -1, -1, -1};
};

#endif /* LIGHTPATH_CLUSTER_FAILURE_OPTIONS_H */
