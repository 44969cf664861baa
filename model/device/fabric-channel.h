/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_CHANNEL_H
#define FABRIC_CHANNEL_H

#include "fabric-frame.h"
#include "lightpath-borrower.h"

#include "ns3/channel.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class FrameStreams;
class OpticalNetDevice;

/**
 * @ingroup lightpath
 * @brief Statistics of a fabric from the beginning of the simulation until now.
 */
struct FabricStatistics
{
    Time darkTime;                 //!< Time for which circuits were dark while they were switched
    uint32_t nReconfigurations{0}; //!< Number of times that circuits were switched
    uint64_t nLightpaths{0};       //!< Number of lightpaths of the present plan

    /// Counts that only this kind of fabric has, by name (in lower camel case, as in JSON).
    std::vector<std::pair<std::string, uint64_t>> counts;
};

/**
 * @ingroup lightpath
 * @brief What a fabric consists of outside of the devices at its ports.
 */
struct FabricPlant
{
    uint64_t nFibres{0};      //!< Fibres that carry data in one direction, or electrical links
    uint64_t nSwitchPorts{0}; //!< Ports of switches, each with an input and an output
    bool isWhole{false};      //!< These are those of all ports, of which only a few have devices
};

/**
 * @ingroup lightpath
 * @brief A fabric: the network that joins the GPUs. It grants each pair of ports a rate, which may
 * change over time, and carries frames.
 *
 * Ports are numbered in the order in which devices are attached. This is an abstract base class: a
 * child class models the physics and calls OpticalNetDevice::SetRate(). A fabric whose rates depend
 * on which ports are sending overrides NotifyActive() and NotifyIdle(). A fabric whose components
 * can fail overrides DoSetFailed() and ApplyFault().
 */
class FabricChannel : public Channel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricChannel();
    ~FabricChannel() override;

    /**
     * Give the next port to a device; called by OpticalNetDevice::Attach().
     *
     * @param device the device
     * @return the number of its port
     */
    uint32_t Add(Ptr<OpticalNetDevice> device);

    /**
     * @param port a port
     * @return the device at this port
     */
    Ptr<OpticalNetDevice> GetPort(uint32_t port) const;

    /**
     * @param address a MAC address
     * @return the port whose device has it; the number of ports if none has
     */
    uint32_t FindPort(Mac48Address address) const;

    /**
     * @param source a port
     * @return the ports that a broadcast from it reaches; all other ports in the base class
     */
    virtual std::vector<uint32_t> GetReachable(uint32_t source) const;

    /**
     * @return true if rates are about to change without any frame being sent; false in the base
     *         class
     */
    virtual bool IsChanging() const;

    /**
     * @return the name of this kind of fabric in reports, as for InterconnectHelper::Create(); the
     *         name of the type in the base class
     */
    virtual std::string GetFabricName() const;

    /**
     * @return the statistics of the fabric until now; empty in the base class
     */
    virtual FabricStatistics GetStatistics() const;

    /**
     * @return the fibres and switches of the fabric; in the base class, one switch with two fibres
     *         to each device
     */
    virtual FabricPlant GetPlant() const;

    /**
     * Fix the random numbers of the fabric.
     *
     * @param stream the number of the first stream
     * @return the number of streams that were assigned: none in the base class
     */
    virtual int64_t AssignStreams(int64_t stream)
    {
        return 0;
    }

    /**
     * @return true if components of this kind of fabric can fail; false in the base class
     */
    virtual bool CanFail() const;

    /**
     * Mark a component of the fabric as failed, or as repaired. Repeating a failure or a repair has
     * no effect. An unknown name ends the program with a message that lists the known names.
     *
     * @param component the name of the component, which depends on the kind of fabric
     * @param failed true for a failure, false for a repair
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * @param port a port
     * @return true if its device can send, now or after circuits have been switched; always in the
     *         base class
     */
    virtual bool IsLinkUp(uint32_t port) const;

    /**
     * Update the address of a device.
     *
     * @param port the port of the device
     * @param before the former address
     * @param after the new address
     */
    void ChangeAddress(uint32_t port, Mac48Address before, Mac48Address after);

    /**
     * Handle the first frame that a device has for a destination.
     *
     * @param source the port of the device
     * @param destination the port that the frame is for
     */
    virtual void NotifyActive(uint32_t source, uint32_t destination);

    /**
     * Handle the end of the last frame that a device had for a destination.
     *
     * @param source the port of the device
     * @param destination the port that the frames were for
     */
    virtual void NotifyIdle(uint32_t source, uint32_t destination);

    /**
     * Promise that the rate of an idle pair of ports stays what it is, until TakeBack() or a call
     * of LightpathBorrower::GiveBack().
     *
     * @param source a port
     * @param destination another port
     * @return true if the fabric promises it; never in the base class
     */
    virtual bool Lend(uint32_t source, uint32_t destination);

    /**
     * End the promise of Lend().
     *
     * @param source a port
     * @param destination another port
     */
    virtual void TakeBack(uint32_t source, uint32_t destination);

    /**
     * @return true if light that a pair of ports lacks stays away for some time, as in the base
     *         class; false if pairs get their rates later at the same instant
     */
    virtual bool StaysDark() const;

    /**
     * @return the sender of frames of pairs that share links, in place of transmitters; null if
     *         there is none, as in the base class
     */
    virtual FrameStreams* GetStreams();

    /**
     * Handle the end of a frame of a transmitter that was held.
     *
     * @param source the port of the device
     * @param destination the port that the frame was for
     */
    virtual void NotifyHeld(uint32_t source, uint32_t destination);

    /**
     * Handle the loss of a frame that no device has sent, such as an average. The base class has no
     * such frames.
     *
     * @param port the port of the device
     */
    virtual void NotifyLost(uint32_t port);

    /**
     * Route the frames from one port for another through a third from now on. Its device forwards
     * each frame once it is complete. A frame on its way to another next hop begins anew.
     *
     * @param source the port that sends
     * @param destination the port that the frames are for
     * @param hop the port that receives them; the destination itself to end the forwarding
     */
    void SetNextHop(uint32_t source, uint32_t destination, uint32_t hop);

    /**
     * @param source a port
     * @param destination another port
     * @return the next hop of their frames: the destination, unless SetNextHop() has named another
     */
    uint32_t GetNextHop(uint32_t source, uint32_t destination) const;

    /**
     * @param source a port
     * @param destination another port
     * @return true if no light leads from one to the other, so that a third port stores and
     * forwards their frames; never in the base class
     */
    virtual bool IsForwarded(uint32_t source, uint32_t destination) const;

    /**
     * Carry a frame to the next hop, once its last bit has been sent.
     *
     * @param frame the frame
     * @param source the port that sent it
     * @param destination the port that it is for
     * @param delay the propagation delay
     */
    virtual void Deliver(FabricFrame&& frame, uint32_t source, uint32_t destination, Time delay);

    /**
     * @return true if the trace source of animated frames has sinks
     */
    bool TracesFrames() const;

    /**
     * Trace the beginning of a frame for animation.
     *
     * @param frame the frame
     * @param source the port that sends it
     * @param destination the port that it is for
     * @param duration the time to send it at the present rate
     * @param delay the propagation delay
     */
    void TraceFrame(const Ptr<Packet>& frame,
                    uint32_t source,
                    uint32_t destination,
                    Time duration,
                    Time delay);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /**
     * TracedCallback signature for the beginning of a frame.
     *
     * @param packet the frame
     * @param txDevice the device that sends it
     * @param rxDevice the device that receives it
     * @param duration the time to send it at the present rate
     * @param lastBitTime the time from now until its last bit is received
     */
    typedef void (*TxRxTracedCallback)(Ptr<const Packet> packet,
                                       Ptr<NetDevice> txDevice,
                                       Ptr<NetDevice> rxDevice,
                                       Time duration,
                                       Time lastBitTime);

    /**
     * TracedCallback signature for ports whose link goes up or down.
     *
     * @param ports the ports whose link has changed, in ascending order
     */
    typedef void (*LinkTracedCallback)(const std::vector<uint32_t>& ports);

    /**
     * TracedCallback signature for a call of SetFailed().
     *
     * @param component the name of the component
     * @param failed true if it has failed, false if it works
     */
    typedef void (*FaultTracedCallback)(const std::string& component, bool failed);

  protected:
    void DoDispose() override;

    /**
     * Tell the devices, and the sinks of LinkChange, that links go up or down.
     *
     * @param ports the ports whose link has changed, in ascending order
     */
    void NotifyLinks(const std::vector<uint32_t>& ports);

    /**
     * Prepare for a new port.
     *
     * @param port the number of the port that a device is about to get
     */
    virtual void DoAdd(uint32_t port);

  private:
    /**
     * Note that a component has failed or works again.
     *
     * @param component the name of the component
     * @param failed true if it has failed
     * @return empty if the fabric has the component; otherwise a message that lists the known
     *         names. The base class has no components.
     */
    virtual std::string DoSetFailed(const std::string& component, bool failed);

    /**
     * Apply a failure or repair recorded by DoSetFailed(). The base class does nothing.
     *
     * @param failed true if a component has failed, false if one works again
     */
    virtual void ApplyFault(bool failed);

    std::vector<Ptr<OpticalNetDevice>> m_ports;             //!< The devices by port
    std::unordered_map<uint64_t, uint32_t> m_portByAddress; //!< The ports by MAC address
    std::unordered_map<uint64_t, uint32_t> m_nextHops;      //!< Next hops by source and destination

    TracedCallback<const std::vector<uint32_t>&> m_linkTrace; //!< Links have changed
    /// A component is taken out of use or brought back
    TracedCallback<const std::string&, bool> m_faultTrace;
    /// Traced at the beginning of each frame
    FrameTrace<Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time> m_txRxTrace;
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_CHANNEL_H */
