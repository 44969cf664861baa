/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_LINK_CHANNEL_H
#define SHARED_LINK_CHANNEL_H

#include "ns3/assert.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/fabric-channel.h"
#include "ns3/link-sharing.h"

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A fabric of links that the pairs of ports with frames share max-min fairly (LinkSharing).
 *
 * Shares change at once whenever a pair begins or ceases to have frames; all changes of one instant
 * are shared out once. An abstract base class: a child class knows the links of each pair.
 */
class SharedLinkChannel : public FabricChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param source a port
     * @param destination another port
     * @return the present rate of the pair, zero if it has no frames
     */
    DataRate GetRate(uint32_t source, uint32_t destination) const;

    /**
     * @param source a port
     * @param destination another port
     * @return the links of the last frames of the pair; none if it has had no frames since
     *         ResetRoutes()
     */
    virtual std::vector<LinkSharing::Use> GetUses(uint32_t source, uint32_t destination) const;

    SharedLinkChannel();
    ~SharedLinkChannel() override;

    void NotifyActive(uint32_t source, uint32_t destination) override;
    void NotifyIdle(uint32_t source, uint32_t destination) override;
    bool Lend(uint32_t source, uint32_t destination) override;
    void TakeBack(uint32_t source, uint32_t destination) override;
    bool StaysDark() const override;
    FrameStreams* GetStreams() override;

  protected:
    void DoDispose() override;

    /// The links that the frames of a pair of ports take.
    struct Route
    {
        std::vector<LinkSharing::Use> uses; //!< The links; none if there is no way
        Time delay;                         //!< From the last bit sent to the last received
        bool isFixed{true};                 //!< Whether the pair keeps it until ResetRoutes()
    };

    /**
     * Find new routes for all pairs, at once for those with frames.
     *
     * @param change what to do while no pair uses a link
     */
    void ResetRoutes(const std::function<void()>& change = [] {});

    /**
     * End a flow, if it is active.
     *
     * @param flow the flow
     */
    void EndFlow(LinkSharing::Flow& flow);

    /// Let the borrowers of lightpaths give all of them back, as rates are about to change.
    void RecallAll();

    /// Schedule a call of Share() at this instant.
    void ScheduleShare();

    LinkSharing m_sharing; //!< The links

  private:
    friend class FrameStreams;

    /// A pair of ports that has, or has had, frames.
    struct PairFlow : public LinkSharing::Flow
    {
        void NotifyShare(uint64_t bitRate) override;

        OpticalNetDevice* device{nullptr}; //!< The device that sends
        uint32_t source{0};                //!< Its port
        uint32_t destination{0};           //!< The port that receives
        Time delay;                        //!< From the last bit sent to the last received
        bool hasFrames{false};             //!< The device has frames
        bool hasRoute{false};              //!< Its links are known
        bool isCut{false};                 //!< There is no way
        bool isLent{false};                //!< Its lightpath is lent, with all of its rate
        FrameStreams* streams{nullptr};    //!< Sends its frames in place of the device, or null
        uint32_t stream{UINT32_MAX};       //!< Its number there
    };

    /**
     * Find the route of a pair.
     *
     * @param source a port
     * @param destination another port
     * @param [in,out] route the route, whose links are empty before
     */
    virtual void FindRoute(uint32_t source, uint32_t destination, Route& route) = 0;

    /**
     * @param source a port
     * @param destination another port
     * @return both as a number
     */
    static uint64_t GetKey(uint32_t source, uint32_t destination)
    {
        return uint64_t{source} << 32 | destination;
    }

    /**
     * @param source a port
     * @param destination another port
     * @return their flow
     */
    PairFlow& GetFlow(uint32_t source, uint32_t destination);

    /**
     * Find the links of a pair, unless they are known.
     *
     * @param flow the pair
     */
    void FindLinks(PairFlow& flow);

    /**
     * Let the borrowers of lightpaths that a pair would compete with give them back.
     *
     * @param flow the pair, which has a route
     * @param onlyIdle true to leave those alone that have frames
     */
    void RecallOthers(const PairFlow& flow, bool onlyIdle);

    /**
     * Let the frames of a pair compete for links.
     *
     * @param flow the pair
     */
    void Begin(PairFlow& flow);

    /**
     * @param flow a pair
     * @return true if there are frames
     */
    static bool HasFrames(const PairFlow& flow);

    /**
     * Note that a pair has no more frames.
     *
     * @param flow the pair
     */
    void EndFrames(PairFlow& flow);

    /**
     * Let a pair keep its share until all changes of this instant are shared out, as more frames
     * may come until then.
     *
     * @param flow the pair, which competes for links
     */
    void EndLater(PairFlow& flow)
    {
        m_idle.push_back(&flow);
        ++m_nIdle;
        if (!m_isSharing)
        {
            ScheduleShare();
        }
    }

    /// Note that a pair goes on that has been about to leave its links.
    void GoOn()
    {
        NS_ASSERT_MSG(m_nIdle > 0, "It has been about to leave");
        --m_nIdle;
    }

    /// Let pairs that have had no more frames leave their links.
    void EndIdle();

    /**
     * @param flow a pair
     * @return true if its frames may be sent in place of its device
     */
    bool CanStream(PairFlow& flow);

    /// Share the rates of links.
    void Share();

    std::unordered_map<uint64_t, PairFlow> m_flows; //!< Pairs that have had frames
    std::vector<PairFlow*> m_recent;                //!< The last one of each source, or null
    std::vector<PairFlow*> m_order;                 //!< These in the order of their first frames
    uint32_t m_nLent{0};                            //!< Pairs whose lightpath is lent
    bool m_hasCut{false};                           //!< A pair with frames has no way
    std::unique_ptr<FrameStreams> m_streams;        //!< Sends in place of devices, or null
    Route m_route;                                  //!< The last route, for its memory
    std::vector<PairFlow*> m_idle;                  //!< Pairs that are about to leave their links
    uint32_t m_nIdle{0};     //!< Number of pairs in m_idle without a new frame
    bool m_isSharing{false}; //!< A call of Share() is scheduled
    bool m_isLate{false};    //!< It comes behind arrivals of this instant
    EventId m_share;         //!< The next call of Share()
};

} // namespace lightpath
} // namespace ns3

#endif /* SHARED_LINK_CHANNEL_H */
