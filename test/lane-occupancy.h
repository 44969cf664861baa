/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_LANE_OCCUPANCY_H
#define LIGHTPATH_LANE_OCCUPANCY_H

#include "ns3/circuit-plan.h"
#include "ns3/ptr.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Tools of random scripts of failures.
namespace scripts
{

using namespace ns3;
using namespace ns3::lightpath;

constexpr uint32_t NODES = 4;       //!< Devices of each fabric
constexpr uint32_t FIBRES = 2;      //!< Fibres of a ring in each direction
constexpr uint32_t WAVELENGTHS = 3; //!< Wavelengths of a fibre
constexpr uint32_t SWITCHES = 3;    //!< Parallel circuit switches

/// The fabric of a script.
enum Kind
{
    RING,      //!< A ring that keeps wavelengths
    CONVERTER, //!< A ring that converts wavelengths
    SIMPLEX,   //!< Circuit switches
    DUPLEX,    //!< Circuit switches whose circuits come with the one back
};

/**
 * @param kind the kind of component
 * @param a its first index
 * @param b its second index
 * @return the name
 */
inline std::string
Name(const std::string& kind, uint32_t a, uint32_t b)
{
    return kind + ":" + std::to_string(a) + ":" + std::to_string(b);
}

/**
 * @ingroup lightpath-tests
 * @brief The components that lanes need and the places that they occupy, by name.
 */
class Occupancy
{
  public:
    /**
     * @param kind the fabric
     * @param failed the components that have failed, each one direction or one way
     */
    Occupancy(Kind kind, const std::set<std::string>& failed)
        : m_kind(kind),
          m_failed(failed)
    {
    }

    /**
     * Find the components and the places of a lane.
     *
     * @param pair the ports of a lightpath
     * @param lane a lane of it
     * @param [out] components the components
     * @param [out] places the places, with the lanes that fit in each
     */
    void Find(PortPair pair,
              Lane lane,
              std::vector<std::string>& components,
              std::map<std::string, uint32_t>& places) const
    {
        const auto [source, destination] = pair;
        if (m_kind == SIMPLEX || m_kind == DUPLEX)
        {
            components = {"switch:" + std::to_string(lane.fibre),
                          Name("input", lane.fibre, source),
                          Name("output", lane.fibre, destination)};
            places = {{components[1], 1}, {components[2], 1}};
            if (m_kind == DUPLEX)
            {
                components.push_back(Name("input", lane.fibre, destination));
                components.push_back(Name("output", lane.fibre, source));
            }
            return;
        }
        const std::string ring =
            ":" + std::to_string(lane.fibre) + ":" + std::to_string(lane.wavelength);
        components = {"fibre:" + std::to_string(lane.fibre),
                      Name("laser", source, lane.wavelength),
                      "micro-ring:" + std::to_string(source) + ring,
                      "micro-ring:" + std::to_string(destination) + ring};
        const bool clockwise = lane.fibre < FIBRES;
        const std::string side = clockwise ? ":cw" : ":ccw";
        uint32_t room = 1;
        if (m_kind == CONVERTER)
        {
            places["source " + std::to_string(source) + ring] = 1;
            room = 0;
            for (uint32_t fibre = clockwise ? 0 : FIBRES; fibre < (clockwise ? 1 : 2) * FIBRES;
                 ++fibre)
            {
                room += m_failed.count("fibre:" + std::to_string(fibre)) > 0 ? 0 : WAVELENGTHS;
            }
        }
        for (uint32_t node = source; node != destination;)
        {
            const uint32_t next = (node + (clockwise ? 1 : NODES - 1)) % NODES;
            const std::string segment = "segment:" + std::to_string(clockwise ? node : next) + side;
            components.push_back(segment);
            places[m_kind == CONVERTER ? segment : segment + ring] = room;
            node = next;
        }
    }

    /**
     * @param pair the ports of a lightpath
     * @param lane a lane of it
     * @return true if all components that it needs work
     */
    bool Works(PortPair pair, Lane lane) const
    {
        std::vector<std::string> components;
        std::map<std::string, uint32_t> places;
        Find(pair, lane, components, places);
        return std::none_of(components.begin(), components.end(), [this](const auto& component) {
            return m_failed.count(component) > 0;
        });
    }

    /**
     * Occupy the places of a lane.
     *
     * @param pair the ports of a lightpath
     * @param lane a lane of it
     * @return false if a place was full or a component does not work; nothing is occupied then
     */
    bool Add(PortPair pair, Lane lane)
    {
        std::vector<std::string> components;
        std::map<std::string, uint32_t> places;
        Find(pair, lane, components, places);
        const bool isFull = std::any_of(places.begin(), places.end(), [this](const auto& place) {
            return m_used[place.first] >= place.second;
        });
        if (isFull || !Works(pair, lane) || !m_lanes.insert({pair, lane}).second)
        {
            return false;
        }
        for (const auto& place : places)
        {
            ++m_used[place.first];
        }
        return true;
    }

    /**
     * @param plan a plan
     * @return true if all its lanes can be added, and on duplex switches each with the one back
     */
    bool AddAll(const CircuitPlan& plan)
    {
        bool fits = true;
        for (const auto& lightpath : plan.GetLightpaths())
        {
            const PortPair pair = lightpath.first;
            for (const auto& lane : lightpath.second)
            {
                const auto& back = plan.GetLanes(pair.second, pair.first);
                const bool isBack = std::find(back.begin(), back.end(), lane) != back.end();
                fits = fits && Add(pair, lane) && (isBack || m_kind != DUPLEX);
            }
        }
        return fits;
    }

  private:
    Kind m_kind;                                 //!< The fabric
    std::set<std::string> m_failed;              //!< Components that have failed
    std::map<std::string, uint32_t> m_used;      //!< Lanes in each place
    std::set<std::pair<PortPair, Lane>> m_lanes; //!< The lanes added
};

} // namespace scripts

#endif /* LIGHTPATH_LANE_OCCUPANCY_H */
