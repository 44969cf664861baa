/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-queue-pair.h"

#include "rdma-card.h"
#include "rdma-headers.h"
#include "rdma-net-device.h"
#include "rdma-network.h"
#include "rdma-paths.h"
#include "rdma-skipper.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// State of a packet at its sender.
enum : uint8_t
{
    MISSING, //!< It may not have arrived
    ARRIVED, //!< It has arrived
    REPEATED //!< It has been sent again
};

} // namespace

RdmaQueuePair::RdmaQueuePair(RdmaNetwork& network, RdmaCard& sender, RdmaCard& receiver)
    : m_network(network),
      m_sender(sender),
      m_receiver(receiver),
      m_congestion(network.MakeCongestion()),
      m_number(network.AddPair(this)),
      m_packet(network.GetPacketSize()),
      m_isSelective(network.IsSelective())
{
    // Neither order nor number of the queue pairs of others has a part in the path
    m_entropy = (sender.GetPort() * 0x9e3779b1U) ^ (receiver.GetPort() * 0x85ebca77U);
    m_congestion->Begin(network.GetPaths().GetPath(network.GetLinks(),
                                                   sender.GetPort(),
                                                   receiver.GetPort(),
                                                   m_packet));
    m_signals = m_congestion->GetSignals();
    m_signals.ackInterval = m_isSelective ? 1 : m_signals.ackInterval;
}

void
RdmaQueuePair::Post(uint64_t id, uint64_t bytes)
{
    m_network.CountMoving(1);
    m_network.EnterLater([this, id, bytes] { Enter({id, bytes}); });
}

void
RdmaQueuePair::Enter(Message message)
{
    message.first = m_end;
    message.end = m_end + std::max<uint64_t>((message.bytes + m_packet - 1) / m_packet, 1);
    m_sender.Prepare();
    m_messages.push_back(message);
    m_end = message.end;
    NoteRate();
    m_sender.NoteCanSend(*this);
}

const RdmaQueuePair::Message&
RdmaQueuePair::Find(uint64_t number) const
{
    if (m_cursor >= m_messages.size() || number < m_messages[m_cursor].first ||
        number >= m_messages[m_cursor].end)
    {
        const auto found = std::upper_bound(
            m_messages.begin(),
            m_messages.end(),
            number,
            [](uint64_t value, const Message& message) { return value < message.end; });
        m_cursor = static_cast<std::size_t>(found - m_messages.begin());
    }
    return m_messages[m_cursor];
}

uint32_t
RdmaQueuePair::GetPayload(uint64_t number) const
{
    const Message& message = Find(number);
    return number + 1 < message.end
               ? m_packet
               : static_cast<uint32_t>(message.bytes -
                                       (number - message.first + message.left) * m_packet);
}

uint8_t
RdmaQueuePair::GetOpcode(uint64_t number) const
{
    const Message& message = Find(number);
    const bool isLast = number + 1 == message.end;
    return number == message.first ? (isLast ? BthHeader::SEND_ONLY : BthHeader::SEND_FIRST)
                                   : (isLast ? BthHeader::SEND_LAST : BthHeader::SEND_MIDDLE);
}

bool
RdmaQueuePair::CanSend() const
{
    if (m_next >= m_end && m_repeats.empty())
    {
        return false;
    }
    const auto out = static_cast<double>((m_next - m_unacked - m_nArrived) * m_packet);
    return out == 0 || !m_repeats.empty() || out + m_packet <= m_congestion->GetWindow();
}

RdmaFrame*
RdmaQueuePair::MakeNext(int64_t time)
{
    EndSkip(m_skipped);
    m_congestion->Update(time);
    uint64_t number = m_next;
    if (!m_repeats.empty())
    {
        number = m_repeats.front();
        m_repeats.pop_front();
    }
    else
    {
        if (m_next == m_unacked)
        {
            m_lastProgress = time;
        }
        ++m_next;
    }
    if (number < m_highest)
    {
        ++m_network.Count().resent;
    }
    m_highest = std::max(m_highest, number + 1);
    const Message& message = Find(number);
    RdmaFrame* const frame = m_network.MakeFrame();
    frame->kind = RdmaFrame::DATA;
    // Payloads are filled to words
    frame->bytes = (GetPayload(number) + 3) / 4 * 4 + ROCE_HEADER_BYTES;
    if (m_signals.hasTelemetry)
    {
        frame->bytes += TELEMETRY_BYTES;
        frame->telemetry = m_network.MakeTelemetry();
    }
    frame->trafficClass = DATA_CLASS;
    frame->destination = m_receiver.GetPort();
    frame->pair = this;
    frame->number = number;
    frame->entropy = m_entropy;
    frame->sentAt = time;
    frame->asksForAck = number + 1 == message.end || (number + 1) % m_signals.ackInterval == 0;
    m_congestion->NoteSent(frame->bytes);
    m_interval =
        static_cast<int64_t>((frame->bytes + ETHERNET_GAP_BYTES) * 8e12 / m_congestion->GetRate());
    m_nextTime = time + m_interval;
    StartTimer(time + m_network.GetTimeout());
    if (m_network.GetSkipper())
    {
        NoteRate();
        Skip(*frame);
    }
    return frame;
}

void
RdmaQueuePair::NoteRate()
{
    if (m_network.GetSkipper())
    {
        m_network.GetSkipper()->SetRate(*this, m_messages.empty() ? 0 : m_congestion->GetRate());
    }
}

void
RdmaQueuePair::Skip(RdmaFrame& frame)
{
    // Fewer are not worth while, and the last packet of a message ends it
    constexpr uint64_t least = 8;
    const Message& message = Find(frame.number);
    if (m_next != frame.number + 1 || m_next + least >= message.end || !m_repeats.empty() ||
        m_nArrived > 0)
    {
        return;
    }
    const uint64_t packets =
        std::min(message.end - m_next - 1,
                 m_congestion->CountSteady(m_nextTime, m_interval, frame.bytes));
    if (packets < least || !m_network.GetSkipper()->IsCalm(*this))
    {
        return;
    }
    m_skipped = packets;
    m_skippedBytes = frame.bytes;
    m_skippedFrom = m_nextTime;
    LeaveOut(static_cast<int64_t>(packets));
    m_nextTime += static_cast<int64_t>(packets) * m_interval;
    // So that nothing waits for an answer
    frame.asksForAck = true;
}

void
RdmaQueuePair::LeaveOut(int64_t packets)
{
    Find(m_next);
    m_messages[m_cursor].left += packets;
    m_messages[m_cursor].end -= packets;
    for (std::size_t i = m_cursor + 1; i < m_messages.size(); ++i)
    {
        m_messages[i].first -= packets;
        m_messages[i].end -= packets;
    }
    m_end -= packets;
}

void
RdmaQueuePair::EndSkip(uint64_t packets)
{
    if (packets > 0)
    {
        m_network.GetSkipper()->Count(*this, packets, m_skippedBytes);
        m_congestion->NoteSent(packets * m_skippedBytes);
        m_acked += packets * m_packet;
    }
    m_skipped = 0;
}

void
RdmaQueuePair::Wake()
{
    const int64_t now = m_network.GetClock().GetNow();
    if (m_skipped == 0 || m_nextTime <= now)
    {
        return;
    }
    const int64_t sent = now < m_skippedFrom ? 0 : (now - m_skippedFrom) / m_interval + 1;
    LeaveOut(sent - static_cast<int64_t>(m_skipped));
    m_nextTime = m_skippedFrom + sent * m_interval;
    EndSkip(sent);
    ++m_turn;
    m_sender.NoteSooner(*this);
}

void
RdmaQueuePair::StartTimer(int64_t time)
{
    if (!m_hasTimer)
    {
        m_hasTimer = true;
        m_network.GetClock().At(time, RdmaClock::EXPIRE, m_number);
    }
}

void
RdmaQueuePair::Expire()
{
    m_hasTimer = false;
    if (m_messages.empty() || m_next == m_unacked)
    {
        return;
    }
    const int64_t now = m_network.GetClock().GetNow();
    m_sender.Prepare();
    m_lastProgress = m_sender.IsPaused() ? now : m_lastProgress;
    if (m_lastProgress + m_network.GetTimeout() <= now)
    {
        m_lastProgress = now;
        if (m_nTimeouts++ == m_network.GetRetries())
        {
            m_network.Fail("Card " + std::to_string(m_receiver.GetPort()) + " has not answered " +
                           "card " + std::to_string(m_sender.GetPort()) +
                           " for long: repair its way sooner, or give RdmaNetwork more Retries");
            return;
        }
        Repeat();
        m_sender.NoteCanSend(*this);
    }
    StartTimer(m_lastProgress + m_network.GetTimeout());
}

void
RdmaQueuePair::Repeat()
{
    Wake();
    m_congestion->NoteLoss(m_network.GetClock().GetNow());
    if (!m_isSelective)
    {
        m_next = m_unacked;
        return;
    }
    m_repeats.clear();
    m_arrived.resize(m_next - m_unacked, MISSING);
    for (uint64_t number = m_unacked; number < m_next; ++number)
    {
        if (m_arrived[number - m_unacked] != ARRIVED)
        {
            m_arrived[number - m_unacked] = REPEATED;
            m_repeats.push_back(number);
        }
    }
}

bool
RdmaQueuePair::Keep(const RdmaFrame& frame)
{
    if (frame.number == m_expected && m_kept.empty())
    {
        ++m_expected;
        return true;
    }
    if (frame.number < m_expected)
    {
        return false;
    }
    const uint64_t place = frame.number - m_expected;
    if (m_kept.size() <= place)
    {
        m_kept.resize(place + 1, false);
    }
    const bool isNew = !m_kept[place];
    m_kept[place] = true;
    while (!m_kept.empty() && m_kept.front())
    {
        m_kept.pop_front();
        ++m_expected;
    }
    return isNew;
}

void
RdmaQueuePair::TakeData(RdmaFrame* frame)
{
    const int64_t now = m_network.GetClock().GetNow();
    if (frame->isMarked && m_signals.notificationInterval > 0 &&
        now - m_lastNotification >= m_signals.notificationInterval)
    {
        m_lastNotification = now;
        ++m_network.Count().notifications;
        RdmaFrame* const notification = m_network.MakeFrame();
        notification->kind = RdmaFrame::CNP;
        notification->bytes = ROCE_CNP_BYTES;
        notification->trafficClass = ANSWER_CLASS;
        notification->destination = m_sender.GetPort();
        notification->pair = this;
        notification->entropy = m_entropy;
        m_receiver.Send(notification);
    }
    if (m_isSelective)
    {
        Keep(*frame);
        Deliver();
        Answer(frame, RdmaFrame::ACK);
        return;
    }
    const uint64_t expected = m_expected;
    if (frame->number == expected)
    {
        ++m_expected;
        m_asked = false;
        Deliver();
    }
    if (frame->number > expected && !m_asked)
    {
        m_asked = true;
        Answer(frame, RdmaFrame::NACK);
    }
    else if (frame->number < expected || (frame->number == expected && frame->asksForAck))
    {
        Answer(frame, RdmaFrame::ACK);
    }
    else
    {
        m_network.Release(frame);
    }
}

void
RdmaQueuePair::Deliver()
{
    while (m_nDelivered - m_nDone < m_messages.size() &&
           m_messages[m_nDelivered - m_nDone].end <= m_expected)
    {
        const Message& message = m_messages[m_nDelivered - m_nDone];
        ++m_nDelivered;
        m_network.CountMoving(-1);
        m_receiver.GetDevice().Deliver(m_sender.GetPort(), message.id, message.bytes);
    }
}

void
RdmaQueuePair::Answer(RdmaFrame* frame, RdmaFrame::Kind kind)
{
    frame->kind = kind;
    frame->bytes = ROCE_ACK_BYTES + (frame->telemetry ? TELEMETRY_BYTES : 0);
    frame->trafficClass = ANSWER_CLASS;
    frame->destination = m_sender.GetPort();
    frame->answered = frame->number;
    frame->number = m_expected;
    m_receiver.Send(frame);
}

void
RdmaQueuePair::NoteArrived(uint64_t number)
{
    if (m_arrived.size() < m_next - m_unacked)
    {
        m_arrived.resize(m_next - m_unacked, MISSING);
    }
    if (number < m_unacked || m_arrived[number - m_unacked] == ARRIVED)
    {
        return;
    }
    m_arrived[number - m_unacked] = ARRIVED;
    ++m_nArrived;
    // What is missing far behind it is lost
    const uint64_t limit = m_network.GetReorderLimit();
    for (m_lostUntil = std::max(m_lostUntil, m_unacked); m_lostUntil + limit < number;
         ++m_lostUntil)
    {
        uint8_t& state = m_arrived[m_lostUntil - m_unacked];
        if (state == MISSING)
        {
            state = REPEATED;
            m_repeats.push_back(m_lostUntil);
            m_congestion->NoteLoss(m_network.GetClock().GetNow());
        }
    }
}

void
RdmaQueuePair::TakeAnswer(const RdmaFrame& frame)
{
    const int64_t now = m_network.GetClock().GetNow();
    m_sender.Prepare();
    const uint64_t before = m_unacked + m_nArrived;
    while (m_unacked < frame.number)
    {
        ++m_unacked;
        m_lastProgress = now;
        if (!m_arrived.empty())
        {
            m_nArrived -= m_arrived.front() == ARRIVED ? 1 : 0;
            m_arrived.pop_front();
        }
    }
    m_next = std::max(m_next, m_unacked);
    while (!m_repeats.empty() && m_repeats.front() < m_unacked)
    {
        m_repeats.pop_front();
    }
    if (m_isSelective && frame.answered >= m_unacked)
    {
        NoteArrived(frame.answered);
    }
    while (!m_messages.empty() && m_messages.front().end <= m_unacked)
    {
        m_messages.pop_front();
        ++m_nDone;
        m_cursor -= m_cursor > 0 ? 1 : 0;
    }
    RdmaCongestion::Answer answer;
    answer.now = now;
    answer.roundTrip = now - frame.sentAt;
    answer.bytes = (m_unacked + m_nArrived - before) * m_packet;
    answer.number = m_unacked;
    answer.next = m_next;
    answer.isMarked = frame.isMarked;
    answer.telemetry = frame.telemetry;
    m_acked += answer.bytes;
    m_nTimeouts = answer.bytes > 0 ? 0 : m_nTimeouts;
    m_congestion->NoteAnswer(answer);
    NoteRate();
    if (frame.kind == RdmaFrame::NACK)
    {
        Repeat();
    }
    m_sender.NoteCanSend(*this);
}

void
RdmaQueuePair::TakeNotification()
{
    m_sender.Prepare();
    Wake();
    m_congestion->NoteCongestion(m_network.GetClock().GetNow());
    NoteRate();
}

} // namespace lightpath
} // namespace ns3
