/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-reducer.h"

#include "model/base/wire-format.h"
#include "model/training/message-header.h"

#include "ns3/abort.h"
#include "ns3/packet.h"

#include <cstring>

using namespace ns3;
using namespace ns3::lightpath;

RingReducer::RingReducer(Ptr<OpticalNetDevice> device,
                         uint32_t servers,
                         Ptr<const BlockQuantiser> quantiser)
    : m_device(device),
      m_servers(servers),
      m_quantiser(quantiser)
{
    m_device->SetFrameSource(this);
}

RingReducer::~RingReducer()
{
    m_device->SetFrameSource(nullptr);
}

void
RingReducer::Average(std::vector<float>& values)
{
    m_values = &values;
    // Of numbers in place of bytes
    m_schedule = CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE,
                                            m_servers,
                                            values.size(),
                                            {1, CollectiveAlgorithm::RING});
    ++m_round;
    m_step = 0;
    m_complete.clear();
    EnterStep();
    Advance();
}

Block
RingReducer::GetBlock(uint32_t rank, uint32_t step) const
{
    std::vector<Block> blocks;
    m_schedule->GetBlocks(rank, step, blocks);
    return blocks.front();
}

void
RingReducer::EnterStep()
{
    std::vector<Transfer> sends;
    m_schedule->GetSends(m_device->GetPort(), m_step, sends);
    const uint64_t tag = uint64_t{m_round} << 32 | m_step;
    m_waiting.emplace_back(tag, Encode(GetBlock(m_device->GetPort(), m_step)));
    m_device->NotifyFrames(sends.front().peer);
}

RingReducer::Bytes
RingReducer::Encode(const Block& block)
{
    float* const values = m_values->data() + block.offset;
    if (!m_quantiser)
    {
        Bytes bytes(block.bytes * sizeof(float));
        std::memcpy(bytes.data(), values, bytes.size());
        return bytes;
    }
    const auto known = m_complete.find(block.offset);
    if (!block.isSum && known != m_complete.end())
    {
        return known->second;
    }
    const uint32_t size = m_quantiser->GetBlockSize();
    Bytes bytes((block.bytes + size - 1) / size);
    m_quantiser->GetScales(values, block.bytes, bytes.data());
    std::vector<uint16_t> words(block.bytes);
    m_quantiser->Quantise(values, block.bytes, bytes.data(), words.data());
    for (const auto word : words)
    {
        bytes.push_back(static_cast<uint8_t>(word));
        if (m_quantiser->GetBits() > 8)
        {
            bytes.push_back(static_cast<uint8_t>(word >> 8));
        }
    }
    if (!block.isSum)
    {
        // The owner of a complete sum takes what it tells the others
        const auto own = Decode(bytes, block.bytes);
        std::copy(own.begin(), own.end(), values);
        m_complete[block.offset] = bytes;
    }
    return bytes;
}

std::vector<float>
RingReducer::Decode(const Bytes& bytes, std::size_t count) const
{
    std::vector<float> values(count);
    if (!m_quantiser)
    {
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    const uint32_t size = m_quantiser->GetBlockSize();
    const std::size_t scales = (count + size - 1) / size;
    const bool isLong = m_quantiser->GetBits() > 8;
    std::vector<uint16_t> words(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        words[i] = static_cast<uint16_t>(
            isLong ? bytes[scales + 2 * i] | bytes[scales + 2 * i + 1] << 8 : bytes[scales + i]);
    }
    m_quantiser->Dequantise(words.data(), count, bytes.data(), values.data());
    return values;
}

void
RingReducer::Advance()
{
    const uint32_t before = (m_device->GetPort() + m_servers - 1) % m_servers;
    while (m_step < m_schedule->GetNSteps())
    {
        const auto found = m_arrived.find(uint64_t{m_round} << 32 | m_step);
        if (found == m_arrived.end())
        {
            return;
        }
        const Block block = GetBlock(before, m_step);
        const auto values = Decode(found->second, block.bytes);
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            float& own = (*m_values)[block.offset + i];
            own = block.isSum ? own + values[i] : values[i];
        }
        if (!block.isSum)
        {
            m_complete[block.offset] = std::move(found->second);
        }
        m_arrived.erase(found);
        if (++m_step < m_schedule->GetNSteps())
        {
            EnterStep();
        }
    }
    for (auto& value : *m_values)
    {
        value /= static_cast<float>(m_servers);
    }
    NotifyDone();
}

Ptr<Packet>
RingReducer::NextFrame(uint32_t destination)
{
    if (m_waiting.empty())
    {
        return nullptr;
    }
    const auto& [tag, bytes] = m_waiting.front();
    const auto frame = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    frame->AddHeader(MessageHeader(m_device->GetPort(), tag, bytes.size()));
    m_waiting.pop_front();
    m_sentBytes += ETHERNET_HEADER_BYTES + frame->GetSize();
    return frame;
}

uint16_t
RingReducer::GetProtocolNumber() const
{
    // IEEE 802 Local Experimental Ethertype 1
    return 0x88b5;
}

uint64_t
RingReducer::GetBacklog(uint32_t destination) const
{
    uint64_t bytes = 0;
    for (const auto& message : m_waiting)
    {
        bytes += ETHERNET_HEADER_BYTES + MessageHeader::SIZE + message.second.size();
    }
    return bytes;
}

bool
RingReducer::ReceiveFrame(const Ptr<const Packet>& payload)
{
    const Ptr<Packet> packet = payload->Copy();
    MessageHeader header;
    packet->RemoveHeader(header);
    Bytes& bytes = m_arrived[header.GetTag()];
    bytes.resize(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    if (header.GetTag() >> 32 == m_round)
    {
        Advance();
    }
    return true;
}

void
RingReducer::NotifyLost(uint32_t destination, Ptr<const Packet> payload)
{
    NS_ABORT_MSG("The ring of the example carries frames once: give it no ReceiveErrorModel");
}

uint64_t
RingReducer::GetSentBytes() const
{
    return m_sentBytes;
}
