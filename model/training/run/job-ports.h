/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_PORTS_H
#define JOB_PORTS_H

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

class TrainingJob;

/**
 * @ingroup lightpath
 * @brief The ports of a fabric that the ranks of a job run on, if the job shares the fabric.
 */
class JobPorts
{
  public:
    /**
     * Throws std::invalid_argument if two ranks have the same port, or a port does not exist.
     *
     * @param ports the port of each rank
     * @param size the number of ports of the fabric
     */
    JobPorts(std::vector<uint32_t> ports, uint32_t size);

    /**
     * @param job a job
     * @return its ports; null if it does not share its fabric
     */
    static std::shared_ptr<const JobPorts> Find(const TrainingJob& job);

    /**
     * @param rank a rank
     * @return its port
     */
    uint32_t GetPort(uint32_t rank) const
    {
        return m_ports[rank];
    }

    /**
     * @param port a port of the job
     * @return its rank
     */
    uint32_t GetRank(uint32_t port) const
    {
        return m_ranks[port];
    }

    /**
     * @param traffic bytes by source and destination rank
     * @return the same bytes by source and destination port
     */
    TrafficMatrix ToPorts(const TrafficMatrix& traffic) const;

    /**
     * @return true if rank r runs on port r and all ports are taken
     */
    bool IsWholeFabric() const;

    /**
     * @param columns the columns of a grid, in whose rows the ports stand one after the other
     * @return true if the ports are all those in some rows and some columns of the grid
     */
    bool IsRectangle(uint32_t columns) const;

  private:
    /// The rank of a port that the job does not use.
    static constexpr uint32_t NONE = UINT32_MAX;

    std::vector<uint32_t> m_ports; //!< The port of each rank
    std::vector<uint32_t> m_ranks; //!< The rank on each port, or NONE
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_PORTS_H */
