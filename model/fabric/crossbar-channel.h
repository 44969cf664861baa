/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CROSSBAR_CHANNEL_H
#define CROSSBAR_CHANNEL_H

#include "fabric-channel.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"

#include <map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An ideal electrical switch: non-blocking, with max-min fair sharing of its ports.
 *
 * Only the links between devices and switch limit the traffic, each at LinkRate in either
 * direction. The pairs that have frames share them max-min fairly (progressive filling), and rates
 * change at once whenever a pair begins or ceases to have frames. Rates are rounded down to whole
 * bit/s.
 *
 * With a ServerSize of g above 1, ports 0 to g - 1 form a server, ports g to 2g - 1 the next, and
 * so on; the last server may have fewer. A port then has two independent links, like a GPU with
 * NVLink and a network card: one of ServerRate and ServerDelay to the other ports of its server,
 * and one of LinkRate and Delay to all other servers.
 */
class CrossbarChannel : public FabricChannel
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

    std::string GetFabricName() const override;
    void NotifyActive(uint32_t source, uint32_t destination) override;
    void NotifyIdle(uint32_t source, uint32_t destination) override;

  protected:
    void DoDispose() override;
    void DoAdd(uint32_t port) override;

  private:
    /// One direction of one link of a port; see GetSide().
    using SideIndex = uint32_t;

    /// A pair that has, or has had, frames.
    struct Flow
    {
        uint32_t source{0};      //!< The port that sends
        uint32_t destination{0}; //!< The port that receives
        SideIndex ingress{0};    //!< The side through which it enters the switch
        SideIndex egress{0};     //!< The side through which it leaves the switch
        bool active{false};      //!< It has frames
        uint64_t bitRate{0};     //!< Its share, in bit/s
        bool settled{false};     //!< Its share is settled in the sharing under way
    };

    /// One direction of one link of a port.
    struct Side
    {
        std::vector<Flow*> flows; //!< The flows through it that have frames
        uint64_t left{0};         //!< Remaining rate, in bit/s
        uint32_t open{0};         //!< Flows whose share is not settled
        bool gathered{false};     //!< It is part of the sharing under way
    };

    class Sharing;

    /// Sides of a port: both directions of its link to its server and of its link to other servers.
    static constexpr SideIndex PORT_SIDES = 4;

    /**
     * @param port a port
     * @param inside true for the link to its server, false for the link to other servers
     * @param receive true for the direction out of the switch, false for the direction into it
     * @return the side
     */
    static SideIndex GetSide(uint32_t port, bool inside, bool receive);

    /**
     * @param side a side
     * @return true if it belongs to the link of a port to its server
     */
    static bool IsInside(SideIndex side);

    /**
     * @param side a side
     * @return its rate in bit/s
     */
    uint64_t GetSideRate(SideIndex side) const;

    /**
     * Set the ServerSize; refused once a device is attached.
     *
     * @param ports the number of ports of a server
     */
    void SetServerSize(uint32_t ports);

    /**
     * @return the number of ports of a server
     */
    uint32_t GetServerSize() const;

    /**
     * Remove a flow without frames from a side.
     *
     * @param index the side
     * @param flow the flow
     */
    void Remove(SideIndex index, const Flow& flow);

    /**
     * Schedule a new sharing of the rate of a side, later at this instant.
     *
     * @param index the side
     */
    void MarkDirty(SideIndex index);

    /// Share the rates of all ports that are connected with a change.
    void Share();

    /**
     * Find the sides that flows connect with a side.
     *
     * @param start the side
     * @param [out] sides the sides; previous content is lost
     */
    void GetConnected(SideIndex start, std::vector<SideIndex>& sides);

    /**
     * Share the rates of sides fairly among their flows.
     *
     * @param sides sides that share no flow with others
     * @param [in,out] settled the flows with their shares in bit/s, to which these are added
     */
    void Fill(const std::vector<SideIndex>& sides,
              std::vector<std::pair<Flow*, uint64_t>>& settled);

    /**
     * Settle the share of a flow and tell its device.
     *
     * @param flow the flow
     * @param bitRate its share in bit/s
     */
    void Settle(Flow& flow, uint64_t bitRate);

    DataRate m_linkRate;      //!< Rate of each direction of a port's link to other servers
    Time m_delay;             //!< Delay from port to port of different servers
    uint32_t m_serverSize{1}; //!< Ports of a server
    DataRate m_serverRate;    //!< Rate of each direction of a port's link inside its server
    Time m_serverDelay;       //!< Delay from port to port of one server
    std::map<std::pair<uint32_t, uint32_t>, Flow> m_flows; //!< Pairs that have had frames
    std::vector<Side> m_sides;                             //!< The sides of all ports
    std::vector<SideIndex> m_dirty;                        //!< Sides whose flows have changed
    EventId m_share;                                       //!< The next call of Share()
};

} // namespace lightpath
} // namespace ns3

#endif /* CROSSBAR_CHANNEL_H */
