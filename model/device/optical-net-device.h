/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_NET_DEVICE_H
#define OPTICAL_NET_DEVICE_H

#include "dark-clock.h"
#include "fabric-net-device.h"
#include "optical-transmitter.h"
#include "port-table.h"
#include "virtual-output-queue.h"

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class ErrorModel;

namespace lightpath
{

class FabricChannel;
class ForwardQueue;
class FrameSource;
class OpticalErrorModel;
class PathErrors;

/**
 * @defgroup lightpath Optical interconnects for machine learning
 *
 * Net devices and channels for wavelength-routed links and reconfigurable circuits, allocators and
 * controllers of circuits, planners that split the training of a model over GPUs, and applications
 * that carry out plans.
 */

/**
 * @ingroup lightpath
 * @brief The interface of a GPU to a fabric.
 *
 * Frames carry an Ethernet header and wait in a queue per destination. The transmitters of all
 * destinations send at the same time, each at the rate that the fabric grants (see FabricChannel),
 * which may change in the middle of a frame. While the rate is zero, frames wait; a frame that has
 * begun is resumed later.
 *
 * Frames come from Send(), through the queue, and from a FrameSource; if both have frames for one
 * destination, they alternate. Frames that the device forwards for other devices (see
 * FabricChannel::SetNextHop()) have priority.
 */
class OpticalNetDevice : public FabricNetDevice, private OpticalTransmitter::Owner
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    OpticalNetDevice();
    ~OpticalNetDevice() override;

    /**
     * Attach the device to the next port of a fabric. A device keeps its port; a second call ends
     * the program. A device without a queue gets one with the default attributes.
     *
     * @param channel the fabric
     */
    void Attach(Ptr<FabricChannel> channel);

    /**
     * Set the errors of the light to another port from now on, whoever the frames are for. They
     * strike a frame on the path on which it ends. A frame larger than the MTU, such as a burst,
     * stands for frames of at most the MTU, each of which may be corrupt on its own.
     *
     * @param hop the port that receives the light
     * @param errors the errors of the path; null for none
     */
    void SetPathErrors(uint32_t hop, Ptr<OpticalErrorModel> errors);

    /**
     * @return true if received frames may be corrupt: the device has a ReceiveErrorModel or errors
     *         of a path
     */
    bool HasErrors() const
    {
        return m_errorModel || m_pathErrors;
    }

    /**
     * @param destination a port of the fabric
     * @return the propagation delay of the frames for it, the last one in darkness; zero before
     *         there has been light
     */
    Time GetPathDelay(uint32_t destination) const;

    void NotifyFrames(uint32_t destination) override;

    /// @return the rate in bit/s towards a port, 0 in the dark. @param destination the port
    uint64_t GetRate(uint32_t destination) const;

    /**
     * Set the rate towards a destination from now on; called by the fabric.
     *
     * @param destination a port of the fabric
     * @param bitRate the rate in bit/s; zero for darkness
     * @param delay the propagation delay at this rate. A frame arrives with the last of its bits.
     * @param window when there is light at this rate: always, by default
     * @return the rate until now in bit/s
     */
    uint64_t SetRate(uint32_t destination,
                     uint64_t bitRate,
                     Time delay,
                     const LightWindow& window = {});

    /// Prefetch the state that SetRate() will use. @param destination a port of the fabric
    void Prefetch(uint32_t destination) const
    {
        const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
        if (transmitter)
        {
            transmitter->Prefetch();
        }
    }

    /**
     * Report that a lightpath begins or ceases to carry light; called by the fabric.
     *
     * @param destination the port that the lightpath leads to
     * @param up true if it begins
     */
    void TraceLightpath(uint32_t destination, bool up);

    /**
     * Hold the transmitter of a destination, so that it begins no further frame, or release it;
     * called by the fabric. FabricChannel::NotifyHeld() is called at the end of a frame that has
     * begun.
     *
     * @param destination a port of the fabric
     * @param held true to hold the transmitter
     * @return true if a frame is being sent
     */
    bool SetHeld(uint32_t destination, bool held);

    /// A lightpath that is lent.
    struct LentLightpath
    {
        uint64_t bitRate{0}; //!< The rate in bit/s, which stays; zero if it cannot be lent
        Time delay;          //!< From the last bit sent to the last received, which stays
        TransmissionClock::Work carry{0}; //!< Work by which an end of a frame now was rounded up
    };

    /**
     * Lend the lightpath to a destination to somebody who computes its frames, until something else
     * needs it. It is not lent if it has frames, is dark, or shares its rate, nor while the device
     * has frames without light, errors, or sinks that look at frames.
     *
     * @param destination a port of the fabric
     * @param borrower the one who borrows it; an idle former borrower gives it back
     * @param lightpath the number that the borrower knows it by
     * @return its rate and delay; rate zero if it is not lent
     */
    LentLightpath Lend(uint32_t destination, LightpathBorrower& borrower, uint32_t lightpath);

    /**
     * Lend a lightpath as Lend() does, but with a rate that the fabric tells the borrower.
     *
     * @param destination a port of the fabric
     * @param borrower the one who borrows it
     * @param lightpath the number that the borrower knows it by
     * @param delay the propagation delay
     * @param [out] carry work by which an end of a frame now was rounded up
     * @return true if it is lent
     */
    bool LendShared(uint32_t destination,
                    LightpathBorrower& borrower,
                    uint32_t lightpath,
                    Time delay,
                    TransmissionClock::Work& carry);

    /**
     * Take a lightpath back, idle; called by the borrower.
     *
     * @param destination the port of the fabric that it leads to
     * @param carry the work by which the end of its last frame was rounded up, if that was now
     */
    void TakeBack(uint32_t destination, TransmissionClock::Work carry);

    /**
     * Go on with a frame that the former borrower of a lightpath has begun.
     *
     * @param destination the port of the fabric that the frame is for
     * @param frame the frame
     * @param unsent its remaining work
     * @param hasBegun true if a part of it has been sent
     */
    void ResumeFrame(uint32_t destination,
                     const SourceFrame& frame,
                     TransmissionClock::Work unsent,
                     bool hasBegun);

    /**
     * @param destination a port of the fabric
     * @return the borrower of the lightpath to it; null if it is not lent
     */
    LightpathBorrower* GetBorrower(uint32_t destination) const
    {
        const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
        return transmitter ? transmitter->GetBorrower() : nullptr;
    }

    /**
     * Let the borrower of a lightpath, if there is one, give it back.
     *
     * @param destination the port of the fabric that it leads to
     */
    void Recall(uint32_t destination);

    /// @return true if a sink or an error model looks at frames, so that no lightpath is lent
    bool LooksAtFrames() const;

    /// @return true if a sink looks at frames that are computed
    bool TracesComputed() const
    {
        return !m_computedFrameTrace.IsEmpty();
    }

    /**
     * Tell of a frame that has been computed by the borrower of a lightpath.
     *
     * @param destination the port that the lightpath leads to
     * @param bytes the size of the frame
     * @param begin when it began
     * @param end when it ended; Time::Max() if it is given back and ends later
     */
    void NoteComputed(uint32_t destination, uint64_t bytes, Time begin, Time end) const;

    /**
     * TracedCallback signature for frames that are computed.
     *
     * @param destination the port that the lightpath leads to
     * @param bytes the size of the frame
     * @param begin when it began
     * @param end when it ended; Time::Max() if FrameEnd tells
     */
    typedef void (*ComputedFrameTracedCallback)(uint32_t destination,
                                                uint64_t bytes,
                                                Time begin,
                                                Time end);

    /// @return true if a sink looks at the rates of lightpaths
    bool TracesRates() const
    {
        return !m_rateTrace.IsEmpty() || !m_lightpathRateTrace.IsEmpty();
    }

    /// Bring the counts of the frame source up to date, as lightpaths may be lent.
    void SettleLent() const;

    /**
     * @param destination a port of the fabric
     * @return the bytes that wait for it, including the unsent bytes of the current frame
     */
    uint64_t GetBacklog(uint32_t destination) const;

    /**
     * @param [out] backlog the destinations with waiting bytes, in ascending order, and the number
     *        of these bytes; previous content is lost
     */
    void GetBacklog(std::vector<std::pair<uint32_t, uint64_t>>& backlog) const;

    /**
     * @param destination a port of the fabric
     * @return true if there are frames for it and the rate is not zero
     */
    bool IsSending(uint32_t destination) const
    {
        const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
        return transmitter && transmitter->IsSending();
    }

    /// @return measures the time with frames, but without light for any of them
    const DarkClock& GetDarkClock() const
    {
        return m_darkClock;
    }

    /**
     * Receive a frame; called by the fabric.
     *
     * @param frame the frame
     */
    void Receive(Ptr<Packet> frame);

    /**
     * Receive a frame; called by the fabric.
     *
     * @param [in,out] frame the frame, whose packet is made if necessary
     */
    void Receive(FabricFrame& frame);

    /**
     * Receive a frame for another device and forward it; called by the fabric.
     *
     * @param frame the frame
     * @param destination the port that the frame is for
     */
    void Forward(FabricFrame&& frame, uint32_t destination);

    /// Why a frame is dropped.
    enum DropReason
    {
        CORRUPT, //!< It has been received corrupt
        LOST,    //!< This device has sent it, but its light led to no receiver
    };

    /**
     * Drop a frame, and tell the device that made it; called by the fabric.
     *
     * @param frame the frame
     * @param destination the port that the frame is for
     * @param reason why it is dropped
     */
    void Drop(FabricFrame frame, uint32_t destination, DropReason reason);

    /// The frame of the source that darkness has cut.
    struct CutFrame
    {
        Ptr<Packet> payload;   //!< Its payload; null if there is none
        uint32_t sentBytes{0}; //!< Bytes of the frame that have been sent, with the Ethernet header
    };

    /**
     * @param destination a port of the fabric
     * @return the frame of the source to it that darkness has cut; without payload if there is none
     */
    CutFrame GetCutFrame(uint32_t destination) const;

    /**
     * Drop the rest of the frame of the source that darkness has cut, which must exist. Its
     * beginning may still arrive as a separate frame.
     *
     * @param destination the port of the fabric that it is for
     * @param arriving the number of bytes of payload that still arrive, at most the number sent; 0
     *        for no such frame
     */
    void TakeBackFrame(uint32_t destination, uint32_t arriving);

    /**
     * Restart the frame that is being sent to a destination, if any; called by the fabric.
     *
     * @param destination a port of the fabric
     */
    void RestartFrame(uint32_t destination);

    /**
     * TracedCallback signature for a lightpath that begins or ceases to carry light.
     *
     * @param destination the port that the lightpath leads to
     */
    typedef void (*LightpathTracedCallback)(uint32_t destination);

  protected:
    void DoDispose() override;

  private:
    // OpticalTransmitter::Owner
    bool NextFrame(uint32_t destination, bool& sourceFirst, FabricFrame& frame) override;
    void NotifyBegin(FabricFrame& frame, uint32_t destination, Time duration, Time delay) override;
    void NotifyEnd(FabricFrame&& frame, uint32_t destination, Time delay) override;
    void NotifyHeld(uint32_t destination) override;
    void NotifyActive(uint32_t destination, bool active) override;

    void NotifyDark(bool dark) override;

    /// @return true if the log shows frames
    static bool IsLogged();

    /// Let the borrowers give all lightpaths back.
    void RecallLent();

    /**
     * @param model decides which received frames are corrupt from now on; null for none
     */
    void SetReceiveErrorModel(Ptr<ErrorModel> model);

    /// @return the error model that decides which received frames are corrupt
    Ptr<ErrorModel> GetReceiveErrorModel() const;

    /**
     * @param destination a port of the fabric
     * @param transmitter the transmitter for it
     * @return the bytes that wait for it, including the unsent bytes of the current frame
     */
    uint64_t GetBacklog(uint32_t destination, const OpticalTransmitter& transmitter) const;

    /// Trace the bytes that wait, if there is a sink.
    void TraceBacklog()
    {
        if (!m_backlogTrace.IsEmpty())
        {
            UpdateBacklog();
        }
    }

    /// Trace the bytes that wait if they have changed.
    void UpdateBacklog();

    /**
     * Log a change of rate.
     *
     * @param destination a port of the fabric
     * @param unsent the unsent bytes of the frame that has begun for it, if any
     * @param before the rate until now in bit/s
     * @param bitRate the rate from now on
     */
    void LogRate(uint32_t destination, uint64_t unsent, uint64_t before, uint64_t bitRate) const;

    /**
     * @param destination a port of the fabric
     * @return the transmitter for it, created when it is first needed
     */
    OpticalTransmitter& GetTransmitter(uint32_t destination)
    {
        OpticalTransmitter::Owner& owner = *this;
        return m_transmitters.Get(destination, owner, destination);
    }

    /**
     * Drop the corrupt part of a received frame.
     *
     * @param [in,out] frame the frame, which keeps the rest
     * @param destination the port that the frame is for
     * @return true if there is a rest
     */
    bool DropLost(FabricFrame& frame, uint32_t destination);

    /**
     * @param [in,out] frame a frame from this device, whose packet is made if there is none
     * @param destination the port that it is for
     * @return its packet, with a header
     */
    const Ptr<Packet>& GetPacket(FabricFrame& frame, uint32_t destination) const;

    /**
     * @param [in,out] frame a frame from any device, whose packet is made if there is none
     * @param destination the port that it is for
     * @return its packet, with a header
     */
    const Ptr<Packet>& MakePacket(FabricFrame& frame, uint32_t destination) const;

    std::unique_ptr<ForwardQueue> m_forward;  //!< Waiting frames of other devices; null if none
    Ptr<ErrorModel> m_errorModel;             //!< Decides which received frames are corrupt
    std::unique_ptr<PathErrors> m_pathErrors; //!< Errors of paths; null if there have been none

    DarkClock m_darkClock;                            //!< Time without light for any frame
    uint64_t m_bitRate{0};                            //!< Rate of all lightpaths in bit/s
    uint32_t m_nLent{0};                              //!< Lightpaths that are lent
    PortTable<OpticalTransmitter> m_transmitters;     //!< The transmitters by destination
    TracedCallback<Ptr<const Packet>> m_forwardTrace; //!< Frame received to be forwarded
    TracedValue<uint64_t> m_forwardBytes;             //!< Bytes that wait to be forwarded
    TracedCallback<uint32_t> m_lightpathUpTrace;      //!< Lightpath begins to carry light
    TracedCallback<uint32_t> m_lightpathDownTrace;    //!< Lightpath ceases to carry light
    /// A frame that has been computed without an event
    FrameTrace<uint32_t, uint64_t, Time, Time> m_computedFrameTrace;
    FrameTrace<double, double> m_rateTrace;    //!< The rate of all lightpaths changes
    FrameTrace<double, double> m_backlogTrace; //!< The bytes that wait change
    double m_backlog{0};                       //!< Bytes that waited when last traced
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_NET_DEVICE_H */
