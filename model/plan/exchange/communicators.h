/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMUNICATORS_H
#define COMMUNICATORS_H

#include "ns3/rank-groups.h"

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The groups of ranks that a workload communicates in, which may overlap in any way.
 *
 * The groups of one kind of a plan are disjoint, so groups that share a rank get different kinds.
 */
class Communicators
{
  public:
    /**
     * @param nRanks the number of ranks of the workload
     */
    explicit Communicators(uint32_t nRanks);

    /**
     * Read a file that names groups, as in {"0": [0, 1], "1": [2, 3]}.
     *
     * @param is the file
     * @param name its name in error messages
     * @return the members of each group; std::invalid_argument for anything else
     */
    static std::map<std::string, std::vector<uint32_t>> Read(std::istream& is,
                                                             const std::string& name);

    /**
     * @return the number of ranks of the workload
     */
    uint32_t GetNRanks() const;

    /**
     * Find a group, or add it. Throws std::invalid_argument, with the end of a sentence, for ranks
     * that the workload does not have and for a rank that is named twice.
     *
     * @param members its members in the order of their positions
     * @param kind the kind that it must have, if any
     * @return its number, from 0
     */
    uint32_t Add(const std::vector<uint32_t>& members, std::optional<uint32_t> kind = {});

    /**
     * @param communicator the number of a group
     * @return its members
     */
    const std::vector<uint32_t>& GetMembers(uint32_t communicator) const;

    /**
     * @return the number of groups
     */
    uint32_t GetNCommunicators() const;

    /**
     * Give each group a kind: its own, or the first one behind N_GROUP_KINDS in which none of its
     * members has a group yet. Throws std::invalid_argument if there are not enough kinds.
     *
     * @param [out] groups the groups by kind
     * @return the kind of each group
     */
    std::vector<uint32_t> Distribute(std::vector<RankGroups>& groups) const;

  private:
    /// A group: the kind that it must have, or MOST_GROUP_KINDS, and its members.
    using Key = std::pair<uint32_t, std::vector<uint32_t>>;

    uint32_t m_nRanks;                 //!< Number of ranks
    std::map<Key, uint32_t> m_numbers; //!< Number of each group
    std::vector<const Key*> m_keys;    //!< The groups by number
};

} // namespace lightpath
} // namespace ns3

#endif /* COMMUNICATORS_H */
