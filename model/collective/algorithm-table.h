/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ALGORITHM_TABLE_H
#define ALGORITHM_TABLE_H

#include "collective-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Which algorithms there are, what they are for, and the schedules of each.
 */
class AlgorithmTable
{
  public:
    /**
     * @param name the name of an algorithm; std::invalid_argument, which lists those that there
     *        are, for any other
     * @return the algorithm
     */
    static CollectiveAlgorithm GetAlgorithm(const std::string& name);

    /**
     * @param algorithm an algorithm; std::invalid_argument if there is none of this number
     * @return its name
     */
    static std::string GetName(CollectiveAlgorithm algorithm);

    /**
     * @param algorithm an algorithm
     * @param kind an operation
     * @return true if the algorithm carries it out
     */
    static bool IsFor(CollectiveAlgorithm algorithm, CollectiveKind kind);

    /**
     * @param kind the operation
     * @param ranks the number of ranks, at least 1
     * @param bytes the size of the buffer in bytes
     * @param options how it is carried out, where the ranks of a server divide those of the group;
     *        std::invalid_argument if that cannot be
     * @return the schedule
     */
    static std::shared_ptr<CollectiveSchedule> Make(CollectiveKind kind,
                                                    uint32_t ranks,
                                                    uint64_t bytes,
                                                    const CollectiveOptions& options);

  private:
    /**
     * Refuse options that make no sense.
     *
     * @param kind the operation
     * @param ranks the number of ranks
     * @param options how it is carried out
     */
    static void Check(CollectiveKind kind, uint32_t ranks, const CollectiveOptions& options);

    /**
     * @param kind the operation
     * @param ranks the number of ranks
     * @param local the number of ranks in a row that share a server
     * @return what AUTOMATIC stands for
     */
    static CollectiveAlgorithm GetAutomatic(CollectiveKind kind, uint32_t ranks, uint32_t local);
};

} // namespace lightpath
} // namespace ns3

#endif /* ALGORITHM_TABLE_H */
