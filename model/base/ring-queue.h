/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_QUEUE_H
#define RING_QUEUE_H

#include <cstddef>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Messages on a lightpath in the order in which they are sent, in a ring buffer.
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
        return m_messages[m_first & (m_messages.size() - 1)];
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
        if (m_last - m_first == m_messages.size())
        {
            Grow();
        }
        m_messages[m_last++ & (m_messages.size() - 1)] = message;
    }

    /**
     * @param count how many of the last messages to remove
     */
    void RemoveLast(std::size_t count)
    {
        m_last -= count;
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
        return m_messages[(m_first + index) & (m_messages.size() - 1)];
    }

  private:
    /// Make room for more messages.
    void Grow()
    {
        std::vector<T> messages(2 * m_messages.size());
        const std::size_t size = GetSize();
        for (std::size_t i = 0; i < size; ++i)
        {
            messages[i] = Get(i);
        }
        m_messages.swap(messages);
        m_first = 0;
        m_last = size;
    }

    std::vector<T> m_messages = std::vector<T>(2); //!< A power of two of places
    std::size_t m_first{0};                        //!< Number of the first message
    std::size_t m_last{0};                         //!< Number behind the last one
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_QUEUE_H */
