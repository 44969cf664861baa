/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_STREAMS_H
#define FRAME_STREAMS_H

#include "model/base/ring-queue.h"
#include "model/device/instant-queue.h"
#include "shared-link-channel.h"

#include "ns3/fabric-frame.h"
#include "ns3/lightpath-borrower.h"
#include "ns3/simulator.h"
#include "ns3/transmission-clock.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OpticalNetDevice;

/**
 * @ingroup lightpath
 * @brief Sends the frames of pairs of ports of a SharedLinkChannel in place of their transmitters,
 * with one event for all that happens at an instant.
 *
 * A stream is a transmitter that an OpticalNetDevice has lent, in the least memory: its pair takes
 * part in the sharing of links like any other, and its frames begin and end at the same ticks and
 * in the same order as those of an OpticalTransmitter. A frame is a whole message of the device's
 * FrameSource. Frames that propagate when a transmitter is given back arrive all the same.
 */
class FrameStreams : public LightpathBorrower, private InstantQueue::Owner
{
  public:
    /// No stream and no receiver.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// A frame.
    struct Frame
    {
        uint64_t tag;      //!< The tag of its message
        uint32_t bytes;    //!< Its size with all headers
        uint32_t receiver; //!< Who hears of its arrival; NONE for the device at the other end
    };

    /// Who hears of the arrival of frames, in place of the device at the other end.
    class Receiver
    {
      public:
        virtual ~Receiver() = default;

        /**
         * Handle the arrival of a frame.
         *
         * @param position the position that it is for, as given to AddReceiver()
         * @param tag the tag of its message
         * @return false to let the device receive the frame
         */
        virtual bool Arrive(uint32_t position, uint64_t tag) = 0;

        /// From now on devices receive all frames, as somebody looks at them.
        virtual void GiveBack() = 0;
    };

    /**
     * @param channel the fabric, which outlives this object
     */
    explicit FrameStreams(SharedLinkChannel& channel);
    ~FrameStreams() override;

    /**
     * Borrow a transmitter, unless that has happened before.
     *
     * @param device its device
     * @param destination the port that it sends to
     * @param model a frame of the device's source for the port: the others differ in tag and size
     * @return its stream; NONE if it cannot be borrowed now
     */
    uint32_t Borrow(OpticalNetDevice& device, uint32_t destination, const SourceFrame& model);

    /**
     * @param stream a stream
     * @return true if its transmitter is borrowed
     */
    bool IsBorrowed(uint32_t stream) const
    {
        return Get(stream).isBorrowed;
    }

    /**
     * @param stream a stream
     * @return true if it has frames that have not ended
     */
    bool IsActive(uint32_t stream) const
    {
        return Get(stream).isActive;
    }

    /**
     * @param stream a stream
     * @param frame a frame, which is sent after all others
     */
    void Send(uint32_t stream, const Frame& frame);

    /**
     * Set the rate of a stream from now on.
     *
     * @param stream the stream
     * @param bitRate the rate in bit/s
     */
    void SetRate(uint32_t stream, uint64_t bitRate);

    /**
     * Add a receiver.
     *
     * @param receiver the receiver
     * @param position a position that is its own
     * @return the number of both, for Frame::receiver
     */
    uint32_t AddReceiver(Receiver& receiver, uint32_t position);

    /**
     * Remove a receiver with all its positions.
     *
     * @param receiver the receiver
     */
    void RemoveReceiver(const Receiver& receiver);

    /**
     * Note that an event has been scheduled that is not known here: what is pushed for the same
     * instant from now on happens after it.
     *
     * @param tick when it happens
     */
    void NoteEvent(int64_t tick)
    {
        m_queue.Close(tick);
    }

    /**
     * @param port a port
     * @return the frames that its device has received
     */
    uint64_t GetArrived(uint32_t port) const
    {
        return port < m_arrived.size() ? m_arrived[port] : 0;
    }

    // From LightpathBorrower
    void GiveBack() override;
    void GiveBack(uint32_t stream) override;
    bool Release(uint32_t stream) override;
    bool IsIdle() override;
    void Report() override;
    uint64_t GetBacklog(uint32_t stream) override;
    void Settle(uint32_t stream) override;

  private:
    using Work = TransmissionClock::Work; //!< Work of a transmitter

    /// A transmitter. What each frame needs comes first, in few cache lines.
    struct Stream
    {
        Work work{0};             //!< Remaining work of the frame under way
        int64_t since{0};         //!< The tick up to which it is settled
        uint64_t rate{0};         //!< The rate in bit/s
        uint64_t most{0};         //!< The rate of the pair alone
        int64_t delay{0};         //!< Propagation delay in ticks
        int64_t begin{0};         //!< When the frame under way began
        int64_t idleSince{-1};    //!< When the last frame ended
        RingQueue<Frame> frames;  //!< The frames that have not arrived
        uint32_t nPropagating{0}; //!< Frames that have ended, the first ones
        uint32_t stamp{0};        //!< Number of the end that is valid
        bool isBorrowed{false};   //!< The transmitter is borrowed
        bool isActive{false};     //!< There are frames that have not ended
        bool isSending{false};    //!< The first of them is under way
        uint64_t begun{0};        //!< Bytes of frames that have begun
        uint64_t counted{0};      //!< The part of begun that the source has counted
        SharedLinkChannel::PairFlow* flow{nullptr}; //!< Its pair of ports
        OpticalNetDevice* receiver{nullptr};        //!< The device at the other end
        SourceFrame model;                          //!< A frame of the source
    };

    /// Streams that lie one behind the other.
    static constexpr uint32_t BLOCK = 64;

    /**
     * @param number a stream
     * @return the stream, which stays in its place
     */
    Stream& Get(uint32_t number)
    {
        return (*m_blocks[number / BLOCK])[number % BLOCK];
    }

    /**
     * @param number a stream
     * @return the stream
     */
    const Stream& Get(uint32_t number) const
    {
        return (*m_blocks[number / BLOCK])[number % BLOCK];
    }

    /**
     * @return the present tick
     */
    int64_t GetNow() const
    {
        return m_now >= 0 ? m_now : Simulator::Now().GetTimeStep();
    }

    /// The stamp of an arrival.
    static constexpr uint32_t ARRIVAL = 0;

    void Happen(const InstantQueue::Entry& entry, int64_t now) override;

    /**
     * Settle the work that is done by now.
     *
     * @param [in,out] stream a stream
     * @param now the present tick
     */
    static void Advance(Stream& stream, int64_t now);

    /**
     * Begin the next frame, if the stream has a rate, frames, and none under way.
     *
     * @param number the number of the stream
     * @param stream the stream
     * @param now the present tick
     */
    void Resume(uint32_t number, Stream& stream, int64_t now);

    /**
     * Begin the next frame.
     *
     * @param number the number of the stream
     * @param stream the stream
     * @param now the present tick
     */
    void BeginFrame(uint32_t number, Stream& stream, int64_t now);

    /**
     * Schedule the end of the frame under way, in place of an earlier one.
     *
     * @param number the number of the stream
     * @param stream the stream, which is settled
     */
    void ScheduleEnd(uint32_t number, Stream& stream);

    /**
     * End the frame under way.
     *
     * @param number the number of the stream
     * @param stream the stream
     * @param now the present tick
     */
    void EndFrame(uint32_t number, Stream& stream, int64_t now);

    /**
     * Hand over the frame that arrives.
     *
     * @param stream the stream
     */
    void Arrive(Stream& stream);

    /**
     * @param stream a stream
     * @param frame a frame of it
     * @return the frame as its source describes it
     */
    static SourceFrame Describe(const Stream& stream, const Frame& frame);

    SharedLinkChannel& m_channel; //!< The fabric
    InstantQueue m_queue;         //!< Ends and arrivals
    int64_t m_now{-1};            //!< The tick of the one that happens; else -1
    std::vector<std::unique_ptr<std::array<Stream, BLOCK>>> m_blocks; //!< The streams
    uint32_t m_nStreams{0};                                           //!< Their number
    /// The receivers, null for one that has been removed, with their positions
    std::vector<std::pair<Receiver*, uint32_t>> m_receivers;
    std::vector<uint64_t> m_arrived; //!< Frames that devices have received, by port
    Work m_unit;                     //!< Work of a byte
};

} // namespace lightpath
} // namespace ns3

#endif /* FRAME_STREAMS_H */
