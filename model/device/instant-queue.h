/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INSTANT_QUEUE_H
#define INSTANT_QUEUE_H

#include "ns3/event-id.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Small events of one owner, with one event of the simulator for all that happen at an
 * instant.
 *
 * They happen in the order in which they have been pushed. Where another event of the simulator has
 * its place between two of them, Close() keeps it there: those behind it get an event of their own.
 */
class InstantQueue
{
  public:
    /// An end or arrival, as the owner understands it.
    struct Entry
    {
        uint32_t subject; //!< Identifies the object that the entry concerns
        uint32_t stamp;   //!< Tells the owner which end or arrival it is
    };

    /// The owner.
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /**
         * Handle an entry whose time has come.
         *
         * @param entry the entry
         * @param now the present tick
         */
        virtual void Happen(const Entry& entry, int64_t now) = 0;
    };

    /**
     * @param owner the owner, which outlives the queue
     */
    explicit InstantQueue(Owner& owner);
    ~InstantQueue();

    InstantQueue(const InstantQueue&) = delete;
    InstantQueue& operator=(const InstantQueue&) = delete;

    /**
     * @param tick when it happens, not before the present tick
     * @param entry what happens
     */
    void Push(int64_t tick, const Entry& entry)
    {
        Recent& recent = m_recent[tick & (RECENT - 1)];
        if (recent.tick != tick)
        {
            recent = {tick, FindOpen(tick)};
        }
        m_batches[recent.batch].entries.push_back(entry);
    }

    /**
     * Put what is pushed from now on for an instant behind all other events that have been
     * scheduled for it.
     *
     * @param tick the instant
     */
    void Close(int64_t tick);

  private:
    /// Entries of one tick that happen in a row.
    struct Batch
    {
        int64_t tick{0};            //!< The tick
        std::vector<Entry> entries; //!< The entries, in order
        EventId event;              //!< The event of the simulator
    };

    /// A batch that entries may be added to.
    struct Recent
    {
        int64_t tick{-1};  //!< Its instant; -1 for none
        uint32_t batch{0}; //!< Its index
    };

    /// Batches that are found without a search, a power of two.
    static constexpr uint32_t RECENT = 64;

    /**
     * @param tick an instant
     * @return the index of the batch that entries are added to
     */
    uint32_t FindOpen(int64_t tick);

    /**
     * Let the entries of a batch happen.
     *
     * @param batch its index
     */
    void Run(uint32_t batch);

    Owner& m_owner;                               //!< The owner
    std::vector<Batch> m_batches;                 //!< The batches, and free places
    std::vector<uint32_t> m_free;                 //!< Free places
    std::unordered_map<int64_t, uint32_t> m_open; //!< Batches that entries are added to
    std::array<Recent, RECENT> m_recent{};        //!< Some of them, by their lowest bits
};

} // namespace lightpath
} // namespace ns3

#endif /* INSTANT_QUEUE_H */
