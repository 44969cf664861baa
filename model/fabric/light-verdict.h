/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHT_VERDICT_H
#define LIGHT_VERDICT_H

#include "photonic-channel.h"

#include "ns3/ptr.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Whether the light of fabrics arrives with the components in use.
 */
struct LightVerdict
{
    /**
     * Judge another fabric by the lightpaths that it has carried.
     *
     * @param channel the fabric
     * @param turns whether its switches are going to turn while it is in use
     */
    void Judge(Ptr<const FabricChannel> channel, bool turns = false);

    /**
     * Take the verdict on other fabrics into account: the light of all arrives if that of each
     * does. The light is that of a fabric that fails if there is one, else that with the least
     * margin.
     *
     * @param other the other verdict
     */
    void Add(const LightVerdict& other);

    /**
     * @return "yes" if the light of the fabrics arrives with the components in use, or if they need
     *         none; "no: " and what fails first; "-" if it is not known
     */
    std::string GetFeasibility() const;

    /**
     * @param [out] json gets feasible (null if not known) and, if there is a PhysicalLayer, light
     * of the longest lightpath with hops, marginDb (null if no power is enough), amplifiers,
     *        switchStages and, if they are known, from, to, warning, fault and remedy
     */
    void AddTo(nlohmann::ordered_json& json) const;

    /**
     * Print the light of the longest lightpath, if it is known, as a sentence.
     *
     * @param os where to print
     * @param name the name of the fabric
     */
    void Print(std::ostream& os, const std::string& name) const;

    std::optional<LightReport> light;     //!< Least margin of the fabrics' longest lightpaths
    std::optional<bool> isFeasible{true}; //!< Whether their light arrives; none if not known
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHT_VERDICT_H */
