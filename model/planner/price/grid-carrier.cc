/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-carrier.h"

#include "model/base/wire-format.h"
#include "model/control/oddl/oddl-unit.h"

#include "ns3/port-table.h"
#include "ns3/transmission-clock.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most frames that a message is cut into where a corner forwards it (CircuitTransport).
constexpr uint64_t FORWARDED_FRAMES = 256;

/// The highest rate, bit/s.
constexpr double MOST_BIT_RATE = 1e19;

} // namespace

/**
 * @ingroup lightpath
 * @brief A port: its control unit, and a device that sends the frames for each destination.
 */
class GridCarrier::Port : public OddlUnit
{
  public:
    /**
     * @param grid all ports
     * @param port the number of this one
     */
    Port(GridCarrier& grid, uint32_t port)
        : OddlUnit(grid.m_agenda),
          m_grid(grid),
          m_port(port)
    {
        OddlSettings settings = grid.m_limits.unit;
        // No pair that may not be forwarded has a price
        if (settings.relayPolicy == OddlSettings::FORBID)
        {
            settings.relayPolicy = OddlSettings::X_FIRST;
        }
        Begin(grid, port, settings);
        grid.m_control.Open(
            port,
            0,
            "",
            settings.processingTime,
            ControlNetwork::Handler([this](const OddlHeader& message) { Handle(message); }));
    }

    using OddlUnit::AwaitJob;
    using OddlUnit::Release;

    /**
     * Send frames.
     *
     * @param destination the port that they are for
     * @param frames the frames, as one if they are not cut yet
     * @param most the most bytes of one of them; 0 for a frame that is forwarded
     */
    void Push(uint32_t destination, const Frame& frames, uint64_t most)
    {
        Line& line = m_lines.Get(destination);
        most > 0 ? line.own.push_back({frames, most}) : line.forwarded.push_back(frames);
        const uint64_t count = most > 0 ? (frames.bytes + most - 1) / most : 1;
        line.waiting += frames.bytes + std::max<uint64_t>(count, 1) * FRAME_HEADER_BYTES;
        if (!std::exchange(line.isActive, true))
        {
            NotifyActive(destination);
        }
        Resume(destination, line);
    }

    /**
     * Change the light for the frames to a destination.
     *
     * @param destination the port that they are for
     * @param bitRate the rate in bit/s; 0 for none
     * @param hop where it leads to
     */
    void SetRate(uint32_t destination, uint64_t bitRate, uint32_t hop)
    {
        Line& line = m_lines.Get(destination);
        const int64_t now = m_grid.m_agenda.Now();
        line.hop = hop;
        line.bitRate = bitRate;
        line.clock.SetBitRate(bitRate, now);
        if (!line.hasFrame)
        {
            Resume(destination, line);
            return;
        }
        line.end->Cancel();
        // A frame ends in darkness only after its last bit
        if (bitRate > 0 || line.clock.GetUnsentBytes(now) == 0)
        {
            ScheduleEnd(destination, line);
        }
    }

  private:
    /// The frames for a destination.
    struct Line
    {
        std::deque<Frame> forwarded;                //!< Frames of other ports, which come first
        std::deque<std::pair<Frame, uint64_t>> own; //!< Messages, and the most bytes of a frame
        uint64_t waiting{0};                        //!< Bytes of all that waits
        bool isActive{false};                       //!< There are frames, sent or waiting
        bool hasFrame{false};                       //!< One has begun
        Frame frame;                                //!< The one that has begun
        uint64_t bitRate{0};                        //!< The rate, bit/s
        uint32_t hop{0};                            //!< Where the light leads to
        int64_t idleSince{-1};                      //!< When the last frame ended, ticks
        TransmissionClock clock;                    //!< When bits are sent
        Ptr<EventImpl> end;                         //!< The end of the frame
    };

    // OddlUnit
    void Send(uint32_t port, const OddlHeader& message) override
    {
        m_grid.m_control.Send(m_port, port, message);
    }

    uint64_t GetBacklog(uint32_t destination) const override
    {
        const Line* const line = m_lines.Find(destination);
        const bool isCut = line && line->hasFrame;
        return line
                   ? line->waiting + (isCut ? line->clock.GetUnsentBytes(m_grid.m_agenda.Now()) : 0)
                   : 0;
    }

    /**
     * Begin a frame after a pause, if there is light.
     *
     * @param destination the port that it is for
     * @param line the frames for it
     */
    void Resume(uint32_t destination, Line& line)
    {
        if (!line.isActive || line.hasFrame || line.bitRate == 0)
        {
            return;
        }
        // A pause must not count as time of transmission
        if (const int64_t now = m_grid.m_agenda.Now(); now != line.idleSince)
        {
            line.clock.Restart(now);
        }
        BeginFrame(destination, line);
    }

    /**
     * Begin the next frame at once, if there is one.
     *
     * @param destination the port that it is for
     * @param line the frames for it
     */
    void BeginFrame(uint32_t destination, Line& line)
    {
        if (!line.forwarded.empty())
        {
            line.frame = line.forwarded.front();
            line.forwarded.pop_front();
        }
        else if (!line.own.empty())
        {
            auto& [message, most] = line.own.front();
            line.frame = {message.message, std::min(message.bytes, most)};
            message.bytes -= line.frame.bytes;
            if (message.bytes == 0)
            {
                line.own.pop_front();
            }
        }
        else
        {
            line.isActive = false;
            line.idleSince = m_grid.m_agenda.Now();
            NotifyIdle(destination);
            return;
        }
        const uint64_t bytes = line.frame.bytes + FRAME_HEADER_BYTES;
        line.waiting -= bytes;
        line.hasFrame = true;
        line.clock.Append(bytes, m_grid.m_agenda.Now());
        ScheduleEnd(destination, line);
    }

    /**
     * @param destination a port
     * @param line the frames for it, of which one has begun
     */
    void ScheduleEnd(uint32_t destination, Line& line)
    {
        line.end = m_grid.m_agenda.At(line.clock.GetEndTick(), [this, destination, &line]() {
            line.hasFrame = false;
            m_grid.Deliver(line.hop, destination, line.frame);
            NotifySent(destination);
            if (line.bitRate > 0)
            {
                BeginFrame(destination, line);
            }
        });
    }

    GridCarrier& m_grid;     //!< All ports
    const uint32_t m_port;   //!< The number of this one
    PortTable<Line> m_lines; //!< The frames by destination
};

GridCarrier::GridCarrier(Agenda& agenda, const GridLimits& grid, Arrival arrival)
    : WssGrid(agenda),
      m_agenda(agenda),
      m_limits(grid),
      m_arrival(std::move(arrival)),
      m_control(agenda, grid.gpus + 1, DataRate(grid.controlBitRate), grid.controlDelay)
{
    SetSize({grid.rows, grid.columns, grid.transceivers, 0});
    AddPorts(grid.gpus);
    // The units start, and ask the arbiter to set the switches if they are dark
    const uint32_t arbiter = m_limits.gpus;
    m_control.Open(arbiter,
                   0,
                   "",
                   m_limits.arbiterTime,
                   ControlNetwork::Handler([this](const OddlHeader& request) { Answer(request); }));
    for (uint32_t port = 0; port < m_limits.gpus; ++port)
    {
        m_ports.push_back(std::make_unique<Port>(*this, port));
    }
    for (uint32_t port = 0; port < m_limits.gpus; ++port)
    {
        OddlHeader request;
        request.kind = OddlHeader::JOB_REQUEST;
        request.nPorts = port == 0 ? m_limits.gpus : 0;
        m_limits.isSet ? m_ports[port]->Release()
                       : m_ports[port]->AwaitJob(arbiter, request, port == 0);
    }
}

GridCarrier::~GridCarrier() = default;

WssGrid::Times
GridCarrier::GetTimes() const
{
    return {m_limits.tuning, m_limits.lock, m_limits.setting, m_limits.delay};
}

uint64_t
GridCarrier::GetLaneBitRate(Direction direction) const
{
    const double rate = direction == ROW ? m_limits.rowBitRate : m_limits.columnBitRate;
    return static_cast<uint64_t>(std::min(rate + 0.5, MOST_BIT_RATE));
}

void
GridCarrier::NotifyOpen(uint32_t port, uint32_t destination, uint32_t hop, Direction direction)
{
    m_ports[port]->SetRate(destination, GetLaneBitRate(direction), hop);
}

void
GridCarrier::NotifyClosed(uint32_t port, uint32_t destination)
{
    m_ports[port]->SetRate(destination, 0, destination);
}

void
GridCarrier::Answer(const OddlHeader& request)
{
    const auto go = [this](uint32_t port) {
        OddlHeader message;
        message.kind = OddlHeader::JOB_GO;
        message.port = port;
        m_control.Send(m_limits.gpus, port, message);
    };
    if (m_state == SwitchState::SET)
    {
        // The first answer was lost
        go(request.port);
        return;
    }
    if (request.nPorts == 0 || std::exchange(m_state, SwitchState::BEING_SET) != SwitchState::DARK)
    {
        return;
    }
    m_agenda.At(m_agenda.Now() + m_limits.setting, [this, go]() {
        m_state = SwitchState::SET;
        for (uint32_t port = 0; port < m_limits.gpus; ++port)
        {
            go(port);
        }
    });
}

void
GridCarrier::Send(const Message& message, uint64_t tag)
{
    const auto [source, destination, bytes] = message;
    uint64_t most = MAX_FRAME_PAYLOAD_BYTES;
    if (AreApart(source, destination))
    {
        most = std::min(most, std::max(FORWARDED_PART_BYTES, bytes / FORWARDED_FRAMES + 1));
    }
    m_messages.push_back({tag, bytes});
    m_ports[source]->Push(destination, {static_cast<uint32_t>(m_messages.size() - 1), bytes}, most);
}

void
GridCarrier::Deliver(uint32_t hop, uint32_t destination, const Frame& frame)
{
    const bool isThere = hop == destination;
    const int64_t delay = m_limits.delay + (isThere ? m_limits.cardDelay : 0);
    m_agenda.At(m_agenda.Now() + delay, [this, isThere, hop, destination, frame]() {
        isThere ? Take(frame) : m_ports[hop]->Push(destination, frame, 0);
    });
}

void
GridCarrier::Take(const Frame& frame)
{
    Underway& message = m_messages[frame.message];
    message.left -= frame.bytes;
    if (message.left == 0)
    {
        m_arrival(message.tag);
    }
}

} // namespace lightpath
} // namespace ns3
