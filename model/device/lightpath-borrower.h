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

    /// Let all borrowers tell the sinks of computed frames and messages up to this instant.
    static void ReportAll();

    /// Leave the borrowers that RecallAll() and ReportAll() ask, as the devices are gone.
    void Leave();

    /// Give all lightpaths back, with their frames in the state of this instant.
    virtual void GiveBack() = 0;

    /**
     * Give a lightpath back, and others only if they depend on it; all in the base class.
     *
     * @param lightpath its number, as given to OpticalNetDevice::Lend()
     */
    virtual void GiveBack(uint32_t lightpath)
    {
        GiveBack();
    }

    /**
     * Give a lightpath back if nothing is sent on it or waits for it; in the base class, all
     * lightpaths if all are idle.
     *
     * @param lightpath its number
     * @return true if it is given back
     */
    virtual bool Release(uint32_t lightpath)
    {
        const bool isIdle = IsIdle();
        if (isIdle)
        {
            GiveBack();
        }
        return isIdle;
    }

    /// Tell the sinks of computed frames and messages up to this instant.
    virtual void Report() = 0;

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
 * @brief While it exists, sinks that are connected to a FrameTrace do not keep lightpaths from
 * being lent, as they also listen to OpticalNetDevice's trace source ComputedFrame or to
 * TrainingApplication's ComputedMessage.
 */
class LateSinks
{
  public:
    LateSinks()
    {
        ++g_nScopes;
    }

    ~LateSinks()
    {
        --g_nScopes;
    }

    LateSinks(const LateSinks&) = delete;
    LateSinks& operator=(const LateSinks&) = delete;

    /**
     * @return true while one exists
     */
    static bool AreConnected()
    {
        return g_nScopes > 0;
    }

  private:
    inline static uint32_t g_nScopes{0}; //!< How many exist
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
        NoteSink();
        TracedCallback<Ts...>::ConnectWithoutContext(callback);
    }

    /**
     * @param callback the sink
     * @param path the context that it gets
     */
    void Connect(const CallbackBase& callback, std::string path)
    {
        NoteSink();
        TracedCallback<Ts...>::Connect(callback, path);
    }

    /**
     * @return true if there is a sink that must see each frame or message at its time
     */
    bool NeedsEvents() const
    {
        return m_needsEvents && !this->IsEmpty();
    }

  private:
    /// Note that a sink is about to be connected.
    void NoteSink()
    {
        LightpathBorrower::RecallAll();
        m_needsEvents = NeedsEvents() || !LateSinks::AreConnected();
    }

    bool m_needsEvents{false}; //!< A sink was not connected by LateSinks
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_BORROWER_H */
