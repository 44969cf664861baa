/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_HYBRID_OPTIONS_H
#define LIGHTPATH_HYBRID_OPTIONS_H

#include "attribute-options.h"

#include "ns3/data-rate.h"
#include "ns3/training-helper.h"

#include <cstdint>
#include <string>

/**
 * @ingroup lightpath
 * @brief The options of hybrid fabrics: which messages go electrically.
 */
class HybridOptions
{
  public:
    HybridOptions();

    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse values that contradict each other.
     */
    void Check() const;

    /**
     * @return the rate of one GPU into the electrical network
     */
    ns3::DataRate GetBandwidth() const;

    /**
     * Set up the transport of a job.
     *
     * @param [out] training the helper that installs the job
     * @param frameSize the most bytes of a frame on the optical fabric, 0 for bursts
     */
    void Configure(ns3::lightpath::TrainingHelper& training, uint64_t frameSize) const;

  private:
    std::string m_bandwidth{"200Gbps"}; //!< Rate of one GPU into the electrical network
    AttributeOptions m_attributes;      //!< Which messages go electrically
};

#endif /* LIGHTPATH_HYBRID_OPTIONS_H */
