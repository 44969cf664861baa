/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "method-case.h"
#include "turn-cases.h"

#include <map>
#include <tuple>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param rank a rank
 * @param byte a byte of its buffer
 * @return its number, which no sum of other numbers equals by chance
 */
uint64_t
GetNumber(uint32_t rank, uint64_t byte)
{
    // The finaliser of splitmix64
    uint64_t z = (byte * 64 + rank + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (z ^ (z >> 31)) | 1;
}

/// A known number, and how often it was taken without addition.
struct Cell
{
    bool isKnown{false}; //!< There is a number
    uint64_t number{0};  //!< The number; sums are those of the integers modulo 2^64
    uint32_t taken{0};   //!< How often it has come in
};

/// A part of a message that is under way.
struct Parcel
{
    uint32_t peer{0};     //!< Rank that it is for
    std::size_t cell{0};  //!< Where its first byte goes
    std::size_t first{0}; //!< Place of its first number among the numbers under way
    std::size_t size{0};  //!< How many numbers
    bool isSum{false};    //!< They are added
};

/// A sum that a network makes.
struct Average
{
    uint32_t rank{0};    //!< Rank that it is for
    std::size_t cell{0}; //!< Where it goes
    uint32_t network{0}; //!< The network
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Carries out every schedule on integers, one for each byte of a buffer, using the stated
 * contents of messages only: each rank ends with the right numbers, and each number that is not to
 * be added comes in once.
 */
class CollectiveNumberTestCase : public TestCase
{
  public:
    CollectiveNumberTestCase()
        : TestCase("Schedules of all algorithms leave each rank with the right numbers")
    {
    }

  private:
    void DoRun() override;

    /**
     * Carry out a schedule.
     *
     * @param what the schedule
     */
    void Try(const ScheduleCase& what);

    /**
     * Fill the buffers with the initial data of the ranks.
     *
     * @param what the schedule
     */
    void Fill(const ScheduleCase& what);

    /**
     * Carry out a step: all messages are made before any is taken.
     *
     * @param what the schedule
     * @param step the step
     */
    void Step(const ScheduleCase& what, uint32_t step);

    /**
     * Check the final data of the ranks.
     *
     * @param what the schedule
     */
    void CheckEnd(const ScheduleCase& what);

    /**
     * Sends match receives, and add up to the totals and to the published volume.
     *
     * @param what the schedule
     */
    void CheckBytes(const ScheduleCase& what);

    /**
     * All ranks send as many bytes as is published.
     *
     * @param what the schedule
     * @param volume the bytes that all ranks send
     */
    void CheckVolume(const ScheduleCase& what, uint64_t volume);

    /**
     * @param kind an operation
     * @return true if ranks have data of each other, which are not added
     */
    static bool HasOrigins(CollectiveKind kind)
    {
        return kind == CollectiveKind::ALL_TO_ALL || kind == CollectiveKind::SEND_RECV;
    }

    uint32_t m_n{0};                        //!< Number of ranks
    uint64_t m_bytes{0};                    //!< Size of the buffer
    std::vector<std::vector<Cell>> m_cells; //!< What each rank has, by origin and byte
    std::vector<uint64_t> m_numbers;        //!< The numbers that are under way
    std::vector<uint64_t> m_expected;       //!< The sum, or what is gathered
};

void
CollectiveNumberTestCase::DoRun()
{
    for (uint32_t n = 2; n <= 33; ++n)
    {
        // Less than a byte for each rank, and one byte too many
        std::vector<uint64_t> sizes{n - 1, 3 * n + 1};
        if (n < 12)
        {
            sizes.insert(sizes.end(), {1, 2 * n});
        }
        for (const uint64_t bytes : sizes)
        {
            for (const auto& what : MakeScheduleCases(n, bytes, bytes > n))
            {
                Try(what);
                CheckBytes(what);
            }
        }
        for (const auto& what : MakeTurnCases(n, n < 10 || n % 9 == 0 ? 3 * n + 1 : 0))
        {
            Try(what);
        }
        for (const auto& what : MakeGridCases(n, 40 * n + 1))
        {
            Try(what);
            CheckBytes(what);
        }
        // A size at which messages stay whole, and one at which they are cut
        constexpr uint32_t cut = 8;
        for (const uint64_t bytes : {uint64_t{40} * n + 1, uint64_t{n == cut ? 400003U : n}})
        {
            for (const auto& what : MakeTorusCases(n, bytes))
            {
                Try(what);
                CheckBytes(what);
            }
        }
    }
}

void
CollectiveNumberTestCase::Try(const ScheduleCase& what)
{
    m_n = what.schedule->GetNRanks();
    m_bytes = what.schedule->GetBytes();
    Fill(what);
    for (uint32_t step = 0; step < what.schedule->GetNSteps(); ++step)
    {
        Step(what, step);
    }
    CheckEnd(what);
}

void
CollectiveNumberTestCase::Fill(const ScheduleCase& what)
{
    const bool hasOrigins = HasOrigins(what.kind);
    m_cells.assign(m_n, std::vector<Cell>(m_bytes * (hasOrigins ? m_n : 1)));
    m_expected.assign(m_bytes, 0);
    std::vector<uint32_t> owners(m_bytes, 0);
    std::vector<Block> owned;
    for (uint32_t rank = 0; rank < m_n; ++rank)
    {
        what.schedule->GetOwned(rank, owned);
        uint64_t size = 0;
        for (const auto& block : owned)
        {
            size += block.bytes;
            for (uint64_t byte = block.offset; byte < block.offset + block.bytes; ++byte)
            {
                ++owners.at(byte);
                if (what.kind == CollectiveKind::ALL_GATHER)
                {
                    m_cells[rank][byte] = {true, GetNumber(rank, byte), 0};
                    m_expected[byte] = GetNumber(rank, byte);
                }
            }
        }
        if (!what.Uses(CollectiveAlgorithm::MULTI_RING) &&
            !what.Uses(CollectiveAlgorithm::SERVER_RINGS))
        {
            NS_TEST_ASSERT_MSG_LT_OR_EQ(size, m_bytes / m_n + 1, "more than an n-th");
        }
        for (uint64_t byte = 0; byte < m_bytes && what.kind != CollectiveKind::ALL_GATHER; ++byte)
        {
            m_cells[rank][byte + (hasOrigins ? rank * m_bytes : 0)] = {true,
                                                                       GetNumber(rank, byte),
                                                                       0};
            m_expected[byte] += GetNumber(rank, byte);
        }
    }
    const bool hasOwners =
        what.kind == CollectiveKind::REDUCE_SCATTER || what.kind == CollectiveKind::ALL_GATHER;
    NS_TEST_ASSERT_MSG_EQ((owners == std::vector<uint32_t>(m_bytes, hasOwners ? 1 : 0)),
                          true,
                          "each byte has one owner: " << what.name);
}

void
CollectiveNumberTestCase::Step(const ScheduleCase& what, uint32_t step)
{
    std::vector<Parcel> parcels;
    // The sums that networks make, by network and byte
    std::map<std::pair<uint32_t, std::size_t>, uint64_t> sums;
    std::vector<Average> averages;
    m_numbers.clear();
    std::vector<Transfer> sends;
    std::vector<Block> blocks;
    for (uint32_t rank = 0; rank < m_n; ++rank)
    {
        what.schedule->GetSends(rank, step, sends);
        what.schedule->GetBlocks(rank, step, blocks);
        for (const auto& block : blocks)
        {
            Transfer& send = sends.at(block.transfer);
            NS_TEST_ASSERT_MSG_EQ((block.bytes > 0 && block.bytes <= send.bytes),
                                  true,
                                  "size of a block: " << what.name);
            send.bytes -= block.bytes;
            const std::size_t begin = block.origin * m_bytes + block.offset;
            NS_TEST_ASSERT_MSG_LT_OR_EQ(begin + block.bytes, m_cells[rank].size(), what.name);
            if (send.peer != rank)
            {
                parcels.push_back({send.peer, begin, m_numbers.size(), block.bytes, block.isSum});
            }
            bool isKnown = true;
            for (std::size_t cell = begin; cell < begin + block.bytes; ++cell)
            {
                const Cell& from = m_cells[rank][cell];
                isKnown &= from.isKnown;
                if (send.peer == rank)
                {
                    const uint32_t local = what.schedule->GetNLocal();
                    const uint32_t network = send.isInside ? rank / local : rank % local;
                    sums[{network, cell}] += from.number;
                    averages.push_back({rank, cell, network});
                    continue;
                }
                m_numbers.push_back(from.number);
            }
            NS_TEST_ASSERT_MSG_EQ(isKnown, true, "sends what it has not: " << what.name);
        }
        for (const auto& send : sends)
        {
            NS_TEST_ASSERT_MSG_EQ(send.bytes, 0, "blocks fill the message: " << what.name);
        }
    }
    for (const auto& parcel : parcels)
    {
        auto& cells = m_cells[parcel.peer];
        NS_TEST_ASSERT_MSG_LT_OR_EQ(parcel.cell + parcel.size, cells.size(), what.name);
        for (std::size_t i = 0; i < parcel.size; ++i)
        {
            Cell& to = cells[parcel.cell + i];
            to.number = m_numbers[parcel.first + i] + (parcel.isSum ? to.number : 0);
            to.isKnown = true;
            to.taken += !parcel.isSum;
        }
    }
    for (const auto& average : averages)
    {
        m_cells[average.rank].at(average.cell).number = sums.at({average.network, average.cell});
    }
}

void
CollectiveNumberTestCase::CheckEnd(const ScheduleCase& what)
{
    std::vector<Block> owned;
    for (uint32_t rank = 0; rank < m_n; ++rank)
    {
        const auto& cells = m_cells[rank];
        what.schedule->GetOwned(rank, owned);
        std::vector<bool> isOwned(m_bytes, false);
        for (const auto& block : owned)
        {
            std::fill_n(isOwned.begin() + block.offset, block.bytes, true);
        }
        for (uint64_t byte = 0; byte < m_bytes && !HasOrigins(what.kind); ++byte)
        {
            const bool isGather = what.kind == CollectiveKind::ALL_GATHER;
            if (what.kind == CollectiveKind::REDUCE_SCATTER && !isOwned[byte])
            {
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(cells[byte].number,
                                  m_expected[byte],
                                  "byte " << byte << " of rank " << rank << ": " << what.name);
            const uint32_t most =
                what.kind == CollectiveKind::REDUCE_SCATTER || isOwned[byte] ? 0 : 1;
            NS_TEST_ASSERT_MSG_LT_OR_EQ(cells[byte].taken, most, "comes in twice: " << what.name);
            NS_TEST_ASSERT_MSG_GT_OR_EQ(cells[byte].taken,
                                        (isGather ? most : 0),
                                        "does not come in");
        }
        for (uint32_t origin = 0; origin < m_n && HasOrigins(what.kind); ++origin)
        {
            const bool isNext = (origin + 1) % m_n == rank;
            const bool toAll = what.kind == CollectiveKind::ALL_TO_ALL;
            const uint64_t begin = toAll ? m_bytes * rank / m_n : 0;
            const uint64_t end = toAll ? m_bytes * (rank + 1) / m_n : isNext ? m_bytes : 0;
            for (uint64_t byte = begin; byte < end; ++byte)
            {
                const Cell& cell = cells[origin * m_bytes + byte];
                NS_TEST_ASSERT_MSG_EQ((cell.isKnown && cell.number == GetNumber(origin, byte)),
                                      true,
                                      "data of rank " << origin << " at " << rank << ": "
                                                      << what.name);
                NS_TEST_ASSERT_MSG_EQ(cell.taken, (origin == rank ? 0U : 1U), what.name);
            }
        }
    }
}

void
CollectiveNumberTestCase::CheckBytes(const ScheduleCase& what)
{
    using Message = std::tuple<uint32_t, uint32_t, uint32_t, uint64_t, bool>;
    std::vector<Message> sent;
    std::vector<Message> received;
    uint64_t volume = 0;
    std::size_t peers = 0;
    std::vector<Transfer> transfers;
    for (uint32_t rank = 0; rank < m_n; ++rank)
    {
        std::map<std::pair<uint32_t, bool>, uint64_t> totals;
        uint64_t mine = 0;
        for (uint32_t step = 0; step < what.schedule->GetNSteps(); ++step)
        {
            what.schedule->GetSends(rank, step, transfers);
            for (const auto& transfer : transfers)
            {
                sent.emplace_back(step, rank, transfer.peer, transfer.bytes, transfer.isInside);
                totals[{transfer.peer, transfer.isInside}] += transfer.bytes;
                mine += transfer.bytes;
            }
            what.schedule->GetReceives(rank, step, transfers);
            for (const auto& transfer : transfers)
            {
                received.emplace_back(step, transfer.peer, rank, transfer.bytes, transfer.isInside);
            }
        }
        const std::size_t networks = totals.count({rank, false}) + totals.count({rank, true});
        peers = std::max(peers, totals.size() - networks);
        volume += mine;
        what.schedule->GetTotals(rank, transfers);
        NS_TEST_ASSERT_MSG_EQ(transfers.size(), totals.size(), "a total for each: " << what.name);
        for (const auto& transfer : transfers)
        {
            const uint64_t total = totals[{transfer.peer, transfer.isInside}];
            NS_TEST_ASSERT_MSG_EQ(transfer.bytes, total, "total: " << what.name);
            const uint32_t local = what.schedule->GetNLocal();
            const bool isStraight =
                rank / local == transfer.peer / local || rank % local == transfer.peer % local;
            const bool isOnRails = what.options.algorithm == CollectiveAlgorithm::TWO_LEVEL ||
                                   (what.options.algorithm == CollectiveAlgorithm::SERVER_RINGS &&
                                    (local > 2 || m_n / local % 2 == 0));
            NS_TEST_ASSERT_MSG_EQ((!isOnRails || isStraight),
                                  true,
                                  "stays inside or goes to the same index: " << what.name);
        }
        if (what.options.algorithm == CollectiveAlgorithm::DOUBLE_TREE)
        {
            NS_TEST_ASSERT_MSG_LT_OR_EQ(mine, 4 * ((m_bytes + 1) / 2), "children in one tree only");
        }
    }
    CheckVolume(what, volume);
    std::sort(sent.begin(), sent.end());
    std::sort(received.begin(), received.end());
    NS_TEST_ASSERT_MSG_EQ((sent == received), true, "sends match receives: " << what.name);
    NS_TEST_ASSERT_MSG_LT_OR_EQ(peers, what.schedule->GetNPeers(), "peers: " << what.name);
    if (m_bytes >= 2 * m_n)
    {
        NS_TEST_ASSERT_MSG_EQ(peers, what.schedule->GetNPeers(), "peers: " << what.name);
    }
}

void
CollectiveNumberTestCase::CheckVolume(const ScheduleCase& what, uint64_t volume)
{
    const double all = static_cast<double>(m_n) * m_bytes;
    if (what.options.algorithm == CollectiveAlgorithm::TWO_LEVEL)
    {
        // A network takes what is summed once
        const bool hasSwitch = what.options.inside == CollectiveAlgorithm::IN_NETWORK;
        const bool isAveraged = what.options.across == CollectiveAlgorithm::IN_NETWORK;
        const double g = what.options.local;
        const double p = m_n / g;
        const bool isAll = what.kind == CollectiveKind::ALL_REDUCE;
        const bool isExchange = what.kind == CollectiveKind::ALL_TO_ALL;
        const bool isReduced = isAll || what.kind == CollectiveKind::REDUCE_SCATTER;
        const double inside = (isAll ? 2 : 1) * (g - 1) / g + (hasSwitch && isReduced ? 1 / g : 0);
        const double across = isAveraged ? 1 / g : (isAll ? 2 : 1) * (p - 1) / p / g;
        NS_TEST_ASSERT_MSG_EQ_TOL(static_cast<double>(volume),
                                  all * (inside + across * (isExchange ? g : 1)),
                                  1e-6,
                                  what.name);
        return;
    }
    if (what.options.algorithm == CollectiveAlgorithm::LINE &&
        what.kind == CollectiveKind::ALL_TO_ALL)
    {
        // A chunk is sent as often as its ranks are far from each other
        uint64_t expected = 0;
        for (uint32_t from = 0; from < m_n; ++from)
        {
            for (uint32_t to = 0; to < m_n; ++to)
            {
                const uint64_t bytes = m_bytes * (to + 1) / m_n - m_bytes * to / m_n;
                expected += (std::max(from, to) - std::min(from, to)) * bytes;
            }
        }
        NS_TEST_ASSERT_MSG_EQ(volume, expected, what.name);
        return;
    }
    if (what.options.algorithm != CollectiveAlgorithm::BRUCK)
    {
        const double expected = what.schedule->GetBusFactor() * all;
        NS_TEST_ASSERT_MSG_EQ_TOL(static_cast<double>(volume), expected, 1e-6, what.name);
        return;
    }
    // The published numbers of blocks that a rank sends, of S / n each
    static const std::map<uint32_t, uint64_t> blocks{{5, 5},
                                                     {6, 7},
                                                     {7, 9},
                                                     {8, 12},
                                                     {12, 20},
                                                     {16, 32}};
    if (const auto found = blocks.find(m_n); found != blocks.end())
    {
        NS_TEST_ASSERT_MSG_EQ(volume, found->second * m_bytes, "volume of Bruck: " << what.name);
    }
}

/// Registers the test cases
static const SuiteCases g_collectiveNumberCases("lightpath-collective",
                                                {{new CollectiveNumberTestCase}});
