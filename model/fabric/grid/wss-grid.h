/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WSS_GRID_H
#define WSS_GRID_H

#include "wavelength-map.h"
#include "wss-grid-geometry.h"

#include "ns3/agenda.h"
#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The light in a grid of ports with a passive wavelength-selective switch for each row and
 * each column, as plain computation on an Agenda: what WssGridChannel does in a simulation, and a
 * price without one.
 *
 * Transmitter t of a member reaches receiver t of another member, by its wavelength and the
 * WavelengthMap of the switch. Light on an unrouted wavelength is lost. Two beams on one receiver
 * corrupt each other.
 *
 * The fabric is passive: the Controller of a port tunes its transmitters. A child class sends the
 * frames on the light.
 */
class WssGrid : public WssGridGeometry
{
  public:
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

    /// Times of the grid, ticks.
    struct Times
    {
        int64_t tuning{0};  //!< To tune a laser
        int64_t lock{0};    //!< From light to bits
        int64_t setting{0}; //!< To set a switch
        int64_t delay{0};   //!< From one port to another
    };

    /**
     * @param agenda when things happen; it must outlive this object
     */
    explicit WssGrid(Agenda& agenda);

    virtual ~WssGrid();

    /**
     * @return the times of the grid
     */
    virtual Times GetTimes() const = 0;

    /**
     * @param direction a direction
     * @return the rate of a transceiver at the switches of this direction, bit/s
     */
    virtual uint64_t GetLaneBitRate(Direction direction) const = 0;

    /**
     * @return the time from the call of Tune() to the first bit, ticks
     */
    int64_t GetTuneAndLock() const
    {
        const Times times = GetTimes();
        return times.tuning + times.lock;
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
     * @return true if they have no switch in common
     */
    bool AreApart(uint32_t source, uint32_t destination) const
    {
        return GetGroup(source, ROW) != GetGroup(destination, ROW) &&
               GetGroup(source, COLUMN) != GetGroup(destination, COLUMN);
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
     * Tune a transmitter and send by it. Light begins after the tuning time, bits after a further
     * lock time. A transmitter that is sending stops at once.
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
     * Route the light of a switch by a map after the setting time, during which the switch is dark.
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

  protected:
    /**
     * Have more ports.
     *
     * @param count their number
     */
    void AddPorts(uint32_t count);

    /// Switch off all transmitters that need a failed component, and notify all controllers.
    void ApplyChange();

    /// Let nothing happen any more.
    void Stop();

    /**
     * @param port a port
     * @return its controller; null if it has none
     */
    Controller* GetController(uint32_t port) const
    {
        return m_controllers[port];
    }

    /**
     * @return the number of pairs of ports with frames but without a path
     */
    int64_t GetNStuck() const
    {
        return m_nStuck;
    }

    /**
     * @return the number of switches that are being set
     */
    uint32_t GetNSetting() const
    {
        return m_nSetting;
    }

    /**
     * Ask for the fate of a frame that has been sent whole.
     *
     * @param source the port that has sent it
     * @param destination the port that it is for
     * @param [out] isLost whether a spoilt frame led to no receiver
     * @return true if it is spoilt
     */
    bool IsSpoilt(uint32_t source, uint32_t destination, bool& isLost);

  private:
    /// Handle the beginning of the tuning of a laser.
    virtual void NotifyTuning()
    {
    }

    /**
     * Handle light on which bits may be sent.
     *
     * @param port the port that it comes from
     * @param destination the port whose frames it carries
     * @param hop the port that it leads to; WavelengthMap::NONE if to none
     * @param direction the switch that it passes
     */
    virtual void NotifyOpen(uint32_t port,
                            uint32_t destination,
                            uint32_t hop,
                            Direction direction) = 0;

    /**
     * Handle the end of light on which bits could be sent.
     *
     * @param port the port that it came from
     * @param destination the port whose frames it carried
     */
    virtual void NotifyClosed(uint32_t port, uint32_t destination) = 0;

    /**
     * Handle light that leads to no receiver.
     *
     * @param port the port that it comes from
     * @param wavelength its wavelength
     */
    virtual void NotifyLightLost(uint32_t port, uint32_t wavelength)
    {
    }

    /**
     * Handle a collision of beams.
     *
     * @param receiver the port that they meet at
     * @param first the port of the first beam on the receiver
     * @param second the port of the beam that has come
     */
    virtual void NotifyCollision(uint32_t receiver, uint32_t first, uint32_t second)
    {
    }

    /**
     * @param port a port
     * @return the node of what happens there
     */
    virtual uint32_t GetNodeOf(uint32_t port) const
    {
        return Agenda::SAME_NODE;
    }

    /// The state of a transmitter.
    struct Beam
    {
        bool isLit{false};                    //!< There is light
        bool isOpen{false};                   //!< Bits may be sent
        uint32_t wavelength{0};               //!< The wavelength
        uint32_t destination{0};              //!< The port whose frames it carries
        uint32_t output{WavelengthMap::NONE}; //!< Index of the receiver that the light falls on
        int64_t since{0};                     //!< Since when there is light, ticks
        Ptr<EventImpl> next;                  //!< The end of tuning or locking
    };

    /// The light on a receiver.
    struct Light
    {
        std::vector<uint32_t> beams; //!< Indices of the transmitters whose light is on its way
        uint32_t last{0};            //!< The port whose light was the last to go out
        int64_t darkAt{0};           //!< When the last light to go out has passed, ticks
    };

    /// A switch.
    struct Switch
    {
        WavelengthMap map;      //!< Where it leads light
        Ptr<EventImpl> setting; //!< Until when it is being set; null if it is not
    };

    /**
     * @param port a port
     * @param direction one of its switches
     * @return this switch
     */
    const Switch& GetSwitch(uint32_t port, Direction direction) const
    {
        return m_switches[direction][GetGroup(port, direction)];
    }

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

    Agenda& m_agenda;                           //!< When things happen
    std::vector<Switch> m_switches[DIRECTIONS]; //!< The switches of the rows and of the columns
    std::vector<Beam> m_beams;                  //!< The states of the transmitters
    std::vector<Light> m_lights;                //!< The light on the receivers
    std::vector<Controller*> m_controllers;     //!< The controllers of the ports
    std::set<std::pair<uint32_t, uint32_t>> m_spoilt; //!< Pairs whose frame in progress is lost
    uint64_t m_nCollisions{0};                        //!< Collisions of beams
    uint64_t m_nLost{0};                              //!< Beams that led nowhere
    uint32_t m_nSetting{0};                           //!< Switches that are being set
    int64_t m_nStuck{0};                              //!< Active pairs without a path
};

} // namespace lightpath
} // namespace ns3

#endif /* WSS_GRID_H */
