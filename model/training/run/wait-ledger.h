/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAIT_LEDGER_H
#define WAIT_LEDGER_H

#include "model/training/transport/message-table.h"
#include "training-application.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class WaitLog;

/**
 * @ingroup lightpath
 * @brief Divides the waiting time of the ranks of a job by cause.
 *
 * A rank waits while its GPU does not compute. The last communication that the next task needs
 * ends the wait. The wait falls into three parts:
 *
 * - until the data is ready, that is, the sender has handed the message over or the last member has
 *   reached the collective operation, the wait counts as the activity of that other rank: a
 *   bubble if it computes, otherwise the cause of its own wait;
 * - then for circuits, as long as there was no light for anything that the other rank had to send;
 * - for the rest of the time, for communication in groups of this kind.
 *
 * The ledger keeps the latest activities of each rank only. It counts earlier ones as computation.
 */
class WaitLedger
{
  public:
    /// Data that a rank waits for.
    struct Wait
    {
        uint32_t rank{0}; //!< The rank that the data comes from, or the last one to take part
        Time ready;       //!< When it had the data
        Time dark;        //!< Its Transport::GetDarkTime() then
    };

    /// Takes waits: the rank, its WaitKind, when it began and when it ended.
    using WaitTrace = TracedCallback<uint32_t, uint32_t, Time, Time>;

    /**
     * @param ranks the number of ranks
     * @param trace takes the waits, each once its reason is known; outlives the ledger
     */
    WaitLedger(uint32_t ranks, const WaitTrace& trace);

    ~WaitLedger();

    /**
     * Keep what the ledger is told in a log from now on: causes and times of waiting are only known
     * once a ledger is given the log.
     *
     * @param log the log
     */
    void Defer(std::unique_ptr<WaitLog> log);

    /**
     * @return the log; null if nothing is deferred
     */
    WaitLog* GetLog() const
    {
        return m_log.get();
    }

    /**
     * Give the reason why a rank has waited until now, as far as a ledger with a log knows it.
     *
     * @param rank the rank
     * @param now the time
     * @param group the kind of group in which the cause of the wait came
     * @param isInside whether messages in the group stay inside a server
     */
    void ExplainLater(uint32_t rank, Time now, uint32_t group, bool isInside);

    /**
     * Begin to keep account of a rank.
     *
     * @param rank the rank
     * @param now the time
     */
    void Begin(uint32_t rank, Time now);

    /**
     * Note that a rank computes.
     *
     * @param rank the rank
     * @param now the time
     * @param end the time at which the task will end
     */
    void Compute(uint32_t rank, Time now, Time end);

    /**
     * Note that a message has been handed over to be sent.
     *
     * @param destination the rank that it is for
     * @param tag its tag
     * @param wait where it comes from
     */
    void HandOver(uint32_t destination, uint64_t tag, const Wait& wait);

    /**
     * Fetch the memory that HandOver() or Take() needs for a message.
     *
     * @param source the rank that the message comes from
     * @param destination the rank that it is for
     * @param tag its tag
     */
    void Prefetch(uint32_t source, uint32_t destination, uint64_t tag) const
    {
        m_incoming[destination].Prefetch(source, tag);
    }

    /**
     * @param source the rank that a message comes from
     * @param destination the rank that it has arrived at
     * @param now the time
     * @param tag its tag
     * @return what HandOver() noted
     */
    Wait Take(uint32_t source, uint32_t destination, Time now, uint64_t tag);

    /**
     * Note that a rank has reached a collective operation.
     *
     * @param first the first member of the group
     * @param tag the tag of step 0
     * @param wait the rank
     */
    void Join(uint32_t first, uint64_t tag, const Wait& wait);

    /**
     * Note that the part of a rank in a collective operation is done.
     *
     * @param rank the rank
     * @param now the time
     * @param first the first member of the group
     * @param tag the tag of step 0
     * @return the last rank that has reached the operation
     */
    Wait Leave(uint32_t rank, Time now, uint32_t first, uint64_t tag);

    /**
     * @param rank a rank
     * @param now the time
     * @return true if the rank waits and the reason has not been given
     */
    bool IsWaiting(uint32_t rank, Time now) const
    {
        return m_ranks[rank].end < now;
    }

    /**
     * Give the reason why a rank has waited until now.
     *
     * @param rank the rank
     * @param now the time
     * @param wait the cause of the wait
     * @param dark the Transport::GetDarkTime() of the rank that this came from
     * @param group the kind of group in which it came
     */
    void Explain(uint32_t rank, Time now, const Wait& wait, Time dark, uint32_t group);

    /**
     * @param rank a rank whose iteration ends
     * @param now the time
     * @return how long it has waited since its last iteration ended
     */
    WaitTimes EndIteration(uint32_t rank, Time now);

    /**
     * @param rank a rank
     * @param from the beginning of a time
     * @param until the end of the time
     * @return how long another rank waits that waits for this rank all the time
     */
    WaitTimes GetWaitsFor(uint32_t rank, Time from, Time until) const;

  private:
    /// A time that a rank spends on one thing.
    struct Activity
    {
        Time end;     //!< When it ends; it begins at the end of the activity before
        uint8_t kind; //!< WaitKind, or COMPUTE
    };

    /// The account of a rank.
    struct Account
    {
        uint32_t rank{NOBODY};            //!< The rank
        Time end;                         //!< Until when it is complete
        WaitTimes waits{};                //!< Waiting since the last iteration ended
        std::vector<Activity> activities; //!< The latest activities
    };

    /// When a message was handed over.
    struct HandedOver
    {
        Time ready; //!< Wait::ready
        Time dark;  //!< Wait::dark
    };

    /// A collective operation under way.
    struct Operation
    {
        Wait last;           //!< The last rank that has reached it
        uint32_t members{0}; //!< Ranks that take part now
    };

    /// The rank of an account that nobody is told of.
    static constexpr uint32_t NOBODY = UINT32_MAX;

    /// Marks an activity as computation.
    static constexpr uint8_t COMPUTE = N_WAIT_KINDS;

    /// Least number of the latest activities that are kept.
    static constexpr std::size_t LATEST = 256;

    /**
     * Extend an account.
     *
     * @param account the account
     * @param end the end of the activity; no effect if the account is complete until then
     * @param kind the activity
     */
    void Add(Account& account, Time end, uint8_t kind) const;

    /**
     * Extend the account of a rank that waits for another rank.
     *
     * @param account the account
     * @param other the account of the other rank
     * @param end the end of the wait
     * @param kind the cause where the account of the other rank is not complete
     */
    void Follow(Account& account, const Account& other, Time end, uint8_t kind) const;

    const WaitTrace& m_trace;     //!< Takes the waits
    std::vector<Account> m_ranks; //!< The accounts of the ranks
    /// Messages on the way, by destination
    std::vector<MessageTable<HandedOver>> m_incoming;
    /// Operations under way, by tag and first member of the group
    std::map<std::pair<uint64_t, uint32_t>, Operation> m_operations;
    std::unique_ptr<WaitLog> m_log; //!< Takes what the ledger is told, or null
};

} // namespace lightpath
} // namespace ns3

#endif /* WAIT_LEDGER_H */
