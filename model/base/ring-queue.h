/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_QUEUE_H
#define RING_QUEUE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Messages on a lightpath in the order in which they are sent, in a ring buffer. A few need
 * no memory beyond the object.
 *
 * @tparam T what is known of a message
 */
template <typename T>
class RingQueue
{
  public:
    /**
     * @return true if there is no message
     */
    bool IsEmpty() const
    {
        return m_first == m_last;
    }

    /**
     * @return the first message
     */
    const T& GetFirst() const
    {
        return Get(0);
    }

    /// Remove the first message.
    void Pop()
    {
        ++m_first;
    }

    /**
     * @param message a message, which is added as the last one
     */
    void Push(const T& message)
    {
        if (GetSize() == GetCapacity())
        {
            Grow();
        }
        const std::size_t place = m_last++ & (GetCapacity() - 1);
        (m_many.empty() ? m_few[place] : m_many[place]) = message;
    }

    /**
     * @param count how many of the last messages to remove
     */
    void RemoveLast(std::size_t count)
    {
        m_last -= static_cast<uint32_t>(count);
    }

    /**
     * @return the number of messages
     */
    std::size_t GetSize() const
    {
        return m_last - m_first;
    }

    /**
     * @param index an index, from 0
     * @return the message
     */
    const T& Get(std::size_t index) const
    {
        const std::size_t place = (m_first + index) & (GetCapacity() - 1);
        return m_many.empty() ? m_few[place] : m_many[place];
    }

  private:
    /// Places that need no memory of their own, a power of two.
    static constexpr std::size_t FEW = 2;

    /**
     * @return the number of places, a power of two
     */
    std::size_t GetCapacity() const
    {
        return m_many.empty() ? FEW : m_many.size();
    }

    /// Make room for more messages.
    void Grow()
    {
        std::vector<T> messages(2 * GetCapacity());
        const uint32_t size = m_last - m_first;
        for (uint32_t i = 0; i < size; ++i)
        {
            messages[i] = Get(i);
        }
        m_many.swap(messages);
        m_first = 0;
        m_last = size;
    }

    std::array<T, FEW> m_few{}; //!< The messages, unless there have been more
    std::vector<T> m_many;      //!< The messages, if there have been more
    uint32_t m_first{0};        //!< Number of the first message, modulo 2^32
    uint32_t m_last{0};         //!< Number behind the last one
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_QUEUE_H */
