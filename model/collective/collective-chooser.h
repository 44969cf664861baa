/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_CHOOSER_H
#define COLLECTIVE_CHOOSER_H

#include "collective-schedule.h"

namespace ns3
{
namespace lightpath
{

/// The network that carries the messages of a group.
struct CollectiveNetwork
{
    LinkCost link;        //!< Latency of a message, and the rate of a rank to all peers together
    double peerRate{0};   //!< The largest rate of a rank to one peer, bytes/s; 0 if not limited
    uint32_t degree{0};   //!< The largest number of peers that a rank may send to; 0 if not limited
    bool isShared{false}; //!< Whether a switch shares the rate among the peers sent to; otherwise
                          //!< it is split evenly over circuits
};

/**
 * @ingroup lightpath
 * @brief Picks the fastest algorithm of a collective operation by the closed forms.
 *
 * On circuits a rank has a circuit to each of the p peers of the algorithm, with the smaller of B /
 * p and the largest rate to one peer, and the time is CollectiveSchedule::GetCircuitSeconds(). On a
 * switch it is CollectiveSchedule::GetSeconds() at the smaller of B and p times that rate. The
 * circuits are not moved within an operation.
 *
 * Candidates are all algorithms for one level: ring, multi-ring with 2, 3, ... rings as far as
 * there are strides and peers allowed (and up to 8), halving-doubling, double tree, direct,
 * pairwise and Bruck. Of candidates whose times differ by less than a billionth the first in this
 * order is taken, so that more peers and steps over other ranks must be worth it.
 */
class CollectiveChooser
{
  public:
    /// A way to carry out an operation.
    struct Choice
    {
        CollectiveOptions options; //!< The algorithm, and its rings
        double seconds{0};         //!< Its time by the closed form
    };

    /**
     * @param network the network that carries the messages; std::invalid_argument unless its rate
     * is above 0 and nothing is negative
     */
    explicit CollectiveChooser(const CollectiveNetwork& network);

    /**
     * @param kind the operation
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @return the fastest way; std::invalid_argument if every one needs more peers than are allowed
     */
    Choice Choose(CollectiveKind kind, uint32_t ranks, uint64_t bytes) const;

    /**
     * Choose both algorithms of two levels. Each is chosen by itself, as their times add up.
     *
     * @param kind any operation but SEND_RECV
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param local the ranks of a server, of which there are several
     * @param inside the network of a server; that of this object is the one between servers
     * @param isSummed true if the switch of a server sums, and the ranks are all of its GPUs
     * @return the fastest way; std::invalid_argument if every one needs more peers than are allowed
     */
    Choice ChooseLevels(CollectiveKind kind,
                        uint32_t ranks,
                        uint64_t bytes,
                        uint32_t local,
                        const CollectiveNetwork& inside,
                        bool isSummed) const;

    /**
     * @param kind the operation
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @return all ways that need no more peers than are allowed, in the order of the class
     */
    std::vector<Choice> GetCandidates(CollectiveKind kind, uint32_t ranks, uint64_t bytes) const;

  private:
    /**
     * @param kind the operation
     * @param ranks the number of ranks at this level
     * @param bytes the size of the buffer that they have
     * @param isAcross true across servers, false inside them
     * @return the ways of GetCandidates() that two levels may use at this level
     */
    std::vector<Choice> GetLevelCandidates(CollectiveKind kind,
                                           uint32_t ranks,
                                           uint64_t bytes,
                                           bool isAcross) const;

    /**
     * @param candidates ways to carry out an operation
     * @param ranks the number of ranks
     * @return the first of the fastest ones; std::invalid_argument if there are none
     */
    Choice Pick(const std::vector<Choice>& candidates, uint32_t ranks) const;

    /**
     * @param schedule a schedule
     * @return its time by the closed form, in seconds
     */
    double GetSeconds(const CollectiveSchedule& schedule) const;

    CollectiveNetwork m_network; //!< The network that carries the messages
};

} // namespace lightpath
} // namespace ns3

#endif /* COLLECTIVE_CHOOSER_H */
