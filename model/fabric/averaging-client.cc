/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "averaging-client.h"

#include "model/base/wire-format.h"
#include "model/device/word-packing.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/uinteger.h"
#include "ns3/word-averager.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("AveragingClient");

NS_OBJECT_ENSURE_REGISTERED(AveragingClient);

TypeId
AveragingClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::AveragingClient")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<AveragingClient>()
            .AddAttribute("Job",
                          "The number of the job that the tensors belong to.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AveragingClient::m_job),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("BurstSize",
                          "The most bytes of words in a burst, and so in a slot; zero sends each "
                          "tensor in one.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AveragingClient::m_burstSize),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

AveragingClient::AveragingClient()
{
    NS_LOG_FUNCTION(this);
}

AveragingClient::~AveragingClient()
{
    NS_LOG_FUNCTION(this);
}

void
AveragingClient::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_device)
    {
        // The channel must not call a client that is gone
        m_channel->SetServer(m_device->GetPort(), nullptr);
        m_device->SetFrameSource(nullptr);
        m_device = nullptr;
        m_channel = nullptr;
    }
    m_callback = AverageCallback();
    m_outgoing.clear();
    Object::DoDispose();
}

void
AveragingClient::SetDevice(Ptr<OpticalNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    m_channel = DynamicCast<InNetworkChannel>(device->GetChannel());
    NS_ABORT_MSG_UNLESS(m_channel,
                        "A tensor to average needs a device on a network that averages "
                        "(InNetworkChannel)");
    m_device = device;
    m_device->SetFrameSource(this);
    m_channel->SetServer(m_device->GetPort(), this);
}

void
AveragingClient::SetAverageCallback(AverageCallback callback)
{
    m_callback = callback;
}

Ptr<InNetworkChannel>
AveragingClient::GetChannel() const
{
    return m_channel;
}

uint32_t
AveragingClient::GetBits() const
{
    const auto averager = m_channel->GetAverager();
    const uint32_t bits = averager ? averager->GetBits() : 0;
    NS_ABORT_MSG_UNLESS(bits == 8 || bits == 16,
                        "Real words need an Averager on the channel, of words of 8 or 16 bits, not "
                            << bits);
    return bits;
}

uint64_t
AveragingClient::GetBurstBytes(uint64_t unit) const
{
    const uint64_t most =
        m_burstSize > 0 ? std::min(m_burstSize, MAX_FRAME_PAYLOAD_BYTES) : MAX_FRAME_PAYLOAD_BYTES;
    // A burst has one unit at least, even if that exceeds the limit
    return std::max<uint64_t>(most / unit, 1) * unit;
}

void
AveragingClient::Send(uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << tag << bytes);
    Begin(tag, {bytes, GetBurstBytes(1), 0, nullptr});
}

void
AveragingClient::Send(uint64_t tag, std::shared_ptr<AveragedTensor> tensor)
{
    NS_LOG_FUNCTION(this << tag);
    const uint64_t word = GetWordBytes(GetBits());
    // A burst holds whole blocks, so that each block is scaled in one slot
    const uint64_t block = word * std::max(tensor->GetBlockSize(), 1U);
    const uint64_t bytes = tensor->GetNWords() * word;
    Begin(tag, {bytes, GetBurstBytes(block), 0, std::move(tensor)});
}

void
AveragingClient::Begin(uint64_t tag, Outgoing outgoing)
{
    NS_ABORT_MSG_UNLESS(m_channel, "A tensor to average needs a device: call SetDevice() first");
    NS_ABORT_MSG_IF(outgoing.bytes == 0,
                    "Tensor " << tag << " is empty: it has nothing to average");
    const uint64_t nBursts = (outgoing.bytes + outgoing.burstBytes - 1) / outgoing.burstBytes;
    outgoing.nLeft = nBursts;
    const auto [entry, isNew] = m_outgoing.emplace(tag, std::move(outgoing));
    NS_ABORT_MSG_UNLESS(isNew,
                        "Tensor " << tag << " of port " << m_device->GetPort()
                                  << " is under way already: give another one another tag");
    std::vector<SlotBurst> bursts;
    for (uint32_t block = 0; block < nBursts; ++block)
    {
        // All servers announce a burst before its slot is granted
        bursts.push_back(MakeBurst(tag, entry->second, block, 0));
    }
    m_channel->Announce(m_device->GetPort(), std::move(bursts));
}

uint64_t
AveragingClient::GetPayload(const Outgoing& outgoing, uint32_t block)
{
    return std::min(outgoing.burstBytes, outgoing.bytes - block * outgoing.burstBytes);
}

SlotBurst
AveragingClient::MakeBurst(uint64_t tag,
                           const Outgoing& outgoing,
                           uint32_t block,
                           uint8_t sequence) const
{
    SlotBurst burst;
    burst.header.job = m_job;
    burst.header.tag = tag;
    burst.header.block = block;
    burst.header.sequence = sequence;
    const uint64_t payload = GetPayload(outgoing, block);
    if (outgoing.tensor)
    {
        const uint32_t bits = GetBits();
        burst.header.bits = static_cast<uint8_t>(bits);
        const uint64_t count = payload / GetWordBytes(bits);
        const uint32_t blockSize = outgoing.tensor->GetBlockSize();
        if (blockSize > 0)
        {
            // The scales that the words of this server need, one a block
            burst.header.scales.resize((count + blockSize - 1) / blockSize);
            outgoing.tensor->GetScales(block * (outgoing.burstBytes / GetWordBytes(bits)),
                                       count,
                                       burst.header.scales.data());
        }
    }
    burst.bytes = ETHERNET_HEADER_BYTES + burst.header.GetSerializedSize() + payload;
    return burst;
}

void
AveragingClient::Launch(const SlotBurst& burst)
{
    NS_LOG_FUNCTION(this << burst.header.tag << burst.header.block);
    m_launched.push_back(burst);
    m_device->NotifyFrames(m_device->GetPort());
}

void
AveragingClient::Repeat(const SlotBurst& burst)
{
    const InNetworkHeader& header = burst.header;
    NS_LOG_FUNCTION(this << header.tag << header.block);
    // The number tells the repetition from late bursts of the spoilt slot
    const auto sequence = static_cast<uint8_t>(header.sequence + 1);
    m_channel->Announce(m_device->GetPort(),
                        {MakeBurst(header.tag, m_outgoing.at(header.tag), header.block, sequence)});
}

Ptr<Packet>
AveragingClient::NextFrame(uint32_t destination)
{
    if (m_launched.empty() || destination != m_device->GetPort())
    {
        return nullptr;
    }
    const SlotBurst burst = std::move(m_launched.front());
    m_launched.pop_front();
    const InNetworkHeader& header = burst.header;
    const Outgoing& outgoing = m_outgoing.at(header.tag);
    const auto payload = static_cast<uint32_t>(GetPayload(outgoing, header.block));
    Ptr<Packet> frame;
    if (outgoing.tensor)
    {
        // Write the words at the scales in the header
        const uint32_t wordBytes = GetWordBytes(header.bits);
        const std::size_t count = payload / wordBytes;
        m_words.resize(count);
        m_bytes.resize(payload);
        outgoing.tensor->GetWords(header.block * (outgoing.burstBytes / wordBytes),
                                  count,
                                  header.scales.data(),
                                  m_words.data());
        PackWords(m_words.data(), count, header.bits, m_bytes.data());
        frame = Create<Packet>(m_bytes.data(), payload);
    }
    else
    {
        frame = Create<Packet>(payload);
    }
    frame->AddHeader(header);
    m_sentBytes += burst.bytes;
    return frame;
}

uint16_t
AveragingClient::GetProtocolNumber() const
{
    return PROTOCOL_NUMBER;
}

uint64_t
AveragingClient::GetBacklog(uint32_t destination) const
{
    uint64_t bytes = 0;
    for (const auto& burst : m_launched)
    {
        bytes += burst.bytes;
    }
    return bytes;
}

bool
AveragingClient::ReceiveFrame(const Ptr<const Packet>& payload)
{
    NS_LOG_FUNCTION(this << payload);
    const Ptr<Packet> packet = payload->Copy();
    InNetworkHeader header;
    packet->RemoveHeader(header);
    const auto found = m_outgoing.find(header.tag);
    if (header.job != m_job || found == m_outgoing.end())
    {
        // The average of another job, or of a tensor that is complete
        return true;
    }
    Outgoing& outgoing = found->second;
    if (outgoing.tensor)
    {
        const uint32_t wordBytes = GetWordBytes(header.bits);
        const std::size_t count = packet->GetSize() / wordBytes;
        m_words.resize(count);
        m_bytes.resize(packet->GetSize());
        packet->CopyData(m_bytes.data(), packet->GetSize());
        UnpackWords(m_bytes.data(), count, header.bits, m_words.data());
        outgoing.tensor->SetAverage(header.block * (outgoing.burstBytes / wordBytes),
                                    count,
                                    header.scales.data(),
                                    m_words.data());
    }
    if (--outgoing.nLeft == 0)
    {
        // The tag is free before the callback, which may use it again
        const uint64_t bytes = outgoing.bytes;
        m_outgoing.erase(found);
        if (!m_callback.IsNull())
        {
            m_callback(header.tag, bytes);
        }
    }
    return true;
}

void
AveragingClient::NotifyLost(uint32_t destination, Ptr<const Packet> payload)
{
    NS_ASSERT_MSG(false, "No server receives what another one sends");
}

uint64_t
AveragingClient::GetSentBytes() const
{
    return m_sentBytes;
}

} // namespace lightpath
} // namespace ns3
