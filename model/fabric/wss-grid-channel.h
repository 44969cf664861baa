/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WSS_GRID_CHANNEL_H
#define WSS_GRID_CHANNEL_H

#include "photonic-channel.h"
#include "wavelength-map.h"
#include "wss-grid-geometry.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

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
class WssGridChannel : public PhotonicChannel
{
  public:
    using Direction = WssGridGeometry::Direction;     //!< The switch of a port
    using Transceiver = WssGridGeometry::Transceiver; //!< A transmitter or a receiver of a port

    static constexpr Direction ROW = WssGridGeometry::ROW;       //!< The switch of the row
    static constexpr Direction COLUMN = WssGridGeometry::COLUMN; //!< The switch of the column

    /// The controller of a port, which is notified of events at the port.
    class Controller
    {
      public:
        virtual ~Controller() = default;

        /**
         * Handle the first frame of the port for a destination.
         *
         * @param destination the port that they are for
         */
        virtual void NotifyActive(uint32_t destination) = 0;

        /**
         * Handle the end of the last frame of the port for a destination.
         *
         * @param destination the port that they were for
         */
        virtual void NotifyIdle(uint32_t destination) = 0;

        /**
         * Handle the end of the transmission of a frame.
         *
         * @param destination the port that it is for
         */
        virtual void NotifySent(uint32_t destination) = 0;

        /**
         * Handle the end of the light on a receiver of the port.
         *
         * @param direction the switch that the receiver is at
         * @param index the index of the receiver there
         * @param source the port that the light came from
         */
        virtual void NotifyDark(Direction direction, uint32_t index, uint32_t source) = 0;

        /// Handle failures, repairs, and changes of switches.
        virtual void NotifyChange() = 0;
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @return the number of rows
     */
    uint32_t GetNRows() const
    {
        return m_geometry.GetSize().rows;
    }

    /**
     * @return the number of columns
     */
    uint32_t GetNColumns() const
    {
        return m_geometry.GetSize().columns;
    }

    /**
     * @return the number of transceivers of a port at each of its switches
     */
    uint32_t GetNTransceivers() const
    {
        return m_geometry.GetSize().transceivers;
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

    /**
     * @param port a port
     * @param direction one of its switches
     * @return the number of this switch among those of the rows, or of the columns
     */
    uint32_t GetGroup(uint32_t port, Direction direction) const
    {
        return m_geometry.GetGroup(port, direction);
    }

    /**
     * @param port a port
     * @param direction one of its switches
     * @return the index of the port among the members of this switch
     */
    uint32_t GetMember(uint32_t port, Direction direction) const
    {
        return m_geometry.GetMember(port, direction);
    }

    /**
     * @param direction rows or columns
     * @param group one of their switches
     * @param member a member of it
     * @return its port, which may not exist
     */
    uint32_t GetPortAt(Direction direction, uint32_t group, uint32_t member) const
    {
        return m_geometry.GetPortAt(direction, group, member);
    }

    /**
     * @param port a port
     * @param controller its controller, which outlives the use of the fabric, or null
     */
    void SetController(uint32_t port, Controller* controller)
    {
        m_controllers.at(port) = controller;
    }

    /**
     * @param source a port
     * @param destination another port
     * @param direction the switch by which to go
     * @param index the index of the transceivers to use
     * @return true if the working components can lead light from one to the other
     */
    bool CanReach(uint32_t source, uint32_t destination, Direction direction, uint32_t index) const;

    /**
     * @param source a port
     * @param destination another port
     * @param direction the switch by which to go
     * @return true if CanReach() holds for any transceivers
     */
    bool CanReach(uint32_t source, uint32_t destination, Direction direction) const;

    /**
     * @param source a port
     * @param destination another member of one of its switches
     * @param direction that switch
     * @return the wavelength that leads from one to the other; WavelengthMap::NONE if none does
     */
    uint32_t FindWavelength(uint32_t source, uint32_t destination, Direction direction) const
    {
        return GetSwitch(source, direction)
            .map.FindWavelength(GetMember(source, direction), GetMember(destination, direction));
    }

    /**
     * Tune a transmitter and send by it. Light begins after the TuningTime, bits after a further
     * LockTime. A transmitter that is sending stops at once.
     *
     * @param transmitter the transmitter
     * @param wavelength the wavelength
     * @param destination the destination of the frames to send, wherever the light leads. No other
     *        transmitter of the port may send them.
     */
    void Tune(const Transceiver& transmitter, uint32_t wavelength, uint32_t destination);

    /**
     * Switch off a transmitter. The frame that has begun, if any, waits to be resumed.
     *
     * @param transmitter the transmitter
     */
    void Release(const Transceiver& transmitter);

    /**
     * @param receiver a receiver
     * @param source a port
     * @return true if light from the port arrives now
     */
    bool IsLitBy(const Transceiver& receiver, uint32_t source) const;

    /**
     * Route the light of a switch by a map after the SettingTime, during which the switch is dark.
     *
     * @param direction rows or columns
     * @param group one of their switches
     * @param map the map, of as many members as the switch has
     */
    void Configure(Direction direction, uint32_t group, const WavelengthMap& map);

    /**
     * Count the pairs of ports with frames but without a path; called by the controller of a port.
     *
     * @param stuck true for one pair more, false for one pair less
     */
    void NoteStuck(bool stuck)
    {
        m_nStuck += stuck ? 1 : -1;
    }

    /**
     * @return the number of collisions of beams on a receiver
     */
    uint64_t GetNCollisions() const
    {
        return m_nCollisions;
    }

    /**
     * @return the number of beams that led nowhere
     */
    uint64_t GetNLost() const
    {
        return m_nLost;
    }

    bool IsForwarded(uint32_t source, uint32_t destination) const override;

    /**
     * @return true if any pair of ports has frames and a path, or a switch is being configured
     */
    bool IsChanging() const override
    {
        return m_nActive > m_nStuck || m_nSetting > 0;
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

    /// The state of a transmitter.
    struct Beam
    {
        bool isTuning{false};                 //!< The laser is being tuned
        bool isLit{false};                    //!< There is light
        uint32_t wavelength{0};               //!< The wavelength
        uint32_t destination{0};              //!< The port whose frames it carries
        uint32_t output{WavelengthMap::NONE}; //!< Index of the receiver that the light falls on
        Time since;                           //!< Since when there is light
        EventId next;                         //!< The end of tuning or locking
    };

    /// The light on a receiver.
    struct Light
    {
        std::vector<uint32_t> beams; //!< Indices of the transmitters whose light is on its way
        uint32_t last{0};            //!< The port whose light was the last to go out
        Time darkAt;                 //!< When the last light to go out has passed
    };

    /// A switch.
    struct Switch
    {
        WavelengthMap map; //!< Where it leads light
        EventId setting;   //!< Until when it is being set
    };

    static constexpr uint32_t DIRECTIONS = WssGridGeometry::DIRECTIONS; //!< Switches of a port

    /**
     * Set the number of components of a kind, which is refused once a device is attached.
     *
     * @tparam COUNT the kind
     * @param count the number
     */
    template <uint32_t WssGridGeometry::Size::*COUNT>
    void SetCount(uint32_t count)
    {
        auto size = m_geometry.GetSize();
        NS_ABORT_MSG_IF(GetNDevices() > 0 && size.*COUNT != count,
                        "Rows, Columns and Transceivers of a grid must be set before devices are "
                        "attached: "
                            << GetNDevices() << " are already");
        size.*COUNT = count;
        m_geometry.SetSize(size);
    }

    /**
     * @param port a port
     * @param direction one of its switches
     * @return this switch
     */
    const Switch& GetSwitch(uint32_t port, Direction direction) const;

    /**
     * @param transmitter a transmitter
     * @param wavelength the wavelength that it is tuned to
     * @return the index of the receiver that its light falls on; WavelengthMap::NONE if on none
     */
    uint32_t FindOutput(const Transceiver& transmitter, uint32_t wavelength) const;

    /**
     * Put light on a transmitter, which has been tuned.
     *
     * @param index its index
     */
    void PutLight(uint32_t index);

    /**
     * Let a transmitter send bits.
     *
     * @param index its index
     */
    void OpenBeam(uint32_t index);

    /**
     * Switch off a transmitter.
     *
     * @param index its index
     */
    void PutOut(uint32_t index);

    /**
     * Notify the controller of a port that the light on a receiver has gone out.
     *
     * @param receiver the index of the receiver
     * @param source the port that the light came from
     */
    void TellDark(uint32_t receiver, uint32_t source);

    /**
     * Record a collision of beams on a receiver.
     *
     * @param receiver its index
     */
    void Collide(uint32_t receiver);

    /**
     * @param beam the state of a transmitter
     * @return true if its data is corrupt
     */
    bool IsSpoilt(const Beam& beam) const;

    /// Switch off all transmitters that need a failed component, and notify all controllers.
    void ApplyChange();

    /**
     * End the setting of a switch.
     *
     * @param which the switch
     * @param map the new map
     */
    void EndSetting(Switch* which, WavelengthMap map);

    WssGridGeometry m_geometry; //!< The ports, their transceivers and the failures
    DataRate m_laneRate;        //!< Mean rate of the transceivers of a port
    double m_rowShare;          //!< Share of the rate of a port at the switch of its row
    Time m_tuningTime;          //!< Time to tune a laser
    Time m_lockTime;            //!< Time from light to bits
    Time m_settingTime;         //!< Time to set a switch
    double m_fibreLength;       //!< Fibre from a port to a switch
    Time m_delay;               //!< Delay from port to port
    Time m_cardDelay;           //!< Delay of what reaches its destination beyond that
    std::vector<Switch> m_switches[DIRECTIONS]; //!< The switches of the rows and of the columns
    std::vector<Beam> m_beams;                  //!< The states of the transmitters
    std::vector<Light> m_lights;                //!< The light on the receivers
    std::vector<Controller*> m_controllers;     //!< The controllers of the ports
    std::set<PortPair> m_spoilt;                //!< Pairs whose frame in progress is lost
    uint64_t m_nCollisions{0};                  //!< Collisions of beams
    uint64_t m_nLost{0};                        //!< Beams that led nowhere
    int64_t m_nActive{0};                       //!< Pairs that have frames
    uint32_t m_nSetting{0};                     //!< Switches that are being set
    int64_t m_nStuck{0};                        //!< Active pairs without a path
    TracedCallback<uint32_t, uint32_t, uint32_t> m_collisionTrace; //!< Light meets other light
    TracedCallback<uint32_t, uint32_t> m_lightLostTrace;           //!< Light leads nowhere
};

} // namespace lightpath
} // namespace ns3

#endif /* WSS_GRID_CHANNEL_H */
