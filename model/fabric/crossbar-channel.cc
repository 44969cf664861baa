/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "crossbar-channel.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CrossbarChannel");

NS_OBJECT_ENSURE_REGISTERED(CrossbarChannel);

/**
 * @ingroup lightpath
 * @brief A reduction, with the parts that ports have handed over.
 */
class CrossbarChannel::Reduction : public LinkSharing::Flow
{
  public:
    /**
     * @param channel the switch
     * @param tag the number of the reduction
     * @param bytes the bytes of a part
     */
    Reduction(CrossbarChannel& channel, uint64_t tag, uint64_t bytes)
        : m_channel(channel),
          m_tag(tag),
          m_bytes(bytes),
          m_done(channel.GetNDevices())
    {
    }

    ~Reduction() override
    {
        m_end.Cancel();
    }

    /**
     * @return the bytes of a part
     */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /**
     * Add the part of a port.
     *
     * @param port the port
     * @param done called at the end
     * @return true if it is the last part
     */
    bool Add(uint32_t port, Callback<void> done)
    {
        NS_ABORT_MSG_UNLESS(m_done.at(port).IsNull(),
                            "Port " << port << " has handed over its part of reduction " << m_tag
                                    << " before: a reduction has one part of each port");
        m_done[port] = done;
        ++m_nParts;
        return m_nParts == m_done.size();
    }

    /// Begin to send.
    void Start()
    {
        const Time now = Simulator::Now();
        m_clock.Restart(now);
        m_clock.Append(m_bytes, now);
    }

    void NotifyShare(uint64_t bitRate) override
    {
        const Time now = Simulator::Now();
        m_end.Cancel();
        m_clock.SetBitRate(bitRate, now);
        if (bitRate > 0)
        {
            m_end = Simulator::Schedule(m_clock.GetEnd() - now, &Reduction::End, this);
        }
    }

  private:
    /// Leave the links to others; the last byte is on its way.
    void End()
    {
        m_channel.EndFlow(*this);
        m_end = Simulator::Schedule(m_channel.m_delay, &Reduction::Arrive, this);
    }

    /// Tell all ports.
    void Arrive()
    {
        // The tag may be used again from now on
        const auto done = std::move(m_done);
        m_channel.m_reductions.erase(m_tag);
        for (const auto& callback : done)
        {
            callback();
        }
    }

    CrossbarChannel& m_channel;         //!< The switch
    uint64_t m_tag;                     //!< The number of the reduction
    uint64_t m_bytes;                   //!< The bytes of a part
    std::vector<Callback<void>> m_done; //!< What to call at the end, by port
    uint32_t m_nParts{0};               //!< Parts so far
    TransmissionClock m_clock;          //!< When the bytes are sent
    EventId m_end;                      //!< The end, once it is known
};

TypeId
CrossbarChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CrossbarChannel")
            .SetParent<SharedLinkChannel>()
            .SetGroupName("Lightpath")
            .AddConstructor<CrossbarChannel>()
            .AddAttribute("LinkRate",
                          "The rate of each direction of each port.",
                          DataRateValue(DataRate("2000Gbps")),
                          MakeDataRateAccessor(&CrossbarChannel::m_linkRate),
                          MakeDataRateChecker())
            .AddAttribute("Delay",
                          "The time from the last bit sent to the last received.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CrossbarChannel::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Reduces",
                          "Whether the switch adds up what all ports hand over, see Reduce().",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CrossbarChannel::m_reduces),
                          MakeBooleanChecker());
    return tid;
}

CrossbarChannel::CrossbarChannel()
{
    NS_LOG_FUNCTION(this);
}

CrossbarChannel::~CrossbarChannel()
{
    NS_LOG_FUNCTION(this);
}

void
CrossbarChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& [tag, reduction] : m_reductions)
    {
        EndFlow(*reduction);
    }
    m_reductions.clear();
    SharedLinkChannel::DoDispose();
}

uint32_t
CrossbarChannel::GetLink(uint32_t port, bool receive)
{
    const uint32_t link = 2 * port + (receive ? 1 : 0);
    for (; m_nLinks <= link; ++m_nLinks)
    {
        m_sharing.AddLink(m_linkRate.GetBitRate());
    }
    return link;
}

std::string
CrossbarChannel::GetFabricName() const
{
    return "electrical";
}

void
CrossbarChannel::FindRoute(uint32_t source, uint32_t destination, Route& route)
{
    route.uses.push_back({GetLink(source, false)});
    route.uses.push_back({GetLink(destination, true)});
    route.delay = m_delay;
}

bool
CrossbarChannel::Reduces() const
{
    return m_reduces;
}

void
CrossbarChannel::Reduce(uint32_t port, uint64_t tag, uint64_t bytes, Callback<void> done)
{
    NS_LOG_FUNCTION(this << port << tag << bytes);
    NS_ABORT_MSG_UNLESS(m_reduces,
                        "This switch does not reduce: set its attribute Reduces to true");
    auto& reduction = m_reductions[tag];
    if (!reduction)
    {
        reduction = std::make_unique<Reduction>(*this, tag, bytes);
    }
    NS_ABORT_MSG_IF(bytes == 0 || bytes != reduction->GetBytes(),
                    "Port " << port << " hands over " << bytes << " bytes to reduction " << tag
                            << ", and another port " << reduction->GetBytes()
                            << ": all must hand over the same number, above 0");
    if (!reduction->Add(port, done))
    {
        return;
    }
    RecallAll();
    std::vector<LinkSharing::Use> uses;
    for (uint32_t each = 0; each < GetNDevices(); ++each)
    {
        uses.push_back({GetLink(each, false)});
        uses.push_back({GetLink(each, true)});
    }
    m_sharing.SetLinks(*reduction, uses);
    reduction->Start();
    m_sharing.Begin(*reduction);
    ScheduleShare();
}

} // namespace lightpath
} // namespace ns3
