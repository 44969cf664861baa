/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_TRACE_H
#define RDMA_TRACE_H

#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A trace source of an RdmaNetwork: once it has a sink, the network keeps to the clock of
 * ns-3, so that sinks are called at their time.
 *
 * @tparam Ts the types of the arguments of a sink
 */
template <typename... Ts>
class RdmaTrace : public TracedCallback<Ts...>
{
  public:
    /**
     * @param isWatched becomes true once there is a sink
     */
    void SetWatch(std::shared_ptr<bool> isWatched)
    {
        m_isWatched = std::move(isWatched);
        *m_isWatched = *m_isWatched || !this->IsEmpty();
    }

    /**
     * @param callback the sink
     */
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        TracedCallback<Ts...>::ConnectWithoutContext(callback);
        Note();
    }

    /**
     * @param callback the sink
     * @param path the context that it gets
     */
    void Connect(const CallbackBase& callback, std::string path)
    {
        TracedCallback<Ts...>::Connect(callback, path);
        Note();
    }

  private:
    /// Note that there is a sink.
    void Note()
    {
        if (m_isWatched)
        {
            *m_isWatched = true;
        }
    }

    std::shared_ptr<bool> m_isWatched; //!< Becomes true
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_TRACE_H */
