/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_BORROWER_H
#define LIGHTPATH_BORROWER_H

#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Computes the frames of idle lightpaths that devices have lent to it, in place of their
 * transmitters.
 *
 * A device lends a lightpath (OpticalNetDevice::Lend()) as long as its rate stays what it is and
 * nothing else uses it. Before that changes, it calls GiveBack().
 */
class LightpathBorrower
{
  public:
    LightpathBorrower();
    virtual ~LightpathBorrower();

    LightpathBorrower(const LightpathBorrower&) = delete;
    LightpathBorrower& operator=(const LightpathBorrower&) = delete;

    /// Let all borrowers give all lightpaths back, as somebody is about to look at frames.
    static void RecallAll();

    /// Give all lightpaths back, with their frames in the state of this instant.
    virtual void GiveBack() = 0;

    /**
     * @return true if no frame of any lightpath is sent, waits or propagates
     */
    virtual bool IsIdle() = 0;

    /**
     * @param lightpath the number of a lightpath, as given to OpticalNetDevice::Lend()
     * @return the bytes that wait for it, including the unsent bytes of the current frame
     */
    virtual uint64_t GetBacklog(uint32_t lightpath) = 0;

    /**
     * Bring the counts of the frame source of a lightpath up to date.
     *
     * @param lightpath its number
     */
    virtual void Settle(uint32_t lightpath) = 0;
};

/**
 * @ingroup lightpath
 * @brief A trace source of frames or messages: there is something to see from the instant on at
 * which a sink is connected.
 *
 * @tparam Ts the types of the arguments of sinks
 */
template <typename... Ts>
class FrameTrace : public TracedCallback<Ts...>
{
  public:
    /**
     * @param callback the sink
     */
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        LightpathBorrower::RecallAll();
        TracedCallback<Ts...>::ConnectWithoutContext(callback);
    }

    /**
     * @param callback the sink
     * @param path the context that it gets
     */
    void Connect(const CallbackBase& callback, std::string path)
    {
        LightpathBorrower::RecallAll();
        TracedCallback<Ts...>::Connect(callback, path);
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_BORROWER_H */
