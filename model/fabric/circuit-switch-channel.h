/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SWITCH_CHANNEL_H
#define CIRCUIT_SWITCH_CHANNEL_H

#include "optical-channel.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Parallel optical circuit switches, to each of which each device has one fibre.
 *
 * Each switch joins its input ports to its output ports, one to one: a device sends to one other
 * and receives from one other through each switch. The lane of a circuit is {switch, 0}: it takes
 * all wavelengths of the fibre. A pair of devices may be joined by several switches at once.
 */
class CircuitSwitchChannel : public OpticalChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CircuitSwitchChannel();
    ~CircuitSwitchChannel() override;

    /**
     * @return the number of switches
     */
    uint32_t GetNSwitches() const;

    Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const override;

  private:
    std::string DoCheck(const CircuitPlan& plan) const override;

    uint32_t m_nSwitches; //!< Number of switches
    double m_fibreLength; //!< Fibre between a device and a switch, in metres
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_CHANNEL_H */
