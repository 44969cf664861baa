/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_SCHEDULER_H
#define CLUSTER_SCHEDULER_H

#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The queue of a cluster: which jobs start, and on which ports of its fabric.
 *
 * A scheduler is plain computation: it is told the time in seconds. It knows jobs by their numbers.
 */
class ClusterScheduler
{
  public:
    /// Which job of the queue starts next.
    enum class Order
    {
        FIRST_COME, //!< The first; others wait behind it
        BACKFILL,   //!< The first; others that do not delay it, by their estimates, go ahead
        SHORTEST    //!< The one with the least estimate; others wait behind it
    };

    /// Which free ports a job gets.
    enum class Placing
    {
        CONTIGUOUS, //!< The first row of successive ports; the job waits for one
        SCATTERED,  //!< Any, drawn at random
        FABRIC      //!< Those of the fewest leaves, and of leaves with the fewest other free ports;
                    //!< on a ring the same as CONTIGUOUS
    };

    /// A job that starts.
    struct Start
    {
        uint32_t job;                //!< Its number
        std::vector<uint32_t> ports; //!< The ports of its ranks
    };

    /**
     * Throws std::invalid_argument for an unknown name.
     *
     * @param name first-come, backfill or shortest
     * @return the order
     */
    static Order ParseOrder(const std::string& name);

    /**
     * Throws std::invalid_argument for an unknown name.
     *
     * @param name contiguous, scattered or fabric
     * @return the placing
     */
    static Placing ParsePlacing(const std::string& name);

    /**
     * @param ports the number of ports
     * @param leafPorts the number of successive ports that share a leaf of the fabric; any number
     *        for a fabric without leaves
     * @param order which job starts next
     * @param placing which ports it gets
     * @param seed the seed of the random numbers of SCATTERED
     */
    ClusterScheduler(uint32_t ports,
                     uint32_t leafPorts,
                     Order order,
                     Placing placing,
                     uint32_t seed = 1);

    /**
     * Let the ports be those of a ring: the ranks of a job go to each second of its ports and come
     * back over the others, so that neighbours are close, the last rank and the first included.
     */
    void SetRing();

    /**
     * Limit the jobs that run at a time, like those that have a slice of the fabric each.
     *
     * @param jobs the number of these jobs, at least 1
     */
    void SetMostJobs(uint32_t jobs);

    /**
     * Keep working ports free for jobs that failures have stopped.
     *
     * @param spare the number of these ports
     */
    void SetSpare(uint32_t spare);

    /**
     * Add a job to the queue. Throws std::invalid_argument for one that never fits.
     *
     * @param job its number
     * @param gpus the number of its ports
     * @param estimate the time that it is expected to take, s
     * @param isFirst whether it goes ahead of all others, as a job that a failure has stopped
     */
    void Submit(uint32_t job, uint32_t gpus, double estimate, bool isFirst = false);

    /**
     * Start jobs, until none can.
     *
     * @param now the time, s
     * @return the jobs
     */
    std::vector<Start> StartJobs(double now);

    /**
     * Take the ports of a job back.
     *
     * @param job its number
     */
    void End(uint32_t job);

    /**
     * @param port a port
     * @param failed true if nothing can start there from now on, false if it can again
     */
    void SetFailed(uint32_t port, bool failed);

    /**
     * @return the number of ports
     */
    uint32_t GetNPorts() const
    {
        return m_ports.size();
    }

    /**
     * @return the number of ports that work and have no job
     */
    uint32_t GetNFree() const;

    /**
     * @return the most ports that a job could get now
     */
    uint32_t GetLargest() const;

    /**
     * @return the number of jobs that wait
     */
    uint32_t GetNWaiting() const
    {
        return m_queue.size();
    }

  private:
    /// A job that waits.
    struct Waiting
    {
        uint32_t job;    //!< Its number
        uint32_t gpus;   //!< The number of its ports
        double estimate; //!< The time that it is expected to take, s
        bool isFirst;    //!< A failure has stopped it
    };

    /// A job that runs.
    struct Running
    {
        std::vector<uint32_t> ports; //!< Its ports
        double end;                  //!< When it is expected to end, s
    };

    /// A port.
    struct Port
    {
        bool isTaken{false};  //!< It has a job
        bool isFailed{false}; //!< It has failed

        /**
         * @return true if a job can get it
         */
        bool IsFree() const
        {
            return !isTaken && !isFailed;
        }
    };

    /**
     * @param gpus the number of ports of a job
     * @return ports for it; none if it has to wait
     */
    std::vector<uint32_t> Place(uint32_t gpus);

    /**
     * @return true if the ports of a job are successive
     */
    bool NeedsRow() const;

    /**
     * @param gpus the number of ports of a job
     * @return the first row of as many free ports; empty without one
     */
    std::vector<uint32_t> FindRow(uint32_t gpus) const;

    /**
     * @param gpus the number of ports of a job, not more than are free
     * @return free ports of the fewest leaves
     */
    std::vector<uint32_t> FillLeaves(uint32_t gpus) const;

    /**
     * @return the free ports, in ascending order
     */
    std::vector<uint32_t> GetFree() const;

    /**
     * @param ports ports of a ring, in ascending order
     * @return each second of them, and back over the others
     */
    static std::vector<uint32_t> Fold(const std::vector<uint32_t>& ports);

    /**
     * Start a job if it gets ports.
     *
     * @param index its index in the queue
     * @param now the time, s
     * @param [in,out] starts the jobs that have started
     * @return true if it has started
     */
    bool TryStart(std::size_t index, double now, std::vector<Start>& starts);

    /**
     * Start jobs that do not delay the first one, which has to wait.
     *
     * @param now the time, s
     * @param [in,out] starts the jobs that have started
     */
    void Backfill(double now, std::vector<Start>& starts);

    std::vector<Port> m_ports;             //!< The ports
    uint32_t m_leafPorts;                  //!< Ports of a leaf
    Order m_order;                         //!< Which job starts next
    Placing m_placing;                     //!< Which ports it gets
    bool m_isRing{false};                  //!< The ports are those of a ring
    uint32_t m_mostJobs{UINT32_MAX};       //!< Most jobs that run at a time
    uint32_t m_spare{0};                   //!< Ports kept free for jobs that failures have stopped
    std::mt19937_64 m_random;              //!< Random numbers
    std::deque<Waiting> m_queue;           //!< The jobs that wait
    std::map<uint32_t, Running> m_running; //!< The jobs that run, by number
};

} // namespace lightpath
} // namespace ns3

#endif /* CLUSTER_SCHEDULER_H */
