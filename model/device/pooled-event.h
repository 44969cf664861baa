/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POOLED_EVENT_H
#define POOLED_EVENT_H

#include "ns3/event-impl.h"

#include <boost/pool/singleton_pool.hpp>
#include <cstddef>
#include <new>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A frequent kind of event, which reuses the memory of earlier events.
 *
 * @tparam T the kind of event, a child class that has no child classes
 * @tparam B the kind of events that it is one of
 */
template <typename T, typename B = EventImpl>
class PooledEvent : public B
{
  public:
    /**
     * @return memory for an event
     */
    static void* operator new(std::size_t /* size */)
    {
        void* const memory = Pool<sizeof(T)>::malloc();
        if (!memory)
        {
            throw std::bad_alloc();
        }
        return memory;
    }

    /**
     * @param memory the memory of an event
     */
    static void operator delete(void* memory)
    {
        Pool<sizeof(T)>::free(memory);
    }

  private:
    /// The pool of the memory.
    template <std::size_t SIZE>
    using Pool = boost::singleton_pool<T,
                                       SIZE,
                                       boost::default_user_allocator_new_delete,
                                       boost::details::pool::null_mutex>;
};

} // namespace lightpath
} // namespace ns3

#endif /* POOLED_EVENT_H */
