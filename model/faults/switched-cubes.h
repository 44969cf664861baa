/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCHED_CUBES_H
#define SWITCHED_CUBES_H

#include "scale-up-domain.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Cubes of consecutive nodes, of which circuit switches join any to a larger torus, as those
 * of TPU v4 (Jouppi et al., ISCA 2023).
 *
 * A cube with a faulty node is lost. A job takes whole cubes, or shares one with other jobs if it
 * needs less than a cube. Nodes that do not make up a cube are lost.
 */
class SwitchedCubes : public ScaleUpDomain
{
  public:
    /**
     * @param cubeNodes nodes of a cube
     */
    explicit SwitchedCubes(uint32_t cubeNodes);

    uint32_t CountJobs(const std::vector<bool>& isFaulty, uint32_t jobNodes) const override;
    JobDistribution GetJobs(uint32_t nNodes, uint32_t jobNodes, double faulty) const override;

  private:
    /**
     * @param cubes healthy cubes
     * @param jobNodes the nodes that a job needs
     * @return the jobs that they have room for
     */
    uint32_t FitJobs(uint32_t cubes, uint32_t jobNodes) const;

    uint32_t m_cubeNodes; //!< Nodes of a cube
};

} // namespace lightpath
} // namespace ns3

#endif /* SWITCHED_CUBES_H */
