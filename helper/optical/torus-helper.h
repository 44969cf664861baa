/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TORUS_HELPER_H
#define TORUS_HELPER_H

#include "link-graph-helper.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a slice of a machine of cubes that circuit switches join to a torus, as those of
 * TPU v4 (Jouppi et al., ISCA 2023).
 *
 * A node has 6 links, two for each of the axes, with a sixth of its rate each. At first that is 360
 * Gb/s, the 45 GB/s of TPU v4 by J. Austin et al., "How to scale your model" (2025), and a link
 * takes 1 us, which is their latency of a hop. Nodes forward messages for others along the
 * shortest routes, all of them in equal parts unless SetRouting() chooses others.
 *
 * Circuits are set for the slice, before the job. A circuit switch, such as switch:ocs-2-15 for
 * axis 2 and position 15, or a link, such as link:gpu-0:gpu-1, can fail.
 */
class TorusHelper : public LinkGraphHelper
{
  public:
    TorusHelper();

    /**
     * @param shape the nodes along each axis, like 4x4x8; std::invalid_argument refuses other
     *        texts. Empty, as at first, for the slice that is nearest to a cube
     */
    void SetShape(const std::string& shape);

    /**
     * @param isTwisted whether the torus is twisted; not at first
     */
    void SetTwisted(bool isTwisted);

    /**
     * @param nNodes the number of nodes
     * @return the slice: links between nodes, the circuit switches of which are named
     */
    LinkGraph GetGraph(uint32_t nNodes) const override;

    std::string Check(uint32_t nNodes) const override;

    /**
     * @return the rate of a link
     */
    DataRate GetLinkRate() const;

  private:
    /**
     * @param nNodes the number of nodes
     * @return the nodes along each axis
     */
    std::array<uint32_t, 3> GetShape(uint32_t nNodes) const;

    std::array<uint32_t, 3> m_shape{}; //!< Nodes along each axis, or 0
    bool m_isTwisted{false};           //!< Whether the torus is twisted
};

} // namespace lightpath
} // namespace ns3

#endif /* TORUS_HELPER_H */
