/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-tables.h"

#include "model/training/run/report-format.h"
#include "utilisation-meter.h"

#include "ns3/optical-channel.h"
#include "ns3/training-job.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Names of the kinds of tracks, by UtilisationMeter::Kind.
constexpr std::array<const char*, 4> TRACK_KINDS{"port-out", "port-in", "lightpath", "link"};

/**
 * @return the heads of the table of utilisation
 */
std::vector<std::string>
GetUseHeads()
{
    std::vector<std::string> heads{"fabric",
                                   "network",
                                   "kind",
                                   "name",
                                   "capacity_bps",
                                   "bytes",
                                   "mean_percent",
                                   "bin_s"};
    for (uint32_t bin = 0; bin < UtilisationMeter::N_BINS; ++bin)
    {
        heads.push_back("b" + std::to_string(bin));
    }
    return heads;
}

/**
 * @param number a number
 * @return it with 4 significant digits
 */
std::string
ToShortText(double number)
{
    std::ostringstream text;
    text << std::setprecision(4) << number;
    return text.str();
}

/**
 * @param job a job
 * @param meter has measured the networks
 * @return the indices of the networks that tell most: those of the job first
 */
std::vector<uint32_t>
SelectNetworks(const TrainingJob& job, const UtilisationMeter& meter)
{
    const auto fabrics = job.GetFabrics();
    std::vector<uint32_t> selected;
    for (const bool isOfJob : {true, false})
    {
        for (uint32_t index = 0; index < meter.GetNetworks().size(); ++index)
        {
            const auto& channel = meter.GetNetworks()[index].channel;
            const bool isListed =
                std::find(fabrics.begin(), fabrics.end(), channel) != fabrics.end();
            if (isListed == isOfJob && selected.size() < NetworkTables::MAX_NETWORKS)
            {
                selected.push_back(index);
            }
        }
    }
    return selected;
}

} // namespace

NetworkTables::NetworkTables()
    : m_networks({"fabric",
                  "network",
                  "ports",
                  "ports_per_cell",
                  "omitted",
                  "bytes",
                  "lightpaths",
                  "lanes"}),
      m_traffic({"fabric", "network", "source", "destination", "bytes", "lanes"}),
      m_utilisation(GetUseHeads())
{
}

void
NetworkTables::Add(const std::string& run,
                   TrainingJob& job,
                   const UtilisationMeter& meter,
                   double bandwidth)
{
    const auto& traffic = job.GetTraffic();
    const auto selected = SelectNetworks(job, meter);
    const auto fabrics = job.GetFabrics();
    // The plan tells more than the network only where ports are not GPUs
    if (fabrics.size() != 1 || fabrics.front()->GetNDevices() != traffic.GetSize())
    {
        Network plan{run, "plan", 0, traffic.GetSize(), 0, 0, {}};
        for (uint32_t source = 0; source < traffic.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : traffic.GetRow(source))
            {
                plan.cells[{source, destination}].bytes = bytes;
            }
        }
        AddMatrix(plan);
    }
    std::map<std::string, uint32_t> namesakes;
    for (const uint32_t index : selected)
    {
        const auto& measured = meter.GetNetworks()[index];
        Network network{run, measured.name, index, 0, measured.nUntracked, 0, {}};
        const auto isNamesake = [&](uint32_t other) {
            return meter.GetNetworks()[other].name == measured.name;
        };
        if (std::count_if(selected.begin(), selected.end(), isNamesake) > 1)
        {
            network.name += " " + std::to_string(namesakes[measured.name]++);
        }
        network.nPorts = measured.channel ? measured.channel->GetNDevices() : 0;
        for (const auto& [key, bytes] : measured.bytes)
        {
            const auto source = static_cast<uint32_t>(key >> 32);
            network.cells[{source, static_cast<uint32_t>(key)}].bytes = bytes;
        }
        if (const auto optical = DynamicCast<OpticalChannel>(measured.channel))
        {
            for (const auto& [pair, lanes] : optical->GetPlan().GetLightpaths())
            {
                network.cells[pair].lanes = lanes.size();
                ++network.nLightpaths;
            }
        }
        AddMatrix(network);
        for (uint32_t kind = 0; kind < TRACK_KINDS.size(); ++kind)
        {
            AddTracks(network, meter, kind, bandwidth);
        }
    }
}

void
NetworkTables::AddMatrix(const Network& network)
{
    const uint32_t size = std::max(1U, (network.nPorts + MAX_CELLS - 1) / MAX_CELLS);
    std::map<std::pair<uint32_t, uint32_t>, Cell> cells;
    Cell sum;
    for (const auto& [pair, cell] : network.cells)
    {
        auto& shared = cells[{pair.first / size * size, pair.second / size * size}];
        for (auto* const into : {&shared, &sum})
        {
            into->bytes += cell.bytes;
            into->lanes += cell.lanes;
        }
    }
    for (const auto& [pair, cell] : cells)
    {
        m_traffic.AddRow({network.run,
                          network.name,
                          std::to_string(pair.first),
                          std::to_string(pair.second),
                          std::to_string(cell.bytes),
                          std::to_string(cell.lanes)});
    }
    m_networks.AddRow({network.run,
                       network.name,
                       std::to_string(network.nPorts),
                       std::to_string(size),
                       std::to_string(network.nOmitted),
                       std::to_string(sum.bytes),
                       std::to_string(network.nLightpaths),
                       std::to_string(sum.lanes)});
}

void
NetworkTables::AddTracks(const Network& network,
                         const UtilisationMeter& meter,
                         uint32_t kind,
                         double bandwidth)
{
    std::vector<const UtilisationMeter::Track*> tracks;
    for (const auto& track : meter.GetTracks())
    {
        if (track.network == network.index && track.kind == kind && track.bytes > 0)
        {
            tracks.push_back(&track);
        }
    }
    const auto isBusier = [](const auto* a, const auto* b) { return a->bytes > b->bytes; };
    const auto isBefore = [](const auto* a, const auto* b) {
        return std::pair(a->source, a->destination) < std::pair(b->source, b->destination);
    };
    std::stable_sort(tracks.begin(), tracks.end(), isBusier);
    tracks.resize(std::min<std::size_t>(tracks.size(), MAX_ROWS));
    const auto shown = std::min<std::size_t>(tracks.size(), MAX_SERIES);
    std::stable_sort(tracks.begin(), tracks.begin() + shown, isBefore);
    const auto& bins = meter.GetBins();
    const double width = ToSeconds(bins.GetWidth());
    const double time = width * static_cast<double>(bins.GetNUsed());
    for (std::size_t i = 0; i < tracks.size(); ++i)
    {
        const auto& track = *tracks[i];
        const double rate = track.bitRate > 0 ? track.bitRate : bandwidth;
        const double used = static_cast<double>(track.bytes) * 8 / time;
        std::vector<std::string> row{network.run,
                                     network.name,
                                     TRACK_KINDS[kind],
                                     track.name,
                                     CsvTable::ToText(rate),
                                     std::to_string(track.bytes),
                                     ToShortText(rate > 0 ? 100 * used / rate : 0),
                                     CsvTable::ToText(width)};
        for (uint32_t bin = 0; bin < UtilisationMeter::N_BINS; ++bin)
        {
            const bool hasValue = i < shown && bin < bins.GetNUsed();
            const double bits = static_cast<double>(bins.GetRow(track.row)[bin]) * 8;
            row.push_back(hasValue ? ToShortText(bits / width / 1e9) : "");
        }
        m_utilisation.AddRow(std::move(row));
    }
}

const CsvTable&
NetworkTables::GetNetworks() const
{
    return m_networks;
}

const CsvTable&
NetworkTables::GetTraffic() const
{
    return m_traffic;
}

const CsvTable&
NetworkTables::GetUtilisation() const
{
    return m_utilisation;
}

} // namespace lightpath
} // namespace ns3
