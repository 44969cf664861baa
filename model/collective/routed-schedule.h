/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTED_SCHEDULE_H
#define ROUTED_SCHEDULE_H

#include "collective-schedule.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief All-to-all that carries tokens to experts or back (TokenRouting).
 *
 * A rank with the load w gets w / n of the tokens of each rank: chunk d of a buffer of S bytes is
 * from S W_d / n to S W_{d + 1} / n, both rounded, where W_d is the load of all ranks before d. The
 * sum of the loads is n, or less if tokens are dropped. Back from the experts each message has as
 * many bytes as the one to them.
 *
 * Direct messages take one step. In two levels a token goes first to the rank at the same place in
 * the server of its experts, which passes it on inside the server; results take the opposite way.
 * Tokens of k experts go to each server once if TokenRouting::perToken is k: the bytes between
 * servers are then D / k of those inside, where D is the number of servers of a token
 * (GetServersOfToken()). Inside servers each copy is sent, and results are summed up before they
 * leave (Zhao et al., DeepEP, 2025).
 */
class RoutedSchedule : public CollectiveSchedule
{
  public:
    /**
     * Throws std::invalid_argument for another operation or algorithm, and for a number of loads
     * that is not the number of ranks.
     *
     * @param kind ALL_TO_ALL
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param options how it is carried out: with TokenRouting, AUTOMATIC, DIRECT or TWO_LEVEL
     * @return the schedule
     */
    static std::shared_ptr<CollectiveSchedule> Make(CollectiveKind kind,
                                                    uint32_t ranks,
                                                    uint64_t bytes,
                                                    const CollectiveOptions& options);

    /**
     * Get the number of servers that the experts of a token are on. If the experts of a token are
     * in some of the groups only and a server has whole groups, it is as many servers at most, or
     * one for each expert. Otherwise it is the mean: k experts that are chosen at random among
     * those of n servers are on n (1 - (1 - 1 / n)^k) of them.
     *
     * @param routing how many experts a token has, and in how many of the groups
     * @param servers the servers that share out the experts
     * @return the number of servers
     */
    static double GetServersOfToken(const TokenRouting& routing, uint32_t servers);

    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param options how it is carried out, with TokenRouting
     */
    RoutedSchedule(uint32_t ranks, uint64_t bytes, const CollectiveOptions& options);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    /// Each message is one block of its sender: which tokens are in it is not known.
    void GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const override;
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;
    double GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const override;
    double GetBusFactor() const override;

  private:
    /// The messages of a step that count.
    enum Part : uint8_t
    {
        INSIDE = 1,  //!< Those inside a server
        OUTSIDE = 2, //!< Those between servers
        ALL = 3,     //!< All
    };

    /**
     * @param step a step
     * @return the messages that it has
     */
    Part GetPart(uint32_t step) const;

    /**
     * @param from the rank that sends
     * @param to the rank that receives
     * @param step the step
     * @return the size of the message, bytes; 0 for none
     */
    uint64_t GetMessageBytes(uint32_t from, uint32_t to, uint32_t step) const;

    /**
     * @param rank a rank
     * @param step the step
     * @param isReceiver whether it receives the messages, in place of sending them
     * @param [out] transfers the messages; previous content is lost
     */
    void GetMessages(uint32_t rank,
                     uint32_t step,
                     bool isReceiver,
                     std::vector<Transfer>& transfers) const;

    /**
     * @param step a step
     * @param part the messages that count
     * @return the most bytes of these that a rank sends or receives
     */
    uint64_t GetMostBytes(uint32_t step, Part part) const;

    bool m_isReturn;                 //!< Back from the experts
    bool m_isTwoLevel;               //!< In two steps
    uint32_t m_size;                 //!< Ranks of a server
    double m_copies{1};              //!< Two levels: bytes between servers by bytes inside
    std::vector<uint64_t> m_chunks;  //!< Bytes of the tokens of a rank for each other rank
    std::vector<uint64_t> m_servers; //!< The same for each server, all copies
};

} // namespace lightpath
} // namespace ns3

#endif /* ROUTED_SCHEDULE_H */
