/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_TABLE_H
#define MESSAGE_TABLE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A table of messages, each with a value, by the rank that sends the message and its tag.
 *
 * A job of many ranks looks up each message here, mostly in memory that is not in a cache. A hash
 * table with linear probing (D. E. Knuth, The Art of Computer Programming, volume 3, section 6.4)
 * finds a message with one access to such memory, where std::unordered_map needs three.
 *
 * @tparam T the values
 */
template <typename T>
class MessageTable
{
  public:
    /**
     * @param source the rank that sends the message, less than UINT32_MAX
     * @param tag the tag of the message, which is not in the table
     * @param value its value
     */
    void Add(uint32_t source, uint64_t tag, const T& value)
    {
        if (2 * (m_size + 1) > m_entries.size())
        {
            Grow();
        }
        m_entries[FindPlace(source, tag)] = {tag, source, value};
        ++m_size;
    }

    /**
     * @param source the rank that sends the message
     * @param tag the tag of the message
     * @return its value, or null if the message is not in the table
     */
    const T* Find(uint32_t source, uint64_t tag) const
    {
        const Entry* const entry = m_size > 0 ? &m_entries[FindPlace(source, tag)] : nullptr;
        return entry && entry->source != NOBODY ? &entry->value : nullptr;
    }

    /**
     * Take a message out of the table.
     *
     * @param source the rank that sends the message
     * @param tag the tag of the message
     * @return its value, if the message is in the table
     */
    std::optional<T> Take(uint32_t source, uint64_t tag)
    {
        if (m_size == 0)
        {
            return std::nullopt;
        }
        const std::size_t mask = m_entries.size() - 1;
        std::size_t hole = FindPlace(source, tag);
        if (m_entries[hole].source == NOBODY)
        {
            return std::nullopt;
        }
        const std::optional<T> value = m_entries[hole].value;
        // A search ends at the first free place. So an entry behind the hole moves into the hole
        // unless its search begins between the two.
        for (std::size_t i = (hole + 1) & mask; m_entries[i].source != NOBODY; i = (i + 1) & mask)
        {
            const std::size_t first = GetFirst(m_entries[i].source, m_entries[i].tag);
            if (((i - first) & mask) >= ((i - hole) & mask))
            {
                m_entries[hole] = m_entries[i];
                hole = i;
            }
        }
        m_entries[hole].source = NOBODY;
        --m_size;
        return value;
    }

    /**
     * Fetch the memory in which a search begins.
     *
     * @param source the rank that sends a message
     * @param tag the tag of the message
     */
    void Prefetch(uint32_t source, uint64_t tag) const
    {
        if (!m_entries.empty())
        {
            __builtin_prefetch(&m_entries[GetFirst(source, tag)]);
        }
    }

    /**
     * @return the number of messages
     */
    std::size_t GetSize() const
    {
        return m_size;
    }

  private:
    /// The source of a free place.
    static constexpr uint32_t NOBODY = UINT32_MAX;

    /// A message with its value.
    struct Entry
    {
        uint64_t tag{0};         //!< The tag
        uint32_t source{NOBODY}; //!< The rank that sends the message
        T value{};               //!< The value
    };

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
        while (m_entries[place].source != NOBODY &&
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
            if (entry.source != NOBODY)
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
