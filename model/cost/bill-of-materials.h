/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BILL_OF_MATERIALS_H
#define BILL_OF_MATERIALS_H

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{
namespace lightpath
{

class OpticalSwitch;

/**
 * @ingroup lightpath
 * @brief The components that a network consists of, with their numbers.
 *
 * Names are those of a ComponentTable, and switch-optics-RATE, the optics in a port of an
 * electrical switch, which NetworkCost makes pluggable or co-packaged. Ports come at 100, 200, 400
 * and 800 Gb/s. A link has the fewest parallel ports that add up to its rate, and a share of one of
 * 100 Gb/s for the rest, so that no capacity counts that is not there: optics beside chips count by
 * their rate, too.
 */
class BillOfMaterials
{
  public:
    /// The beginning of the names of optics in ports of electrical switches.
    static inline const std::string SWITCH_OPTICS = "switch-optics";

    /**
     * @param component the name of a component
     * @param count the number of them to add, which need not be whole
     */
    void Add(const std::string& component, double count);

    /**
     * @param other components to add
     * @param times the number of times that they are added
     */
    void Add(const BillOfMaterials& other, double times = 1);

    /**
     * Add network cards, with a transceiver for each port.
     *
     * @param cards the number of cards
     * @param bitRate the rate of a card, bit/s
     */
    void AddCards(double cards, double bitRate);

    /**
     * Add transceivers that are not in cards.
     *
     * @param count the number of ports
     * @param bitRate the rate of a port, bit/s
     */
    void AddPluggables(double count, double bitRate);

    /**
     * Add an electrical switch that does not block, without the optics in its outer ports. A switch
     * with more ports than a chip of 51.2 Tb/s (Tomahawk 5) has is a folded Clos network: with L
     * levels of switches of r ports there are up to 2 (r/2)^L outer ports, each of which takes 2 L
     * - 1 ports of switches and L - 1 links between them.
     *
     * @param ports the number of outer ports
     * @param bitRate the rate of a port, bit/s
     * @param switches the number of such switches
     */
    void AddSwitch(uint64_t ports, double bitRate, double switches = 1);

    /**
     * @param ports the number of ports of electrical switches that get optics
     * @param bitRate the rate of a port, bit/s
     */
    void AddSwitchOptics(double ports, double bitRate);

    /**
     * Add a switch of light: one, or three stages of them (OpticalSwitch::GetStages()).
     * std::invalid_argument refuses more ports than these have.
     *
     * @param component the name of one of its ports
     * @param element the switch
     * @param ports the number of its outer ports, each with an input and an output
     * @param switches the number of such switches
     */
    void AddOpticalSwitch(const std::string& component,
                          const OpticalSwitch& element,
                          uint32_t ports,
                          double switches = 1);

    /**
     * Add transmitters and receivers beside chips: electronics, modulators and lasers.
     *
     * @param laser the name of the lasers
     * @param lasers the number of lasers
     * @param bitRate the sum of the rates of all transmitters, bit/s
     */
    void AddTransceivers(const std::string& laser, double lasers, double bitRate);

    /**
     * Add links inside servers.
     *
     * @param bitRate the sum of the rates of all links in one direction, bit/s
     */
    void AddScaleUpLinks(double bitRate);

    /**
     * @param component the name of a component
     * @return the number of them
     */
    double GetCount(const std::string& component) const;

    /**
     * @return the numbers of components by name
     */
    const std::map<std::string, double>& GetCounts() const;

  private:
    std::map<std::string, double> m_counts; //!< Numbers of components by name
};

} // namespace lightpath
} // namespace ns3

#endif /* BILL_OF_MATERIALS_H */
