/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AVERAGING_CLIENT_H
#define AVERAGING_CLIENT_H

#include "in-network-channel.h"
#include "model/device/averaged-tensor.h"

#include "ns3/callback.h"
#include "ns3/frame-source.h"
#include "ns3/object.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sends the tensors of one server to a network that averages them, and takes the averages.
 *
 * A tensor is cut into bursts, which are all announced at once; each is sent as its slot is
 * granted. All servers give a tensor the same tag, which is free again once its average has come
 * back.
 */
class AveragingClient : public Object, public FrameSource, private InNetworkChannel::Server
{
  public:
    /// The protocol number of the frames: IEEE 802 Local Experimental Ethertype 2.
    static constexpr uint16_t PROTOCOL_NUMBER = 0x88b6;

    /// Takes the tag of a tensor whose average has come back, and its size in bytes.
    using AverageCallback = Callback<void, uint64_t, uint64_t>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    AveragingClient();
    ~AveragingClient() override;

    /**
     * Send and receive on a device, which is attached to an InNetworkChannel and has no other frame
     * source.
     *
     * @param device the device
     */
    void SetDevice(Ptr<OpticalNetDevice> device);

    /**
     * @param callback called for each tensor whose average has come back
     */
    void SetAverageCallback(AverageCallback callback);

    /**
     * Average a tensor that has a size but no values.
     *
     * @param tag the tag of the tensor
     * @param bytes its size in bytes, at least 1
     */
    void Send(uint64_t tag, uint64_t bytes);

    /**
     * Average a tensor of values.
     *
     * @param tag its tag
     * @param tensor the tensor, of at least one word
     */
    void Send(uint64_t tag, std::shared_ptr<AveragedTensor> tensor);

    /**
     * @return the bytes of all frames sent so far, with headers; a frame counts when it begins
     */
    uint64_t GetSentBytes() const;

    /**
     * @return the channel
     */
    Ptr<InNetworkChannel> GetChannel() const;

    // From FrameSource
    Ptr<Packet> NextFrame(uint32_t destination) override;
    uint16_t GetProtocolNumber() const override;
    uint64_t GetBacklog(uint32_t destination) const override;
    bool ReceiveFrame(const Ptr<const Packet>& payload) override;
    void NotifyLost(uint32_t destination, Ptr<const Packet> payload) override;

  protected:
    void DoDispose() override;

  private:
    /// A tensor under way.
    struct Outgoing
    {
        uint64_t bytes{0};                      //!< Its size in bytes
        uint64_t burstBytes{0};                 //!< Size of each burst but the last one, in bytes
        uint64_t nLeft{0};                      //!< Bursts whose average has not come back
        std::shared_ptr<AveragedTensor> tensor; //!< Its words; null if nobody looks at them
    };

    // From InNetworkChannel::Server
    void Launch(const SlotBurst& burst) override;
    void Repeat(const SlotBurst& burst) override;

    /**
     * @param unit a number of bytes that must not be split
     * @return the bytes of each burst but the last one: a multiple of the unit
     */
    uint64_t GetBurstBytes(uint64_t unit) const;

    /**
     * Announce all bursts of a tensor.
     *
     * @param tag its tag
     * @param outgoing the tensor
     */
    void Begin(uint64_t tag, Outgoing outgoing);

    /**
     * @param tag a tag
     * @param outgoing the tensor of this tag
     * @param block the number of a burst
     * @param sequence the number of spoilt slots of the burst so far
     * @return the burst with the scales that this server needs
     */
    SlotBurst MakeBurst(uint64_t tag,
                        const Outgoing& outgoing,
                        uint32_t block,
                        uint8_t sequence) const;

    /**
     * @param outgoing a tensor
     * @param block the number of a burst
     * @return the bytes of the burst, without headers
     */
    static uint64_t GetPayload(const Outgoing& outgoing, uint32_t block);

    /**
     * @return the bits of a word
     */
    uint32_t GetBits() const;

    Ptr<OpticalNetDevice> m_device;          //!< Sends and receives the frames
    Ptr<InNetworkChannel> m_channel;         //!< The network that averages
    AverageCallback m_callback;              //!< Hears of averages
    uint16_t m_job;                          //!< The job
    uint64_t m_burstSize;                    //!< Bytes of a burst, zero for a whole tensor
    uint64_t m_sentBytes{0};                 //!< Bytes of the frames handed over
    std::map<uint64_t, Outgoing> m_outgoing; //!< The tensors under way, by tag
    std::deque<SlotBurst> m_launched;        //!< Bursts whose slot has begun
    std::vector<uint16_t> m_words;           //!< Room for the words of a burst
    std::vector<uint8_t> m_bytes;            //!< Room for their bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* AVERAGING_CLIENT_H */
