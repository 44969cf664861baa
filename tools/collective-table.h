/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COLLECTIVE_TABLE_H
#define LIGHTPATH_COLLECTIVE_TABLE_H

#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

/**
 * @ingroup lightpath
 * @brief Times of collective operations, as lightpath-serving writes them, in place of those of a
 * simulation.
 */
class CollectiveTable
{
  public:
    /**
     * @param name the name of a CSV file with the columns collective, group, placement, fabric,
     *        bytes and ms, in any order; std::invalid_argument for any other file
     * @param fabric the fabric whose rows count; std::invalid_argument if there are none
     */
    CollectiveTable(const std::string& name, const std::string& fabric);

    /**
     * @param plan a plan
     * @param rank a rank of it
     * @return the time of all of its collective operations, one after the other, in seconds;
     *         std::invalid_argument if the table lacks one. Times between two sizes are in
     *         proportion to bytes, and those below the first size as long as that
     */
    double GetSeconds(const ns3::lightpath::TrainingPlan& plan, uint32_t rank) const;

  private:
    /// Operation, members of the group, and whether these are in as few servers as possible.
    using Key = std::tuple<std::string, uint32_t, std::string>;

    /**
     * @param key an operation
     * @param bytes the size of its buffer
     * @return its time in milliseconds
     */
    double GetMilliseconds(const Key& key, uint64_t bytes) const;

    std::string m_name;                                 //!< Name of the file
    std::string m_fabric;                               //!< Fabric whose rows count
    std::map<Key, std::map<uint64_t, double>> m_curves; //!< Milliseconds by bytes
};

#endif /* LIGHTPATH_COLLECTIVE_TABLE_H */
