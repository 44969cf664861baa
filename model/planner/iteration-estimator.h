/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ITERATION_ESTIMATOR_H
#define ITERATION_ESTIMATOR_H

#include "planner.h"
#include "program-traffic.h"
#include "rank-program.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Estimates the time of an iteration by walking over the programs of one replica in the
 * order of time.
 *
 * A GPU computes one task at a time: of those that are ready, the one with the lowest index.
 * Communication goes on meanwhile. The rate of a GPU is split evenly into as many channels as it
 * has peers, but no more than the fabric has circuits; its peers, in ascending order, are dealt out
 * to the channels in turn. A channel carries one message or collective at a time, in the order in
 * which they become ready. A message occupies its channel for its bytes over the rate of the
 * channel, and comes in one latency later. What becomes ready at the same time goes by the index of
 * its task. A collective begins once all its members are ready and
 * the channels to their peers are free, and occupies these for its closed form.
 *
 * If the fabric has servers, messages within a server have a channel of their own, and a collective
 * whose members are in servers, several in each, is carried out inside the servers, across them and
 * inside again (Task::local); it uses both kinds of channels.
 *
 * All replicas do the same at the same time, so that a collective of the data-parallel group
 * (groups of kind 1) waits for nobody; groups of kind 0 are the replicas or, in a pipeline, the
 * GPUs of a stage. What happens inside the fabric is not considered.
 */
class IterationEstimator
{
  public:
    /**
     * @param programs the program of each GPU of a replica
     * @param replicas the number of replicas
     * @param fabric the fabric
     */
    IterationEstimator(std::vector<std::shared_ptr<const RankProgram>> programs,
                       uint32_t replicas,
                       const FabricLimits& fabric);

    /**
     * For the stages of a pipeline, which are numbered as by ReplicaLayout::ApplyStages(). All GPUs
     * of a tensor-parallel group do the same at the same time, so that one of them is looked at.
     *
     * @param programs the program of each stage
     * @param strategy the degrees
     * @param fabric the fabric
     */
    IterationEstimator(std::vector<std::shared_ptr<const RankProgram>> programs,
                       const Strategy& strategy,
                       const FabricLimits& fabric);

    /**
     * Refuses, by std::invalid_argument, programs that come to a standstill.
     *
     * @param limit the time in seconds beyond which the exact time is not needed
     * @return the time until the last task has ended and the last message has come in, in seconds;
     *         or, if that exceeds the limit, some time between the two
     */
    double Run(double limit = std::numeric_limits<double>::infinity());

  private:
    /// A channel by the kind of group and the position of the peer that it leads to.
    using Channels = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;

    /// Stands for the channel to the other GPUs of the server.
    static constexpr uint32_t SERVER = UINT32_MAX;

    /// A GPU of the replica.
    struct Gpu
    {
        /// The compute tasks that are ready, the lowest index first.
        using Ready = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>>;

        std::vector<uint32_t> waiting; //!< Number of events that each task waits for
        Ready ready;                   //!< Compute tasks that are ready
        bool busy{false};              //!< Whether it computes
        bool touched{false};           //!< Whether it may have something to compute
        double left{0};                //!< Time of the compute tasks not begun yet, seconds
        Channels channels;             //!< Channel to each peer
        std::vector<double> free;      //!< When each channel is free, seconds
        double serverFree{0};          //!< When the channel within the server is free, seconds
    };

    /// Something that happens to a task.
    struct Event
    {
        double seconds{0}; //!< When
        uint64_t order{0}; //!< Number of events made before it
        uint32_t gpu{0};   //!< Index of the GPU
        uint32_t task{0};  //!< Index of the task in its program
        bool end{false};   //!< True: the task ends; false: the message that it waits for comes in

        /**
         * @param other the event compared with
         * @return true if this event is later
         */
        bool operator>(const Event& other) const
        {
            return seconds != other.seconds ? seconds > other.seconds : order > other.order;
        }
    };

    /// A receive: the index of the GPU that sends, the number of the operation, and the task.
    using Receive = std::tuple<uint32_t, uint32_t, uint32_t>;

    /// The tasks that have come to a collective of the replica, by GPU.
    using Gathering = std::vector<std::pair<uint32_t, uint32_t>>;

    /**
     * Deal out the channels of a GPU and count what its tasks wait for.
     *
     * @param index the index of the GPU
     */
    void Prepare(uint32_t index);

    /**
     * @param gpu the index of the GPU
     * @param task the index of a task that waits for nothing any more
     */
    void Begin(uint32_t gpu, uint32_t task);

    /**
     * Let all tasks that have ended at the current time have their effect.
     */
    void Settle();

    /**
     * Start the sends and collectives that have become ready at the current time, the lowest index
     * first.
     *
     * @param now the time in seconds
     */
    void Communicate(double now);

    /**
     * Put a message on its channel.
     *
     * @param gpu the index of the GPU
     * @param task its send
     * @param now the time in seconds
     */
    void Send(uint32_t gpu, const Task& task, double now);

    /**
     * Carry out a collective operation.
     *
     * @param members the tasks of the GPUs of the replica that take part
     * @param now the time in seconds at which the last one is ready
     */
    void Collect(const Gathering& members, double now);

    /**
     * @param kind the kind of group
     * @param gpu the index of a GPU
     * @return the number of members of its group, and its position in it
     */
    ProgramTraffic::Place GetPlace(uint32_t kind, uint32_t gpu) const;

    /**
     * @param kind the kind of group
     * @param gpu the index of a GPU
     * @param peer the position of a peer in its group of this kind
     * @return true if the two share a server, in all replicas
     */
    bool ShareServer(uint32_t kind, uint32_t gpu, uint32_t peer) const;

    /**
     * @param kind the kind of group
     * @param first the first position
     * @param last the last position
     * @return true if all members of all groups of this kind between these share a server
     */
    bool IsWithinServer(uint32_t kind, uint32_t first, uint32_t last) const;

    /**
     * @param kind the kind of group
     * @return true if all members of each of the groups of this kind share a server
     */
    bool IsWithinServer(uint32_t kind) const;

    /**
     * The closed form of a collective.
     *
     * @param task the task of one of its members
     * @param size the number of members
     * @param rate the rate of a GPU outside its server, in bytes/s
     * @param isInside whether all members share a server
     * @return the time that it takes, in seconds
     */
    double GetSeconds(const Task& task, uint32_t size, double rate, bool isInside) const;

    /**
     * @param seconds when
     * @param gpu the index of the GPU
     * @param task the index of the task
     * @param end true if the task ends, false if the message that it waits for comes in
     */
    void Schedule(double seconds, uint32_t gpu, uint32_t task, bool end);

    /**
     * Note that a GPU may have something to compute.
     *
     * @param gpu the index of the GPU
     */
    void Touch(uint32_t gpu);

    /**
     * Let a GPU compute, if it is idle and a task is ready.
     *
     * @param gpu the index of the GPU
     * @param now the time in seconds
     * @return the time in seconds before which the GPU cannot have computed all its tasks
     */
    double Compute(uint32_t gpu, double now);

    std::vector<std::shared_ptr<const RankProgram>> m_programs; //!< Program of each GPU
    Strategy m_strategy;                                        //!< The degrees
    bool m_isPipeline;                                          //!< Whether programs are stages
    FabricLimits m_fabric;                                      //!< The fabric
    std::vector<Gpu> m_gpus;                                    //!< The GPUs of the replica
    std::vector<std::vector<Receive>> m_receives; //!< Receives of each GPU in ascending order
    /// Collectives of the replica by kind of group and operation
    std::map<std::pair<uint32_t, uint32_t>, Gathering> m_gatherings;
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events; //!< To come
    std::vector<std::pair<uint32_t, uint32_t>> m_ended; //!< Ended tasks without effect yet, by GPU
    std::vector<std::pair<uint32_t, uint32_t>>
        m_starting;                  //!< Ready sends and collectives: task, GPU
    std::vector<uint32_t> m_touched; //!< GPUs that may have something to compute
    std::size_t m_nLeft{0};          //!< Number of tasks that have not ended
    uint64_t m_nEvents{0};           //!< Made so far
};

} // namespace lightpath
} // namespace ns3

#endif /* ITERATION_ESTIMATOR_H */
