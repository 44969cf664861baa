/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_TRANSMITTER_H
#define OPTICAL_TRANSMITTER_H

#include "fabric-frame.h"
#include "transmission-clock.h"

#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sends the frames of a device for one destination, one after the other, at a rate that may
 * change in the middle of a frame.
 *
 * The frame ends when its last bit has been sent at whatever rates there were, and arrives with the
 * last to arrive of its bits. While the rate is zero, a frame that has begun waits to be resumed.
 * The transmitter is active from the time that it hears of frames until its owner has none left.
 */
class OpticalTransmitter
{
  public:
    /// What a transmitter belongs to: makes its frames and hears of what becomes of them.
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /**
         * @param destination the port that the frame is for
         * @param [in,out] sourceFirst whether the frame source goes before the queue
         * @param [in,out] frame no frame; where to put the next one
         * @return false if there is none
         */
        virtual bool NextFrame(uint32_t destination, bool& sourceFirst, FabricFrame& frame) = 0;

        /**
         * Hear that a frame begins.
         *
         * @param [in,out] frame the frame, whose packet may be made
         * @param destination the port that it is for
         * @param duration the time to send it at the present rate
         * @param delay the propagation delay
         */
        virtual void NotifyBegin(FabricFrame& frame,
                                 uint32_t destination,
                                 Time duration,
                                 Time delay) = 0;

        /**
         * Hear that the last bit of a frame has been sent.
         *
         * @param frame the frame, which goes to the owner
         * @param destination the port that it is for
         * @param delay the time from now until the frame arrives
         */
        virtual void NotifyEnd(FabricFrame&& frame, uint32_t destination, Time delay) = 0;

        /**
         * Hear that the transmitter has come to the end of a frame while it is held.
         *
         * @param destination the port that it sends to
         */
        virtual void NotifyHeld(uint32_t destination) = 0;

        /**
         * Hear that the transmitter has become active or idle.
         *
         * @param destination the port that it sends to
         * @param active true if it has frames to send
         */
        virtual void NotifyActive(uint32_t destination, bool active) = 0;
    };

    /**
     * @param owner what the transmitter belongs to, which outlives it
     * @param destination the port that it sends to
     */
    OpticalTransmitter(Owner& owner, uint32_t destination);

    ~OpticalTransmitter();

    // The end of a frame refers to the transmitter
    OpticalTransmitter(const OpticalTransmitter&) = delete;
    OpticalTransmitter& operator=(const OpticalTransmitter&) = delete;

    /// Hear that the owner has frames.
    void NotifyFrames();

    /**
     * Set the rate from now on.
     *
     * @param bitRate the rate in bit/s; zero for darkness
     * @param delay the propagation delay of what is sent at this rate
     * @return the rate until now in bit/s
     */
    uint64_t SetRate(uint64_t bitRate, Time delay);

    /// Prefetch the state that SetRate() is going to use.
    void Prefetch() const
    {
        constexpr std::size_t LINE = 64;
        for (std::size_t offset = 0; offset < sizeof(OpticalTransmitter); offset += LINE)
        {
            __builtin_prefetch(reinterpret_cast<const char*>(this) + offset);
        }
    }

    /**
     * Begin no further frame, or do so again.
     *
     * @param held true to hold the transmitter
     * @return true if a frame is being sent
     */
    bool SetHeld(bool held);

    /**
     * @return the frame that has begun and is in the dark; null if there is none
     */
    const FabricFrame* GetCutFrame() const;

    /**
     * Forget the frame that has begun and is in the dark.
     *
     * @return the time from now until what has been sent of it has arrived
     */
    Time TakeBackFrame();

    /// Begin the frame that has begun, if any, anew: what has been sent of it is lost.
    void RestartFrame();

    /**
     * @return true if there are frames, sent or waiting
     */
    bool IsActive() const;

    /**
     * @return true if there are frames and the rate is not zero
     */
    bool IsSending() const;

    /**
     * @return the bytes of the frame that has begun, if any, that are not sent yet, rounded up
     */
    uint64_t GetUnsentBytes() const;

  private:
    class Ending;

    /**
     * @return true if the next frame may begin
     */
    bool CanBegin() const;

    /// Begin the next frame, after a pause, if it may.
    void Resume();

    /// Begin the next frame, if there is one, straight after the one before.
    void BeginFrame();

    /**
     * Have the frame ended.
     *
     * @param left the time until then
     */
    void ScheduleEnd(Time left);

    /// End a frame and begin the next.
    void EndFrame();

    /**
     * @return true if a frame has begun
     */
    bool HasFrame() const;

    /**
     * Note when the bits arrive that have been sent since the last change of path.
     *
     * @param now the present time
     */
    void NoteSent(Time now);

    Owner& m_owner;            //!< What the transmitter belongs to
    uint32_t m_destination;    //!< The port that it sends to
    uint64_t m_bitRate{0};     //!< The rate in bit/s, zero while it is dark
    Time m_delay;              //!< The propagation delay
    TransmissionClock m_clock; //!< When the bits are sent
    FabricFrame m_frame;       //!< The frame that has begun, if any
    EventId m_end;             //!< The end of the frame, unless it is dark
    Ptr<EventImpl> m_ending;   //!< What is done then, for one frame after the other
    Time m_since;              //!< Since when the frame is sent at this rate on this path
    Time m_arrival;            //!< When the bits sent before have arrived
    bool m_busy{false};        //!< A frame is being fetched or handed over
    bool m_active{false};      //!< There are frames, sent or waiting
    bool m_held{false};        //!< No frame may begin
    bool m_sourceFirst{false}; //!< The frame source goes before the queue
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_TRANSMITTER_H */
