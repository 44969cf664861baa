/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WSS_GRID_CHANNEL_H
#define WSS_GRID_CHANNEL_H

#include "photonic-channel.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"
#include "ns3/wss-grid.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The fabric of ODDL: a grid of nodes, with a passive wavelength-selective switch for each
 * row and each column.
 *
 * Port p is in row p / Columns and column p % Columns. It has the same number of Transceivers for
 * its row and for its column; transmitter t of a member reaches receiver t of another member, by
 * its wavelength and the WavelengthMap of the switch. Light on an unrouted wavelength is lost.
 *
 * The fabric is passive: the Controller of a port tunes its transmitters. Two beams on one receiver
 * corrupt each other: the receiver drops frames that overlap with another beam.
 *
 * A beam carries the frames of one port for one destination. If it leads to another port, that port
 * forwards the frames (FabricChannel::SetNextHop()).
 */
class WssGridChannel : public PhotonicChannel, public WssGrid
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    WssGridChannel();

    using PhotonicChannel::SetFailed;

    /**
     * @return the number of rows
     */
    uint32_t GetNRows() const
    {
        return GetSize().rows;
    }

    /**
     * @return the number of columns
     */
    uint32_t GetNColumns() const
    {
        return GetSize().columns;
    }

    /**
     * @return the number of transceivers of a port at each of its switches
     */
    uint32_t GetNTransceivers() const
    {
        return GetSize().transceivers;
    }

    /**
     * @param direction a direction
     * @return the rate of a transceiver at the switches of this direction
     */
    DataRate GetLaneRate(Direction direction) const;

    /**
     * @return the propagation delay from one port to another
     */
    Time GetDelay() const
    {
        return m_delay;
    }

    /**
     * @return the time from the call of Tune() to the first bit
     */
    Time GetTuneAndLockTime() const
    {
        return m_tuningTime + m_lockTime;
    }

    /**
     * @return the time to configure a switch
     */
    Time GetSettingTime() const
    {
        return m_settingTime;
    }

    Times GetTimes() const override;
    uint64_t GetLaneBitRate(Direction direction) const override;

    bool IsForwarded(uint32_t source, uint32_t destination) const override
    {
        return AreApart(source, destination);
    }

    /**
     * @return true if any pair of ports has frames and a path, or a switch is being configured
     */
    bool IsChanging() const override
    {
        return m_nActive > GetNStuck() || GetNSetting() > 0;
    }

    std::string GetFabricName() const override
    {
        return "oddl";
    }

    /**
     * @return a port of a switch, with two fibres, for each transmitter and its receiver
     */
    FabricPlant GetPlant() const override;

    bool CanFail() const override
    {
        return true;
    }

    void NotifyActive(uint32_t source, uint32_t destination) override;
    void NotifyIdle(uint32_t source, uint32_t destination) override;
    void Deliver(FabricFrame&& frame, uint32_t source, uint32_t destination, Time delay) override;

    /**
     * TracedCallback signature for a collision of beams.
     *
     * @param receiver the port of the receiver
     * @param first the port of the first beam on it
     * @param second the port of the beam that has come
     */
    typedef void (*CollisionTracedCallback)(uint32_t receiver, uint32_t first, uint32_t second);

    /**
     * TracedCallback signature for light that leads nowhere.
     *
     * @param source the port that it comes from
     * @param wavelength its wavelength
     */
    typedef void (*LightLostTracedCallback)(uint32_t source, uint32_t wavelength);

  protected:
    void DoDispose() override;
    void DoAdd(uint32_t port) override;

  private:
    OpticalPath MakePath(uint32_t hops, uint32_t nPorts) const override
    {
        return OpticalLink::MakeSwitchPath("wss",
                                           std::max(GetNRows(), GetNColumns()),
                                           m_fibreLength);
    }

    /// @return the rate of a transceiver at the faster one of its two switches
    DataRate GetTransceiverRate() const
    {
        return std::max(GetLaneRate(ROW), GetLaneRate(COLUMN));
    }

    uint32_t GetFibreWavelengths() const override
    {
        return LightFault::CountWavelengths(GetTransceiverRate());
    }

    std::optional<LightFault> FindChannelFault(uint32_t nPorts) const override;
    std::string DoSetFailed(const std::string& component, bool failed) override;

    void ApplyFault(bool failed) override
    {
        ApplyChange();
    }

    /**
     * Set the number of components of a kind, which is refused once a device is attached.
     *
     * @tparam COUNT the kind
     * @param count the number
     */
    template <uint32_t WssGridGeometry::Size::*COUNT>
    void SetCount(uint32_t count)
    {
        auto size = GetSize();
        NS_ABORT_MSG_IF(GetNDevices() > 0 && size.*COUNT != count,
                        "Rows, Columns and Transceivers of a grid must be set before devices are "
                        "attached: "
                            << GetNDevices() << " are already");
        size.*COUNT = count;
        SetSize(size);
    }

    // WssGrid
    void NotifyTuning() override
    {
        NoteLight();
    }

    void NotifyOpen(uint32_t port,
                    uint32_t destination,
                    uint32_t hop,
                    Direction direction) override;
    void NotifyClosed(uint32_t port, uint32_t destination) override;

    void NotifyLightLost(uint32_t port, uint32_t wavelength) override
    {
        m_lightLostTrace(port, wavelength);
    }

    void NotifyCollision(uint32_t receiver, uint32_t first, uint32_t second) override
    {
        m_collisionTrace(receiver, first, second);
    }

    uint32_t GetNodeOf(uint32_t port) const override;

    DataRate m_laneRate;  //!< Mean rate of the transceivers of a port
    double m_rowShare;    //!< Share of the rate of a port at the switch of its row
    Time m_tuningTime;    //!< Time to tune a laser
    Time m_lockTime;      //!< Time from light to bits
    Time m_settingTime;   //!< Time to set a switch
    double m_fibreLength; //!< Fibre from a port to a switch
    Time m_delay;         //!< Delay from port to port
    Time m_cardDelay;     //!< Delay of what reaches its destination beyond that
    int64_t m_nActive{0}; //!< Pairs that have frames
    TracedCallback<uint32_t, uint32_t, uint32_t> m_collisionTrace; //!< Light meets other light
    TracedCallback<uint32_t, uint32_t> m_lightLostTrace;           //!< Light leads nowhere
};

} // namespace lightpath
} // namespace ns3

#endif /* WSS_GRID_CHANNEL_H */
