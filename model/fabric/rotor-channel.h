/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_CHANNEL_H
#define ROTOR_CHANNEL_H

#include "periodic-schedule.h"
#include "photonic-channel.h"

#include "ns3/data-rate.h"
#include "ns3/light-window.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A fabric that follows a periodic schedule, whatever is sent: rotor switches, or tunable
 * lasers behind a grating.
 *
 * An uplink of a device keeps each configuration for a SlotTime, of which the first DarkTime is
 * dark. All uplinks turn at the same time; with Stagger one after the other, at even distances.
 *
 * When a pair has light is a function of time that is known in advance (GetWindow()). A device has
 * a rate to a port that it meets at all times, and its frames go out in the windows of the pair: a
 * slot costs no event, and a frame costs one, however many windows it takes.
 */
class RotorChannel : public PhotonicChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RotorChannel();
    ~RotorChannel() override;

    /**
     * Set the schedule, once all devices are attached. One that is not for as many ports as there
     * are, or that joins a pair twice in a cycle, ends the program.
     *
     * @param schedule the schedule
     */
    void SetSchedule(std::shared_ptr<const PeriodicSchedule> schedule);

    /**
     * @return the schedule, which must have been set
     */
    const PeriodicSchedule& GetSchedule() const;

    /**
     * @param source a port
     * @param destination another port
     * @return when there is light from one to the other; nothing if they never meet
     */
    std::optional<LightWindow> GetWindow(uint32_t source, uint32_t destination) const;

    /**
     * @return the rate of an uplink
     */
    DataRate GetUplinkRate() const
    {
        return m_uplinkRate;
    }

    /**
     * @param light a time with light
     * @return the whole bytes that an uplink sends in it
     */
    uint64_t GetBytes(Time light) const;

    /**
     * @return the time that an uplink keeps a configuration, with the darkness at its beginning
     */
    Time GetSlotTime() const
    {
        return m_slotTime;
    }

    /**
     * @return the time for which an uplink is dark at the beginning of a slot
     */
    Time GetDarkTime() const
    {
        return m_darkTime;
    }

    /**
     * @return the time of what has reached its destination until the rank there has it
     */
    Time GetMessageDelay() const
    {
        return m_messageDelay;
    }

    /**
     * @return the time after which the schedule repeats
     */
    Time GetCycle() const;

    /**
     * @param uplink an uplink
     * @param now a time, 0 or later
     * @return the slot that it is in, dark or not
     */
    uint32_t GetSlot(uint32_t uplink, Time now) const;

    /**
     * @param uplink an uplink
     * @param now a time
     * @return when its light comes up next: now, or later
     */
    Time GetNextLight(uint32_t uplink, Time now) const;

    void NotifyActive(uint32_t source, uint32_t destination) override;
    std::vector<uint32_t> GetReachable(uint32_t source) const override;
    std::string GetFabricName() const override;
    FabricStatistics GetStatistics() const override;
    FabricPlant GetPlant() const override;
    std::string CheckTurns() const override;

  private:
    /**
     * @param uplink an uplink
     * @return when its slot 0 begins, modulo a cycle
     */
    Time GetOffset(uint32_t uplink) const;

    OpticalPath MakePath(uint32_t hops, uint32_t nPorts) const override;
    bool HasTurned() const override;
    DataRate GetWavelengthRate() const override;

    DataRate m_uplinkRate;  //!< Rate of an uplink
    Time m_slotTime;        //!< Time that an uplink keeps a configuration
    Time m_darkTime;        //!< The dark part of it
    bool m_stagger;         //!< Whether uplinks turn one after the other
    double m_fibreLength;   //!< Fibre between a device and a switch, m
    Time m_delay;           //!< Delay beyond that of the fibres
    Time m_messageDelay;    //!< Time at the destination beyond that
    std::string m_kind;     //!< Kind of optical switch
    uint32_t m_switchPorts; //!< Ports of a switch; 0 for all devices
    std::string m_name;     //!< Name of the fabric
    DataRate m_wavelength;  //!< Rate of a wavelength
    std::shared_ptr<const PeriodicSchedule> m_schedule; //!< The schedule
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_CHANNEL_H */
