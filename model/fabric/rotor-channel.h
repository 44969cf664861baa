/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_CHANNEL_H
#define ROTOR_CHANNEL_H

#include "photonic-channel.h"
#include "rotor-clock.h"

#include "ns3/data-rate.h"

#include <cstdint>
#include <memory>
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
 * When a pair has light is a function of time that is known in advance (RotorClock). A device has
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
     * @return when there is light, as of the schedule, which must have been set
     */
    const RotorClock& GetClock() const;

    /**
     * @return the time of what has reached its destination until the rank there has it
     */
    Time GetMessageDelay() const
    {
        return m_messageDelay;
    }

    void NotifyActive(uint32_t source, uint32_t destination) override;
    std::vector<uint32_t> GetReachable(uint32_t source) const override;
    std::string GetFabricName() const override;
    FabricStatistics GetStatistics() const override;
    FabricPlant GetPlant() const override;
    std::string CheckTurns() const override;

  private:
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
    RotorClock m_clock;     //!< When there is light, once the schedule is known
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_CHANNEL_H */
