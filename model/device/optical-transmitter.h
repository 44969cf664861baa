/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_TRANSMITTER_H
#define OPTICAL_TRANSMITTER_H

#include "fabric-frame.h"
#include "lightpath-borrower.h"
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
 * @brief Sends the frames of a device for one destination at a rate that may change in the middle
 * of a frame.
 *
 * A frame ends when its last bit has been sent, and arrives with the last of its bits. While the
 * rate is zero, a frame that has begun waits to be resumed. The transmitter is active from the
 * first notification of frames until its owner has none left.
 */
class OpticalTransmitter
{
  public:
    /// The owner of a transmitter, which supplies the frames and is notified of their progress.
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /**
         * @param destination the port that the frame is for
         * @param [in,out] sourceFirst whether the frame source goes before the queue
         * @param [in,out] frame receives the next frame; empty before
         * @return false if there is none
         */
        virtual bool NextFrame(uint32_t destination, bool& sourceFirst, FabricFrame& frame) = 0;

        /**
         * Handle the beginning of a frame.
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
         * Handle the end of the transmission of a frame.
         *
         * @param frame the frame, which goes to the owner
         * @param destination the port that it is for
         * @param delay the time from now until the frame arrives
         */
        virtual void NotifyEnd(FabricFrame&& frame, uint32_t destination, Time delay) = 0;

        /**
         * Handle the end of a frame while the transmitter is held.
         *
         * @param destination the port that it sends to
         */
        virtual void NotifyHeld(uint32_t destination) = 0;

        /**
         * Handle a change between active and idle.
         *
         * @param destination the port that it sends to
         * @param active true if it has frames to send
         */
        virtual void NotifyActive(uint32_t destination, bool active) = 0;

        /**
         * Handle the beginning or end of a time in which there are frames but no light.
         *
         * @param dark true if it begins
         */
        virtual void NotifyDark(bool dark) = 0;
    };

    /**
     * @param owner the owner, which outlives the transmitter
     * @param destination the port that it sends to
     */
    OpticalTransmitter(Owner& owner, uint32_t destination);

    ~OpticalTransmitter();

    // The end of a frame refers to the transmitter
    OpticalTransmitter(const OpticalTransmitter&) = delete;
    OpticalTransmitter& operator=(const OpticalTransmitter&) = delete;

    /// Begin to send, as the owner has frames.
    void NotifyFrames();

    /**
     * Set the rate from now on.
     *
     * @param bitRate the rate in bit/s; zero for darkness
     * @param delay the propagation delay at this rate
     * @param window when there is light at this rate: always, by default
     * @return the rate until now in bit/s
     */
    uint64_t SetRate(uint64_t bitRate, Time delay, const LightWindow& window = {});

    /// Prefetch the state that SetRate() will use.
    void Prefetch() const
    {
        constexpr std::size_t LINE = 64;
        for (std::size_t offset = 0; offset < sizeof(OpticalTransmitter); offset += LINE)
        {
            __builtin_prefetch(reinterpret_cast<const char*>(this) + offset);
        }
    }

    /**
     * Hold the transmitter, so that it begins no further frame, or release it.
     *
     * @param held true to hold the transmitter
     * @return true if a frame is being sent
     */
    bool SetHeld(bool held);

    /**
     * @return the frame that has begun and waits in darkness; null if there is none
     */
    const FabricFrame* GetCutFrame() const;

    /**
     * Drop the frame that has begun and waits in darkness.
     *
     * @return the time until its sent part has arrived
     */
    Time TakeBackFrame();

    /// Restart the frame that has begun, if any: its sent part is lost.
    void RestartFrame();

    /**
     * Lend the transmitter, if it is idle and lit.
     *
     * @param borrower computes its frames from now on
     * @param lightpath the number that the borrower knows it by
     * @return true if it is lent
     */
    bool Lend(LightpathBorrower& borrower, uint32_t lightpath);

    /**
     * Lend the transmitter, if it is idle, with a rate that the borrower gets from the fabric.
     *
     * @param borrower computes its frames from now on
     * @param lightpath the number that the borrower knows it by
     * @param delay the propagation delay
     * @return true if it is lent
     */
    bool LendShared(LightpathBorrower& borrower, uint32_t lightpath, Time delay);

    /**
     * Take the transmitter back from its borrower, idle.
     *
     * @param carry the work by which the end of its last frame was rounded up, if that was now
     */
    void TakeBack(TransmissionClock::Work carry);

    /**
     * @return the work by which the end of its last frame was rounded up, if that was now
     */
    TransmissionClock::Work GetCarry() const;

    /**
     * Go on with a frame that the former borrower has begun. The owner has the frames behind it.
     *
     * @param frame the frame
     * @param unsent its remaining work
     * @param hasBegun true if a part of it has been sent
     */
    void ResumeFrame(FabricFrame&& frame, TransmissionClock::Work unsent, bool hasBegun);

    /**
     * @return the borrower; null if the transmitter is not lent
     */
    LightpathBorrower* GetBorrower() const
    {
        return m_borrower;
    }

    /**
     * @return the number that the borrower knows the transmitter by
     */
    uint32_t GetLentNumber() const
    {
        return m_lentNumber;
    }

    /**
     * @return the rate in bit/s, zero while it is dark
     */
    uint64_t GetBitRate() const
    {
        return m_bitRate;
    }

    /**
     * @return true if there are frames, sent or waiting
     */
    bool IsActive() const;

    /**
     * @return true if there are frames and the rate is not zero
     */
    bool IsSending() const;

    /**
     * @return the unsent bytes of the frame that has begun, if any, rounded up
     */
    uint64_t GetUnsentBytes() const;

    /**
     * @return the propagation delay, the last one in darkness
     */
    Time GetDelay() const
    {
        return m_delay;
    }

  private:
    class Ending;

    /// Notify the owner of the beginning or end of a time with frames, but without light.
    void UpdateDark();

    /**
     * @return true if the next frame may begin
     */
    bool CanBegin() const;

    /// Begin the next frame after a pause, if it may begin.
    void Resume();

    /// Begin the next frame, if there is one, immediately after the previous one.
    void BeginFrame();

    /**
     * Schedule the end of the frame.
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
     * Extend the arrival of the frame to the bits sent since the last change of rate or delay.
     *
     * @param now the present time
     */
    void NoteSent(Time now);

    /// Let the borrower, if there is one, give the transmitter back.
    void Recall()
    {
        if (m_borrower)
        {
            m_borrower->GiveBack(m_lentNumber);
        }
    }

    Owner& m_owner;                         //!< The owner of the transmitter
    LightpathBorrower* m_borrower{nullptr}; //!< Computes the frames, or null
    uint32_t m_lentNumber{0};               //!< Number that the borrower knows it by
    uint32_t m_destination;                 //!< The port that it sends to
    uint64_t m_bitRate{0};                  //!< The rate in bit/s, zero while it is dark
    Time m_delay;                           //!< The propagation delay
    TransmissionClock m_clock;              //!< When the bits are sent
    FabricFrame m_frame;                    //!< The frame that has begun, if any
    EventId m_end;                          //!< The end of the frame, unless it is dark
    Ptr<EventImpl> m_ending;                //!< The event at the end, reused for all frames
    Time m_since;              //!< Since when the frame is sent at this rate on this path
    Time m_arrival;            //!< When the bits sent earlier have arrived
    Time m_idleSince{-1};      //!< When the last of its frames ended
    Time m_lastArrival;        //!< When the last of the frames that have ended arrives
    bool m_busy{false};        //!< A frame is being fetched or handed over
    bool m_active{false};      //!< There are frames, sent or waiting
    bool m_dark{false};        //!< There are frames but no light
    bool m_held{false};        //!< No frame may begin
    bool m_sourceFirst{false}; //!< The frame source goes before the queue
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_TRANSMITTER_H */
