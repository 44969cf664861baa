/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGE_PARTITIONER_H
#define STAGE_PARTITIONER_H

#include "stage-graph.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

class DownSets;

/**
 * @ingroup lightpath
 * @brief Cuts a model into stages, each with a number of replicas, so that the slowest stage is as
 * fast as possible.
 *
 * Stages are contiguous: each reads only itself and stages before it. What a later stage reads is
 * handed on from stage to stage. The replicas of a stage take microbatches in turn, so that with
 * computing time C, gradients of W bytes and rate B, a stage of m replicas takes for a microbatch
 * (Narayanan et al., "PipeDream: generalized pipeline parallelism for DNN training", 2019)
 *
 *     (C + 4 (m - 1) W / (m B)) / m       as in their implementation, or
 *     max(C, 4 (m - 1) W / (m B)) / m     as in the paper, where the sum overlaps with computing,
 *
 * and not less than the messages at either of its ends take, 2 a / (B m) for the activations of a
 * bytes and their gradients.
 *
 * The minimum is exact. It is found by dynamic programming over the down-sets of the graph from the
 * last stage on (Tarnawski et al., "Efficient algorithms for device placement of DNN graph
 * operators", 2020), in O(I^2 N^2) for I down-sets and N GPUs, times the number of stages if that
 * is fixed; a chain of L nodes has I = L + 1.
 */
class StagePartitioner
{
  public:
    /// The most down-sets unless others are asked for.
    static constexpr std::size_t MAX_DOWN_SETS{4096};

    /// How the sum of gradients over replicas adds to the time of a stage.
    enum Sync
    {
        AFTER,  //!< It follows computing
        OVERLAP //!< It overlaps with computing
    };

    /// What the stages run on.
    struct Settings
    {
        uint32_t gpus{1};          //!< Number of GPUs
        bool useAll{true};         //!< Whether all GPUs are to be used
        uint32_t stages{0};        //!< Number of stages; 0 if free
        uint32_t maxReplicas{0};   //!< Most GPUs of a stage; 0 for no limit
        bool equalReplicas{false}; //!< Whether all stages have the same number of GPUs
        double memoryBytes{0};     //!< Memory of a GPU, bytes; 0 for no limit
        double byteRate{0};        //!< Rate of a GPU, bytes/s; 0 if messages take no time
        Sync sync{AFTER};          //!< How gradients are summed
    };

    /// A stage.
    struct Stage
    {
        std::vector<uint32_t> nodes; //!< Its nodes, in ascending order
        uint32_t replicas{1};        //!< Its GPUs
        double seconds{0};           //!< Its time for a microbatch, s
        double memoryBytes{0};       //!< Memory that each of its GPUs needs, bytes
    };

    /// The stages of a model.
    struct Partition
    {
        double seconds{0};         //!< Time of the slowest stage for a microbatch, s
        std::vector<Stage> stages; //!< The stages, from the input on
    };

    /**
     * Refuses, by std::invalid_argument, an empty graph and one with more down-sets than the limit.
     *
     * @param graph the pieces of the model
     * @param limit the most down-sets
     */
    explicit StagePartitioner(const StageGraph& graph, std::size_t limit = MAX_DOWN_SETS);

    /// Destroys the down-sets.
    ~StagePartitioner();

    /**
     * Refuses, by std::invalid_argument, settings that no partition suits.
     *
     * A stage of m GPUs that begins with the last n GPUs has ceil(n / m) microbatches on their way
     * (Narayanan et al., 2019), for each of which it holds what its nodes keep.
     *
     * @param settings what the stages run on
     * @return the stages; of equally good ones, the first stage with most nodes and fewest GPUs
     */
    Partition Get(const Settings& settings) const;

    /**
     * @return the number of down-sets of the graph
     */
    std::size_t GetNDownSets() const;

  private:
    /// What the nodes of a down-set sum up to.
    struct Sums
    {
        double seconds{0};        //!< Time of a microbatch, s
        double parameterBytes{0}; //!< Bytes of gradients
        double stateBytes{0};     //!< Bytes that are held once
        double keptBytes{0};      //!< Bytes that are held for each microbatch
        double crossingBytes{0};  //!< Bytes that the other nodes read
    };

    /// The best way on from a down-set.
    struct Cell
    {
        double seconds;       //!< Time of the slowest stage to come, s
        uint32_t next{0};     //!< The down-set behind the next stage
        uint32_t replicas{0}; //!< GPUs of the next stage
    };

    /// The cells by number of stages to come (0 if free), down-set and GPUs to come.
    class Table;

    /**
     * @param from the down-set before a stage
     * @param to the down-set with it
     * @param replicas its GPUs
     * @param settings what it runs on
     * @return its time for a microbatch, s
     */
    double GetSeconds(uint32_t from,
                      uint32_t to,
                      uint32_t replicas,
                      const Settings& settings) const;

    /**
     * @param from the down-set before a stage
     * @param to the down-set with it
     * @param replicas its GPUs
     * @param gpus the GPUs from this stage on
     * @return the memory that each of its GPUs needs, bytes
     */
    double GetMemory(uint32_t from, uint32_t to, uint32_t replicas, uint32_t gpus) const;

    /**
     * Refuse settings that make no sense.
     *
     * @param settings the settings
     */
    void Check(const Settings& settings) const;

    /**
     * Find the best partition whose stages have some numbers of GPUs and are not too slow.
     *
     * @param settings what the stages run on
     * @param least the fewest GPUs of a stage
     * @param most the most GPUs of a stage
     * @param limit the time that no stage may exceed, s
     * @return the partition, without stages if there is none
     */
    Partition Search(const Settings& settings, uint32_t least, uint32_t most, double limit) const;

    /**
     * Find the best partition whose stages have some numbers of GPUs. A limit of the time of the
     * slowest stage, which keeps the search small, is raised until there is a partition.
     *
     * @param settings what the stages run on
     * @param least the fewest GPUs of a stage
     * @param most the most GPUs of a stage
     * @return the partition, without stages if there is none
     */
    Partition Search(const Settings& settings, uint32_t least, uint32_t most) const;

    /**
     * Try a stage before all that may follow it.
     *
     * @param [in,out] table the best ways on
     * @param from the down-set before the stage
     * @param to the down-set with it
     * @param replicas its GPUs
     * @param settings what it runs on
     * @param limit the time that no stage may exceed, s
     */
    void Try(Table& table,
             uint32_t from,
             uint32_t to,
             uint32_t replicas,
             const Settings& settings,
             double limit) const;

    /**
     * @param seconds the time of some nodes for a microbatch, s
     * @param limit the time that no stage may exceed, s
     * @return a number of GPUs that stages of these nodes have at least
     */
    static uint32_t GetMinGpus(double seconds, double limit);

    /**
     * @param table the best ways on
     * @param settings what the stages run on
     * @param gpus the number of GPUs that are used
     * @return the best partition
     */
    Partition GetPartition(const Table& table, const Settings& settings, uint32_t gpus) const;

    std::unique_ptr<const DownSets> m_sets; //!< The down-sets by size
    std::vector<Sums> m_sums;               //!< What each of them sums up to
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGE_PARTITIONER_H */
