/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_SWITCH_H
#define OPTICAL_SWITCH_H

#include "optical-element.h"

#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A switch of fibres or wavelengths.
 */
class OpticalSwitch : public OpticalElement
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @return the known kinds
     */
    static std::vector<std::string> GetKinds();

    /**
     * @param kind "mems" for mirrors, "piezo" for fibres that actuators move, "wss" for a
     *        wavelength-selective switch of liquid crystals, "awgr" for an arrayed waveguide
     *        grating router, "rotor" for a rotor switch; throws std::invalid_argument for anything
     *        else
     * @return a switch with the published values of its kind, but for attributes whose default is
     *         set (Config::SetDefault())
     */
    static Ptr<OpticalSwitch> Create(const std::string& kind);

    std::string GetName() const override;
    double GetLoss() const override;
    void Pass(OpticalSignal& signal) const override;

    /**
     * @return the number of ports of the largest switch of its kind
     */
    uint32_t GetPorts() const;

    /**
     * @return the number of wavelengths that it can route, if it is selective
     */
    uint32_t GetChannels() const;

    /**
     * @param time the time in which it is to turn
     * @return a sentence that switches of its kind turn slower; empty if they do not
     */
    [[nodiscard]] std::string CheckTurn(Time time) const;

    /**
     * @param ports the number of ports that are to be joined, each to any other
     * @return the number of stages of such switches: 1, or 3 in a Clos network; 0 if 3 are too few
     */
    uint32_t GetStages(uint32_t ports) const;

  private:
    std::string m_name;     //!< Name in tables
    double m_loss;          //!< Insertion loss, dB
    uint32_t m_ports;       //!< Number of ports of the largest one
    uint32_t m_channels;    //!< Wavelengths that it can route
    double m_crosstalk;     //!< Light of another port over that of this one, dB
    uint32_t m_interferers; //!< Ports whose light of the same wavelength leaks in
    bool m_isSelective;     //!< It separates the wavelengths of a fibre, each of which leaks
    Time m_switchingTime;   //!< Least time to turn
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_SWITCH_H */
