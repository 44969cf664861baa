/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_TABLES_H
#define NETWORK_TABLES_H

#include "csv-table.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

class TrainingJob;
class UtilisationMeter;

/**
 * @ingroup lightpath
 * @brief The tables of a ReportPage on the networks of jobs: traffic, circuits, utilisation.
 *
 * In matrices of many ports, neighbours share cells. Of many lightpaths, links or ports, only the
 * busiest have values over time.
 */
class NetworkTables
{
  public:
    NetworkTables();

    /**
     * Add the networks of a job: its fabrics first, then the others, MAX_NETWORKS in all.
     *
     * @param run the name of the job
     * @param job the job
     * @param meter has measured the networks
     * @param bandwidth the rate of ports whose rate is not known, bit/s
     */
    void Add(const std::string& run,
             TrainingJob& job,
             const UtilisationMeter& meter,
             double bandwidth);

    /**
     * @return fabric (the name of the job), network, ports, ports_per_cell, omitted (lightpaths
     *         without a track), bytes, lightpaths and lanes (at the end)
     */
    const CsvTable& GetNetworks() const;

    /**
     * @return fabric, network, source and destination (the first ports of a cell), bytes, lanes
     */
    const CsvTable& GetTraffic() const;

    /**
     * @return fabric, network, kind, name, capacity_bps, bytes, mean_percent, bin_s (width of a
     *         bin), b0 to b127 (Gb/s in each bin, empty behind the end and where they are left out)
     */
    const CsvTable& GetUtilisation() const;

    static constexpr uint32_t MAX_NETWORKS = 4; //!< Most networks of a job
    static constexpr uint32_t MAX_CELLS = 64;   //!< Most cells of a side of a matrix
    static constexpr uint32_t MAX_SERIES = 64;  //!< Most rows of a kind with values over time
    static constexpr uint32_t MAX_ROWS = 1024;  //!< Most rows of a kind

  private:
    /// Bytes and lanes.
    struct Cell
    {
        uint64_t bytes{0}; //!< Bytes
        uint64_t lanes{0}; //!< Lanes
    };

    /// A network of a job.
    struct Network
    {
        std::string run;         //!< Name of the job
        std::string name;        //!< Name of the network
        uint32_t index{0};       //!< Its index in the meter
        uint32_t nPorts{0};      //!< Number of its ports; 0 for none that form a matrix
        uint64_t nOmitted{0};    //!< Lightpaths without a track
        uint64_t nLightpaths{0}; //!< Lightpaths at the end
        /// Bytes and lanes by source and destination
        std::map<std::pair<uint32_t, uint32_t>, Cell> cells;
    };

    /**
     * @param network a network
     */
    void AddMatrix(const Network& network);

    /**
     * @param network a network
     * @param meter has measured it
     * @param kind a kind of tracks
     * @param bandwidth the rate of ports whose rate is not known, bit/s
     */
    void AddTracks(const Network& network,
                   const UtilisationMeter& meter,
                   uint32_t kind,
                   double bandwidth);

    CsvTable m_networks;    //!< The networks
    CsvTable m_traffic;     //!< Bytes and lanes between ports
    CsvTable m_utilisation; //!< Use of ports, lightpaths and links over time
};

} // namespace lightpath
} // namespace ns3

#endif /* NETWORK_TABLES_H */
