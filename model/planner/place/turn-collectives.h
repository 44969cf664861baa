/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_COLLECTIVES_H
#define TURN_COLLECTIVES_H

#include "ns3/collective-schedule.h"
#include "ns3/turn-methods.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

struct FabricLimits;
struct ServerLayout;
class TrainingPlan;

/**
 * @ingroup lightpath
 * @brief Finds topologies for the collective operations of jobs on a fabric of circuit switches.
 *
 * Where several ranks of a group share a server, and each has a port of its own, an operation is
 * carried out in two levels (TwoLevelSchedule), of which the one across servers turns: all indices
 * have the same topologies. Operations stay as they are whose ranks share ports, whose tokens are
 * routed, and exchanges of buffers that their ranks do not divide.
 */
class TurnCollectives
{
  public:
    /**
     * @param method the name of a method, or "best"
     * @param headers the bytes that are sent with each message besides its own
     */
    TurnCollectives(std::string method, uint32_t headers);

    /**
     * @param limits the fabric; std::invalid_argument, with a sentence, if its circuits cannot
     *        follow operations
     * @param kind the operation; std::invalid_argument for send-recv
     * @param ranks the number of ranks, each with a port of its own
     * @param bytes the size of the buffer in bytes
     * @param headers the bytes that are sent with each message besides its own
     * @return the problem
     */
    static TurnProblem GetProblem(const FabricLimits& limits,
                                  CollectiveKind kind,
                                  uint32_t ranks,
                                  uint64_t bytes,
                                  uint32_t headers);

    /**
     * Give topologies to the operations of a job, by the sizes of each. This has to follow each
     * change of its placement.
     *
     * @param limits the fabric
     * @param [in,out] plan the plan, whose circuits then follow operations
     * @return the number of operations of different kinds and sizes that have topologies
     */
    std::size_t Apply(const FabricLimits& limits, TrainingPlan& plan);

    /**
     * Choose the best way again for each operation of Apply(), by the price of the whole plan: the
     * circuits that an operation leaves behind, and the time until the next one, count as well. An
     * operation may also stay as it is.
     *
     * Of the plans in which all operations use the same method, stay as they are, or take the least
     * time alone, the one with the least price is improved operation by operation, so that none of
     * these has a lower price in the end. In a plan the first circuits cost a turn at most: ways
     * that take longer than the fastest one by more than that are not tried for single operations,
     * nor others for those that take less than a thousandth of an iteration altogether.
     *
     * @param limits the fabric
     * @param [in,out] plan the plan, to which Apply() has given topologies
     */
    void Refine(const FabricLimits& limits, TrainingPlan& plan);

    /**
     * @param [in,out] plan a plan, of which all operations are carried out without topologies
     */
    static void Clear(TrainingPlan& plan);

  private:
    /// The groups of a kind.
    struct Group
    {
        uint32_t size{0};  //!< Members of each; 0 if topologies are not for them
        uint32_t local{1}; //!< Members in a row that share a server
    };

    /// A way to carry an operation out; null to leave it as it is.
    using Way = std::shared_ptr<const TurnSequence>;

    /// The ways to carry an operation out.
    struct Ways
    {
        std::map<std::string, Way> ofMethods; //!< By method
        std::vector<Way> toTry;               //!< Those that may be the best in a plan
        double least{0};                      //!< Time of the fastest one alone, seconds
        Way use;                              //!< The one in use
    };

    /// Operation, ports, ranks of a server, and bytes of the buffer of a port.
    using Key = std::tuple<CollectiveKind, uint32_t, uint32_t, uint64_t>;

    /**
     * @param plan a plan
     * @param kind a kind of group
     * @param layout the servers
     * @return the groups of the kind, if all are alike and each rank has a port of its own on the
     *         fabric that all ranks with its index share
     */
    static Group GetGroup(const TrainingPlan& plan, uint32_t kind, const ServerLayout& layout);

    /**
     * @param limits the fabric
     * @param key an operation
     * @return the ways to carry it out, of which the fastest is in use
     */
    Ways& Find(const FabricLimits& limits, const Key& key);

    /// The ways of the operations of a plan.
    using Choice = std::map<Key, Way>;

    /**
     * @return the ways in use; all operations as they are; and all by the same method, as far as it
     *         is for them
     */
    std::vector<Choice> GetStarts() const;

    /**
     * @param limits the fabric
     * @param [in,out] plan the plan, which gets the ways in use
     * @param limit the price beyond which it need not be exact, seconds
     * @return its price, seconds; infinite if it cannot be carried out
     */
    double Price(const FabricLimits& limits, TrainingPlan& plan, double limit);

    std::string m_method;        //!< The method, or "best"
    uint32_t m_headers;          //!< Bytes that are sent with each message
    TurnCarrier m_carrier;       //!< Carries steps
    std::map<Key, Ways> m_known; //!< The ways of operations
    std::set<Key> m_used;        //!< The operations of the last plan
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_COLLECTIVES_H */
