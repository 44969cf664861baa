/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCALE_UP_DOMAIN_H
#define SCALE_UP_DOMAIN_H

#include "job-distribution.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A fabric that joins nodes to groups of high bandwidth, seen by which nodes it can join
 * while others are faulty.
 *
 * A node works as a whole or not at all. Jobs, which all need the same number of nodes, are given
 * nodes anew for each set of faults, as well as possible.
 */
class ScaleUpDomain
{
  public:
    virtual ~ScaleUpDomain() = default;

    /**
     * Create a fabric by its name: "switch" (one switch for all nodes), "blocks" (groups of as many
     * nodes as a job needs), "nvl72" (switches for 72 GPUs), "group:GPUS" (switches for as many),
     * "cubes" (64 GPUs, joined by circuit switches), "cubes:GPUS" or "line:K" (nodes that reach
     * the K next ones). std::invalid_argument refuses any other.
     *
     * @param name the name
     * @param gpusPerNode GPUs of a node
     * @return the fabric
     */
    static std::unique_ptr<ScaleUpDomain> Create(const std::string& name, uint32_t gpusPerNode);

    /**
     * @param isFaulty which nodes are faulty
     * @param jobNodes the nodes that a job needs
     * @return the largest number of jobs that have room at a time
     */
    virtual uint32_t CountJobs(const std::vector<bool>& isFaulty, uint32_t jobNodes) const = 0;

    /**
     * @param nNodes the number of nodes
     * @param jobNodes the nodes that a job needs
     * @param faulty the probability that a node is faulty, independently of others
     * @return the probabilities of the results of CountJobs()
     */
    virtual JobDistribution GetJobs(uint32_t nNodes, uint32_t jobNodes, double faulty) const = 0;

    /**
     * Find how many nodes some jobs need with spares. std::invalid_argument if MAX_NODES are too
     * few.
     *
     * @param jobs the number of jobs
     * @param jobNodes the nodes that a job needs
     * @param faulty the probability that a node is faulty, independently of others
     * @param probability the least probability that all jobs have room
     * @return the least number of nodes
     */
    uint32_t FindNodes(uint32_t jobs, uint32_t jobNodes, double faulty, double probability) const;

    /// The most nodes of a fabric.
    static constexpr uint32_t MAX_NODES = 1 << 14;
};

/**
 * @ingroup lightpath
 * @param n a number of nodes
 * @param k a number of them, at most n
 * @param p a probability, 0 to 1
 * @return the probability that exactly k nodes have a property that each has with probability p
 */
double GetBinomial(uint32_t n, uint32_t k, double p);

} // namespace lightpath
} // namespace ns3

#endif /* SCALE_UP_DOMAIN_H */
