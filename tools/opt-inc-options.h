/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_OPT_INC_OPTIONS_H
#define LIGHTPATH_OPT_INC_OPTIONS_H

#include "program-options.h"

#include "ns3/interconnect-helper.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of a network that averages gradients.
 */
class OptIncOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse numbers that are out of range, and a network that averages beside fabrics that do not:
     * they cannot have a plan in common.
     *
     * @param fabrics the names of the fabrics
     */
    void Check(const std::vector<std::string>& fabrics) const;

    /**
     * Set up a fabric, if it averages.
     *
     * @param [out] fabric the fabric
     */
    void Configure(ns3::lightpath::InterconnectHelper& fabric) const;

  private:
    int64_t m_bits{8};               //!< Bits of a word
    int64_t m_blockSize{256};        //!< Gradients that share a scale
    std::string m_averager{"exact"}; //!< Kind of averager
    std::string m_cascade{"none"};   //!< Kind of cascade
    int64_t m_groupSize{4};          //!< GPUs of a group of the first level
};

#endif /* LIGHTPATH_OPT_INC_OPTIONS_H */
