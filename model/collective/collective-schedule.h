/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_SCHEDULE_H
#define COLLECTIVE_SCHEDULE_H

#include "rank-axes.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The collective operations.
enum class CollectiveKind : uint8_t
{
    ALL_REDUCE,     //!< Each rank ends with the sum of all buffers
    REDUCE_SCATTER, //!< Each rank ends with its n-th of the sum of all buffers
    ALL_GATHER,     //!< Each rank ends with the concatenation of all ranks' n-ths
    ALL_TO_ALL,     //!< Each rank sends an n-th of its buffer to each other rank
    SEND_RECV,      //!< Each rank sends its buffer to the next rank
};

/// The algorithms that carry out collective operations.
enum class CollectiveAlgorithm : uint8_t
{
    AUTOMATIC,        //!< The default of CollectiveSchedule::Create() for the operation
    RING,             //!< One ring of the ranks
    MULTI_RING,       //!< Rings whose strides have no common divisor with the number of ranks
    HALVING_DOUBLING, //!< Recursive halving (reduce-scatter) and doubling (all-gather)
    DOUBLE_TREE,      //!< Two binary trees, each with half of the buffer
    TWO_LEVEL,        //!< One algorithm inside servers and one across them
    DIRECT,           //!< All messages at once, each straight to its destination
    PAIRWISE,         //!< One peer after the other
    BRUCK,            //!< Fewest steps: messages are forwarded by other ranks
    IN_NETWORK,       //!< The network averages what all ranks send to it
    GRID,             //!< Halving-doubling over rows and columns of ranks, both at a time
    LINE,             //!< Between neighbours on a line, both ways at a time
    SERVER_RINGS,     //!< Rings through servers, one for each GPU of a server
    TORUS,            //!< Along all axes of a torus, both ways round at a time
};

struct TurnSequence;

/**
 * @ingroup lightpath
 * @brief How an all-to-all carries tokens to experts, or back.
 *
 * The buffer holds a copy of each token for each of its experts. The ranks share out the experts:
 * as many successive ones each.
 */
struct TokenRouting
{
    /**
     * @param other the routing compared with
     * @return true if this one comes first in an order of all
     */
    bool operator<(const TokenRouting& other) const;

    bool isReturn{false};  //!< Back from the experts, in place of to them
    uint32_t perToken{0};  //!< Experts of a token, whose copies go between servers once, in two
                           //!< levels; 0 to send each copy apart
    uint32_t groups{0};    //!< Groups of successive experts; 0 or 1 for none
    uint32_t topGroups{0}; //!< Groups that the experts of a token are in
    /// Tokens for the experts of each rank, relative to an even share; empty if all are even
    std::vector<double> loads;
};

/// How a collective operation is carried out.
struct CollectiveOptions
{
    /**
     * @param local_ ranks in a row that share a server, or a row of a grid
     * @param algorithm_ the algorithm
     * @param rings_ the number of rings of MULTI_RING
     * @param inside_ the algorithm among the ranks of a server
     * @param across_ the algorithm among ranks of different servers
     */
    CollectiveOptions(uint32_t local_ = 1,
                      CollectiveAlgorithm algorithm_ = CollectiveAlgorithm::AUTOMATIC,
                      uint32_t rings_ = 1,
                      CollectiveAlgorithm inside_ = CollectiveAlgorithm::AUTOMATIC,
                      CollectiveAlgorithm across_ = CollectiveAlgorithm::AUTOMATIC);

    /**
     * @param other the options compared with
     * @return true if they are the same
     */
    bool operator==(const CollectiveOptions& other) const;

    /**
     * @param other the options compared with
     * @return true if these come first in an order of all options
     */
    bool operator<(const CollectiveOptions& other) const;

    uint32_t local;                //!< Ranks in a row that share a server (or row); 1 if none do
    CollectiveAlgorithm algorithm; //!< The algorithm
    uint32_t rings;                //!< Multi-ring, also across servers: number of rings

    /// Two levels: among the ranks of a server. IN_NETWORK is its switch, which sums only what all
    /// GPUs of the server hand it: the ranks of a server must be all of these
    CollectiveAlgorithm inside;
    CollectiveAlgorithm across; //!< Two levels: among ranks at the same place in their servers

    /// Two levels of an all-to-all: first across servers, then inside, in place of the opposite
    bool isAcrossFirst{false};

    /// The axes of TORUS; of one rank each for the rings that are nearest to a cube
    RankAxes axes;

    /// All-to-all, direct or in two levels: the tokens that it carries; null for equal parts
    std::shared_ptr<const TokenRouting> routing;

    /// Topologies of a fabric that turns while the operation goes on, and the messages over them
    /// (TurnSchedule), in place of an algorithm; null for none
    std::shared_ptr<const TurnSequence> turns;
};

/// One message of a schedule, as seen by one of its two ends.
struct Transfer
{
    uint32_t peer{0};     //!< Rank of the other end within the group; the rank itself: a network
    uint64_t bytes{0};    //!< Size of the message in bytes
    bool isInside{false}; //!< That network is the one inside the server, not between servers
};

/// A part of the data of a message.
struct Block
{
    uint32_t transfer{0}; //!< Index of the message among those that the rank sends in the step
    uint32_t origin{0};   //!< Rank that had it first (all-to-all and send-recv); otherwise 0
    uint64_t offset{0};   //!< Where it lies in the buffer (of the origin), bytes
    uint64_t bytes{0};    //!< Its size in bytes, at least 1
    bool isSum{false};    //!< The receiver adds it to what it has; otherwise it takes it as it is
};

/// The cost of a message on one kind of link.
struct LinkCost
{
    double latency{0}; //!< Time of a message besides its bytes, seconds
    double rate{0};    //!< Rate at which a rank sends over links of this kind, bytes/s
};

/**
 * @ingroup lightpath
 * @brief The messages of one collective operation, step by step.
 *
 * A schedule is for a group of n ranks, 0 to n-1, with buffers of S bytes; the messages of a rank
 * are produced on demand. A rank begins step k once it has received all messages of steps before k;
 * the sends of one step are begun together, in the order given. If n does not divide S, chunk c has
 * the bytes from floor(S c / n) to floor(S (c + 1) / n) and empty messages are omitted; the closed
 * forms use S / n itself. A single rank, or an empty buffer, takes no steps and no time.
 *
 * S is the size of the whole buffer, as in NCCL's tests: what each rank reduces (all-reduce,
 * reduce-scatter), what each rank ends with (all-gather), what each rank holds for all ranks,
 * itself included (all-to-all), or the message (send-recv).
 *
 * Ranks may share servers: each run of a fixed number of consecutive ranks is a server, and the
 * links inside servers may differ from the links between them.
 */
class CollectiveSchedule
{
  public:
    /**
     * Build the schedule of an operation.
     *
     * AUTOMATIC takes two levels for all-reduce, reduce-scatter and all-gather if there are several
     * servers with several ranks each, the algorithm inside if all ranks share a server, and that
     * across servers if none do. These two are rings if they are AUTOMATIC as well. All-to-all and
     * send-recv take direct messages. Of the others, rings, also through servers, halving-doubling,
     * the grid and the torus are for all-reduce, reduce-scatter and all-gather, the double tree and
     * in-network for all-reduce, pairwise and Bruck for all-to-all, two levels and the line for all
     * of these, and direct for every operation. A group of one rank does nothing by any of them.
     *
     * @param kind the operation
     * @param ranks the number n of ranks, at least 1
     * @param bytes the size S of the buffer in bytes
     * @param options how it is carried out; std::invalid_argument if the number of ranks that share
     *        a server does not divide the number of ranks, if the algorithm does not support the
     *        operation, if two levels lack several servers of several ranks, if an algorithm cannot
     *        be one of two levels or is given without them, if the number of rings is 0, more than
     *        there are strides, or given for another algorithm, if a torus has another number of
     * places, or if tokens are routed in another way than by RoutedSchedule
     * @return the schedule
     */
    static std::shared_ptr<const CollectiveSchedule> Create(
        CollectiveKind kind,
        uint32_t ranks,
        uint64_t bytes,
        const CollectiveOptions& options = CollectiveOptions());

    /**
     * @param name "all-reduce", "reduce-scatter", "all-gather", "all-to-all" or "send-recv";
     *        std::invalid_argument, which lists these, for any other
     * @return the operation
     */
    static CollectiveKind GetKind(const std::string& name);

    /**
     * @param name "automatic", "ring", "multi-ring", "halving-doubling", "double-tree",
     *        "two-level", "direct", "pairwise", "bruck", "in-network", "grid", "line",
     *        "server-rings" or "torus"; std::invalid_argument, which lists these, for any other
     * @return the algorithm
     */
    static CollectiveAlgorithm GetAlgorithm(const std::string& name);

    /**
     * @param algorithm an algorithm; std::invalid_argument if there is none of this number
     * @return its name, as GetAlgorithm() knows it
     */
    static std::string GetName(CollectiveAlgorithm algorithm);

    virtual ~CollectiveSchedule() = default;

    /**
     * @return the number of ranks
     */
    uint32_t GetNRanks() const;

    /**
     * @return the size of the buffer in bytes
     */
    uint64_t GetBytes() const;

    /**
     * @return the number of ranks in a row that share a server; 1 if none do
     */
    uint32_t GetNLocal() const;

    /**
     * @return the number of steps
     */
    virtual uint32_t GetNSteps() const = 0;

    /**
     * @param rank the rank that sends
     * @param step the step
     * @param [out] transfers the messages that it sends, in order; previous content is lost
     */
    virtual void GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const = 0;

    /**
     * @param rank the rank that receives
     * @param step the step
     * @param [out] transfers the messages that it receives; previous content is lost
     */
    virtual void GetReceives(uint32_t rank,
                             uint32_t step,
                             std::vector<Transfer>& transfers) const = 0;

    /**
     * @param rank the rank that sends
     * @param [out] transfers the peers that it sends to and the bytes for each of them in all
     *        steps; previous content is lost
     */
    virtual void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const = 0;

    /**
     * @param rank the rank that sends
     * @param step the step
     * @param [out] blocks the contents of the messages of GetSends(), message by message; previous
     *        content is lost
     */
    virtual void GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const = 0;

    /**
     * @param rank a rank
     * @param [out] blocks the parts of the buffer that the rank ends a reduce-scatter with or
     *        begins an all-gather with, none for other operations; previous content is lost
     */
    virtual void GetOwned(uint32_t rank, std::vector<Block>& blocks) const = 0;

    /**
     * @return the largest number of other ranks that a rank sends to
     */
    virtual uint32_t GetNPeers() const = 0;

    /**
     * The closed form of the time from the common start of all ranks to the last end, if each rank
     * sends at rate B in all and messages of different pairs share nothing else.
     *
     * @param latency the time alpha that a message takes besides its own bytes, in seconds
     * @param rate the rate B at which a rank sends, in bytes/s
     * @return the time in seconds
     */
    virtual double GetSeconds(double latency, double rate) const = 0;

    /**
     * The closed form if each rank has a circuit of its own to each of its peers, which carries
     * nothing else. A rank with the rate B in all has circuits of B / GetNPeers() if they are to be
     * equal.
     *
     * It counts whole bytes: the largest message of each step. This is exact, also if n does not
     * divide S, unless the class says that it is an upper bound; CircuitTimer computes the exact
     * time of any schedule.
     *
     * @param circuit the latency and the rate of one circuit
     * @return the time in seconds
     */
    virtual double GetCircuitSeconds(const LinkCost& circuit) const = 0;

    /**
     * The closed form where messages inside a server and messages between servers take different
     * links, so that a rank may send over both kinds at once.
     *
     * In the base class each step waits for the slower of the two kinds, or takes the only one in
     * use. This is exact for send-recv.
     *
     * @param inside the links inside a server
     * @param outside the links between servers
     * @return the time in seconds
     */
    virtual double GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const;

    /**
     * Bus bandwidth over algorithm bandwidth, as NCCL's tests define it: 2(n-1)/n for all-reduce,
     * (n-1)/n for reduce-scatter, all-gather and all-to-all, 1 for send-recv.
     *
     * @return the factor
     */
    virtual double GetBusFactor() const = 0;

    /**
     * @param chunk the index of an n-th of the buffer
     * @return its size in bytes
     */
    uint64_t GetChunkBytes(uint32_t chunk) const;

  protected:
    /**
     * @return true if there is nothing to send: one rank alone, or an empty buffer
     */
    bool IsEmpty() const;

    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    CollectiveSchedule(uint32_t ranks, uint64_t bytes);

    /**
     * @param chunk the index of an n-th of the buffer, or n
     * @return where it begins, in bytes: floor(S c / n)
     */
    uint64_t GetChunkOffset(uint32_t chunk) const;

  private:
    uint32_t m_ranks;    //!< Number of ranks
    uint64_t m_bytes;    //!< Size of the buffer in bytes
    uint32_t m_local{1}; //!< Ranks in a row that share a server
};

} // namespace lightpath
} // namespace ns3

#endif /* COLLECTIVE_SCHEDULE_H */
