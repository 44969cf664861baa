/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_TRACE_H
#define RDMA_TRACE_H

#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Knows whether somebody looks at an RdmaNetwork, which then keeps to the clock of ns-3.
 */
class RdmaWatch
{
  public:
    /**
     * @return true once a sink has been connected to an RdmaTrace
     */
    static bool IsOn()
    {
        return m_isOn;
    }

    /// A sink is connected.
    static void TurnOn()
    {
        m_isOn = true;
    }

    /// A network is made.
    static void Enter()
    {
        ++m_nNetworks;
    }

    /// A network is gone; the sinks have gone with the last one.
    static void Leave()
    {
        --m_nNetworks;
        m_isOn = m_isOn && m_nNetworks > 0;
    }

  private:
    inline static uint32_t m_nNetworks{0}; //!< Networks that there are
    inline static bool m_isOn{false};      //!< A sink has been connected
};

/**
 * @ingroup lightpath
 * @brief A trace source of an RdmaNetwork: its sinks are called at their time.
 *
 * @tparam Ts the types of the arguments of a sink
 */
template <typename... Ts>
class RdmaTrace : public TracedCallback<Ts...>
{
  public:
    /**
     * @param callback the sink
     */
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        RdmaWatch::TurnOn();
        TracedCallback<Ts...>::ConnectWithoutContext(callback);
    }

    /**
     * @param callback the sink
     * @param path the context that it gets
     */
    void Connect(const CallbackBase& callback, std::string path)
    {
        RdmaWatch::TurnOn();
        TracedCallback<Ts...>::Connect(callback, path);
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_TRACE_H */
