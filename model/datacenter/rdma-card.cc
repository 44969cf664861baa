/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-card.h"

#include "rdma-net-device.h"
#include "rdma-network.h"
#include "rdma-queue-pair.h"

namespace ns3
{
namespace lightpath
{

RdmaCard::RdmaCard(RdmaNetwork& network, uint32_t port, uint32_t link)
    : m_network(network),
      m_port(port),
      m_link(link)
{
}

RdmaCard::~RdmaCard()
{
}

RdmaQueuePair&
RdmaCard::GetPair(uint32_t destination)
{
    auto& pair = m_pairs[destination];
    if (!pair)
    {
        pair = std::make_unique<RdmaQueuePair>(m_network, *this, m_network.GetCard(destination));
    }
    return *pair;
}

bool
RdmaCard::IsPaused() const
{
    return m_network.GetLinks()[m_link].IsPaused(DATA_CLASS);
}

uint64_t
RdmaCard::GetSentBytes() const
{
    const RdmaLink& link = m_network.GetLinks()[m_link];
    return link.sentBytes - link.nFrames * ETHERNET_GAP_BYTES;
}

void
RdmaCard::Prepare()
{
    m_network.Advance(m_link);
}

void
RdmaCard::NoteCanSend(RdmaQueuePair& pair)
{
    if (!pair.isReady && pair.CanSend())
    {
        pair.isReady = true;
        if (pair.GetNextTime() <= m_network.GetClock().GetNow())
        {
            m_ready.push_back(&pair);
        }
        else
        {
            m_paced.push({pair.GetNextTime(), pair.GetNumber(), pair.GetTurn(), &pair});
        }
    }
    m_network.Advance(m_link);
}

void
RdmaCard::NoteSooner(RdmaQueuePair& pair)
{
    m_paced.push({pair.GetNextTime(), pair.GetNumber(), pair.GetTurn(), &pair});
    m_network.WakeAt(m_link, pair.GetNextTime());
}

RdmaFrame*
RdmaCard::MakeNext(int64_t& time, int64_t end)
{
    while (true)
    {
        while (!m_paced.empty() && m_paced.top().time <= time)
        {
            if (m_paced.top().turn == m_paced.top().pair->GetTurn())
            {
                m_ready.push_back(m_paced.top().pair);
            }
            m_paced.pop();
        }
        if (m_ready.empty())
        {
            if (m_paced.empty() || m_paced.top().time > end)
            {
                if (!m_paced.empty())
                {
                    m_network.WakeAt(m_link, m_paced.top().time);
                }
                return nullptr;
            }
            time = m_paced.top().time;
            continue;
        }
        RdmaQueuePair& pair = *m_ready.front();
        m_ready.pop_front();
        pair.isReady = false;
        if (!pair.CanSend())
        {
            continue;
        }
        RdmaFrame* const frame = pair.MakeNext(time);
        if (pair.CanSend())
        {
            pair.isReady = true;
            if (pair.GetNextTime() <= time + m_network.GetLinks()[m_link].GetTime(frame->bytes))
            {
                m_ready.push_back(&pair);
            }
            else
            {
                m_paced.push({pair.GetNextTime(), pair.GetNumber(), pair.GetTurn(), &pair});
            }
        }
        return frame;
    }
}

void
RdmaCard::Send(RdmaFrame* frame)
{
    m_network.Enqueue(m_link, frame);
}

void
RdmaCard::Receive(RdmaFrame* frame)
{
    m_device->Sniff(*frame);
    switch (frame->kind)
    {
    case RdmaFrame::DATA:
        frame->pair->TakeData(frame);
        return;
    case RdmaFrame::ACK:
    case RdmaFrame::NACK:
        frame->pair->TakeAnswer(*frame);
        break;
    case RdmaFrame::CNP:
        frame->pair->TakeNotification();
        break;
    case RdmaFrame::PAUSE:
        m_network.Pause(m_link, *frame);
        break;
    case RdmaFrame::FOREIGN:
        m_device->TakeForeign(frame->packet);
        break;
    }
    m_network.Release(frame);
}

} // namespace lightpath
} // namespace ns3
