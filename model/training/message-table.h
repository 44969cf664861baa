/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_TABLE_H
#define MESSAGE_TABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A table of messages, each with a number, by the rank that sends the message and its tag.
 *
 * A job of many ranks looks up each message here, mostly in memory that is not in a cache. A hash
 * table with linear probing (D. E. Knuth, The Art of Computer Programming, volume 3, section 6.4)
 * finds a message with one access to such memory, where std::unordered_map needs three.
 */
class MessageTable
{
  public:
    /**
     * @brief A message with its number.
     */
    struct Entry
    {
        uint64_t tag{0};      //!< The tag
        uint32_t source{0};   //!< The rank that sends the message
        uint32_t value{NONE}; //!< The number
    };

    /// No number.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param source the rank that sends the message
     * @param tag the tag of the message, which is not in the table
     * @param value its number, less than NONE
     */
    void Add(uint32_t source, uint64_t tag, uint32_t value)
    {
        if (2 * (m_size + 1) > m_entries.size())
        {
            Grow();
        }
        m_entries[FindPlace(source, tag)] = {tag, source, value};
        ++m_size;
    }

    /**
     * Take a message out of the table.
     *
     * @param source the rank that sends the message
     * @param tag the tag of the message
     * @return its number, or NONE if the message is not in the table
     */
    uint32_t Take(uint32_t source, uint64_t tag)
    {
        if (m_size == 0)
        {
            return NONE;
        }
        const std::size_t mask = m_entries.size() - 1;
        std::size_t hole = FindPlace(source, tag);
        const uint32_t value = m_entries[hole].value;
        if (value == NONE)
        {
            return NONE;
        }
        // A search ends at the first free place. So an entry behind the hole moves into the hole
        // unless its search begins between the two.
        for (std::size_t i = (hole + 1) & mask; m_entries[i].value != NONE; i = (i + 1) & mask)
        {
            const std::size_t first = GetFirst(m_entries[i].source, m_entries[i].tag);
            if (((i - first) & mask) >= ((i - hole) & mask))
            {
                m_entries[hole] = m_entries[i];
                hole = i;
            }
        }
        m_entries[hole].value = NONE;
        --m_size;
        return value;
    }

    /**
     * @return the messages, in no particular order
     */
    std::vector<Entry> GetEntries() const
    {
        std::vector<Entry> entries;
        for (const Entry& entry : m_entries)
        {
            if (entry.value != NONE)
            {
                entries.push_back(entry);
            }
        }
        return entries;
    }

  private:
    /// The size of the smallest table, a power of two.
    static constexpr std::size_t LEAST = 8;

    /**
     * @param source the rank that sends a message
     * @param tag the tag of the message
     * @return the place at which the search for the message begins
     */
    std::size_t GetFirst(uint32_t source, uint64_t tag) const
    {
        // 2^64 over the golden ratio
        constexpr uint64_t FACTOR = 0x9e3779b97f4a7c15;
        return static_cast<std::size_t>(((tag ^ source) * FACTOR) >> 32) & (m_entries.size() - 1);
    }

    /**
     * @param source the rank that sends a message
     * @param tag the tag of the message
     * @return its place if it is in the table, else the free place for it
     */
    std::size_t FindPlace(uint32_t source, uint64_t tag) const
    {
        std::size_t place = GetFirst(source, tag);
        while (m_entries[place].value != NONE &&
               (m_entries[place].tag != tag || m_entries[place].source != source))
        {
            place = (place + 1) & (m_entries.size() - 1);
        }
        return place;
    }

    /// Double the size of the table.
    void Grow()
    {
        std::vector<Entry> entries(m_entries.empty() ? LEAST : 2 * m_entries.size());
        entries.swap(m_entries);
        for (const Entry& entry : entries)
        {
            if (entry.value != NONE)
            {
                m_entries[FindPlace(entry.source, entry.tag)] = entry;
            }
        }
    }

    std::vector<Entry> m_entries; //!< The places, a power of two of them, or none
    std::size_t m_size{0};        //!< The number of messages
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_TABLE_H */
