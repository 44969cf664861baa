/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_RING_SCHEDULE_H
#define SERVER_RING_SCHEDULE_H

#include "collective-schedule.h"
#include "ring-schedule.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Rings through servers, one for each rank of a server, as NCCL makes them.
 *
 * The n = p g ranks are on p servers of g ranks. A ring passes through all ranks of a server before
 * it goes on to the next one, which it enters at the index at which it has left the server before.
 * Ring 0 enters servers at index 0 and 1 in turn, and the last one at index 2 if p is odd; ring i
 * does what ring 0 does, with indices that are i higher (mod g). So one ring enters and one leaves
 * at each rank, and messages between servers are for the same index, unless g is 2 and p is odd.
 * Ring i carries the bytes from floor(S i / g) to floor(S (i + 1) / g), and works as a RingSchedule
 * does; all rings advance together. What a rank sends to one other rank in a step is one message.
 *
 * In each step a rank sends g - 1 chunks inside its server and one to the next server, so that the
 * links of both kinds work at the same time. With the rate B1 and the latency alpha1 inside, and B2
 * and alpha2 between servers, an all-reduce takes
 * 2 (n - 1) max(alpha1 + (g - 1) S / (g n B1), alpha2 + S / (g n B2)). On circuits of rate b a step
 * takes alpha + (g - 1) ceil(S / (g n)) / b, a bound from above that is exact where g n divides S.
 */
class ServerRingSchedule : public CollectiveSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number n of ranks
     * @param bytes the size of the buffer in bytes
     * @param local the number g of ranks of a server, which divides n; neither 1 nor n
     */
    ServerRingSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes, uint32_t local);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    void GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const override;
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;
    double GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const override;
    double GetBusFactor() const override;

  private:
    /**
     * @param server a server
     * @return the index at which ring 0 enters it
     */
    uint32_t GetEntry(uint32_t server) const;

    /**
     * Add the ranks of a server to ring 0.
     *
     * @param server the server
     */
    void AddServer(uint32_t server);

    /**
     * @param ring a ring
     * @param rank a rank
     * @return its position on the ring
     */
    uint32_t GetPosition(uint32_t ring, uint32_t rank) const;

    /**
     * @param ring a ring
     * @param position a position
     * @return the rank there
     */
    uint32_t GetRank(uint32_t ring, uint32_t position) const;

    /**
     * @param ring a ring
     * @return where its bytes begin in the buffer
     */
    uint64_t GetOffset(uint32_t ring) const;

    /**
     * Add up what rings have for the same rank.
     *
     * @tparam F the type of the function
     * @param rank a rank
     * @param get returns the messages of a ring at a position
     * @param [out] transfers the messages of all rings; previous content is lost
     */
    template <typename F>
    void Join(uint32_t rank, const F& get, std::vector<Transfer>& transfers) const;

    uint32_t m_size;                   //!< Ranks of a server
    std::vector<uint32_t> m_order;     //!< Ranks by their positions on ring 0
    std::vector<uint32_t> m_positions; //!< Positions on ring 0, by rank
    std::vector<RingSchedule> m_rings; //!< The rings, each with its own bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_RING_SCHEDULE_H */
