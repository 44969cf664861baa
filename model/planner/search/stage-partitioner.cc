/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-partitioner.h"

#include "down-sets.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The best way on, by stages to come, down-set and GPUs to come.
 */
class StagePartitioner::Table
{
  public:
    /**
     * @param stages the number of stages to come at most; 0 if it does not count
     * @param sets the number of down-sets
     * @param gpus the number of GPUs
     */
    Table(uint32_t stages, std::size_t sets, uint32_t gpus)
        : m_stages(stages),
          m_sets(sets),
          m_gpus(gpus),
          m_cells((stages + 1) * sets * (gpus + 1), Cell{std::numeric_limits<double>::infinity()})
    {
        At(0, static_cast<uint32_t>(sets - 1), 0).seconds = 0;
    }

    /**
     * @param stages the number of stages to come, 0 if it does not count
     * @param set a down-set
     * @param gpus the GPUs to come
     * @return the best way on
     */
    Cell& At(uint32_t stages, uint32_t set, uint32_t gpus)
    {
        return m_cells[(stages * m_sets + set) * (m_gpus + 1) + gpus];
    }

    /**
     * @param stages the number of stages to come, 0 if it does not count
     * @param set a down-set
     * @param gpus the GPUs to come
     * @return the best way on
     */
    const Cell& At(uint32_t stages, uint32_t set, uint32_t gpus) const
    {
        return m_cells[(stages * m_sets + set) * (m_gpus + 1) + gpus];
    }

    /**
     * @return the number of stages to come at most; 0 if it does not count
     */
    uint32_t GetStages() const
    {
        return m_stages;
    }

  private:
    uint32_t m_stages;         //!< Most stages; 0 if they do not count
    std::size_t m_sets;        //!< Number of down-sets
    std::size_t m_gpus;        //!< Number of GPUs
    std::vector<Cell> m_cells; //!< The cells
};

StagePartitioner::StagePartitioner(const StageGraph& graph, std::size_t limit)
    : m_sets(std::make_unique<DownSets>(graph, limit))
{
    const auto& nodes = graph.GetNodes();
    if (nodes.empty())
    {
        throw std::invalid_argument("A graph without nodes has no stages: there must be one node "
                                    "at least");
    }
    for (const auto& set : m_sets->Get())
    {
        Sums sums;
        for (uint32_t node = 0; node < nodes.size(); ++node)
        {
            if (!set[node])
            {
                continue;
            }
            sums.seconds += nodes[node].seconds;
            sums.parameterBytes += nodes[node].parameterBytes;
            sums.stateBytes += nodes[node].stateBytes;
            sums.keptBytes += nodes[node].keptBytes;
            const auto& readers = graph.GetSuccessors(node);
            const bool isRead = std::any_of(readers.begin(), readers.end(), [&](uint32_t reader) {
                return !set[reader];
            });
            sums.crossingBytes += isRead ? nodes[node].outputBytes : 0;
        }
        m_sums.push_back(sums);
    }
}

StagePartitioner::~StagePartitioner() = default;

std::size_t
StagePartitioner::GetNDownSets() const
{
    return m_sums.size();
}

double
StagePartitioner::GetSeconds(uint32_t from,
                             uint32_t to,
                             uint32_t replicas,
                             const Settings& settings) const
{
    const double m = replicas;
    const double compute = m_sums[to].seconds - m_sums[from].seconds;
    if (settings.byteRate == 0)
    {
        return compute / m;
    }
    const double bytes = m_sums[to].parameterBytes - m_sums[from].parameterBytes;
    const double sync = 4 * (m - 1) * bytes / (settings.byteRate * m);
    const double work = settings.sync == AFTER ? compute + sync : std::max(compute, sync);
    const double crossing = std::max(m_sums[from].crossingBytes, m_sums[to].crossingBytes);
    return std::max(work / m, 2 * crossing / (settings.byteRate * m));
}

double
StagePartitioner::GetMemory(uint32_t from, uint32_t to, uint32_t replicas, uint32_t gpus) const
{
    const uint32_t microbatches = (gpus + replicas - 1) / replicas;
    return m_sums[to].stateBytes - m_sums[from].stateBytes +
           (m_sums[to].keptBytes - m_sums[from].keptBytes) * microbatches;
}

void
StagePartitioner::Check(const Settings& settings) const
{
    if (settings.gpus == 0 || settings.stages > settings.gpus)
    {
        throw std::invalid_argument("Stages: " + std::to_string(settings.stages) +
                                    ", GPUs: " + std::to_string(settings.gpus) +
                                    ": each stage must have a GPU, and there must be one stage");
    }
    if (!(settings.byteRate >= 0) || !(settings.memoryBytes >= 0))
    {
        throw std::invalid_argument("The rate of a GPU, " + std::to_string(settings.byteRate) +
                                    " bytes/s, and its memory, " +
                                    std::to_string(settings.memoryBytes) +
                                    " bytes, must not be negative");
    }
}

void
StagePartitioner::Try(Table& table,
                      uint32_t from,
                      uint32_t to,
                      uint32_t replicas,
                      const Settings& settings,
                      double limit) const
{
    const double seconds = GetSeconds(from, to, replicas, settings);
    const uint32_t before = GetMinGpus(m_sums[from].seconds, limit);
    const uint32_t after = GetMinGpus(m_sums.back().seconds - m_sums[to].seconds, limit);
    if (seconds > limit || before > settings.gpus)
    {
        return;
    }
    const uint32_t stages = table.GetStages();
    for (uint32_t gpus = replicas + after; gpus <= settings.gpus - before; ++gpus)
    {
        if (settings.memoryBytes > 0 && GetMemory(from, to, replicas, gpus) > settings.memoryBytes)
        {
            break; // With more GPUs to come, more microbatches are on their way
        }
        for (uint32_t count = 0; count <= (stages == 0 ? 0 : stages - 1); ++count)
        {
            const double rest = table.At(count, to, gpus - replicas).seconds;
            Cell& cell = table.At(stages == 0 ? 0 : count + 1, from, gpus);
            if (std::max(seconds, rest) < cell.seconds)
            {
                cell = {std::max(seconds, rest), to, replicas};
            }
        }
    }
}

StagePartitioner::Partition
StagePartitioner::Search(const Settings& settings,
                         uint32_t least,
                         uint32_t most,
                         double limit) const
{
    const auto& sets = m_sets->Get();
    Table table(settings.stages, sets.size(), settings.gpus);
    for (auto from = static_cast<uint32_t>(sets.size() - 1); from-- > 0;)
    {
        for (auto to = static_cast<uint32_t>(sets.size()); --to > from;)
        {
            if (sets[from].is_subset_of(sets[to]) && sets[from] != sets[to])
            {
                for (uint32_t replicas = least; replicas <= most; ++replicas)
                {
                    Try(table, from, to, replicas, settings, limit);
                }
            }
        }
    }
    uint32_t best = settings.gpus;
    for (uint32_t gpus = settings.gpus; !settings.useAll && gpus > 0; --gpus)
    {
        if (table.At(settings.stages, 0, gpus).seconds < table.At(settings.stages, 0, best).seconds)
        {
            best = gpus;
        }
    }
    return GetPartition(table, settings, best);
}

StagePartitioner::Partition
StagePartitioner::Search(const Settings& settings, uint32_t least, uint32_t most) const
{
    // No stage is slower than all of the model on one GPU with all sums and messages
    double longest = m_sums.back().seconds;
    if (settings.byteRate > 0)
    {
        for (const auto& sums : m_sums)
        {
            longest = std::max(longest, 2 * sums.crossingBytes / settings.byteRate);
        }
        longest += 4 * m_sums.back().parameterBytes / settings.byteRate;
    }
    double limit = 1.25 * m_sums.back().seconds / settings.gpus;
    while (true)
    {
        Partition found = Search(settings, least, most, limit);
        if (!found.stages.empty() || limit >= longest)
        {
            return found;
        }
        limit = std::max({2 * limit, longest / 1024, std::numeric_limits<double>::min()});
        limit = limit >= longest ? std::numeric_limits<double>::infinity() : limit;
    }
}

uint32_t
StagePartitioner::GetMinGpus(double seconds, double limit)
{
    return limit > 0 ? static_cast<uint32_t>(std::min(seconds / limit * (1 - 1e-9), 4e9)) : 0;
}

StagePartitioner::Partition
StagePartitioner::GetPartition(const Table& table, const Settings& settings, uint32_t gpus) const
{
    const auto& sets = m_sets->Get();
    Partition partition;
    uint32_t from = 0;
    uint32_t stages = settings.stages;
    partition.seconds = table.At(stages, 0, gpus).seconds;
    if (partition.seconds == std::numeric_limits<double>::infinity())
    {
        return partition;
    }
    while (from + 1 < sets.size())
    {
        const Cell& cell = table.At(stages, from, gpus);
        Stage stage;
        const auto nodes = sets[cell.next] - sets[from];
        for (auto node = nodes.find_first(); node != DownSets::Set::npos;
             node = nodes.find_next(node))
        {
            stage.nodes.push_back(static_cast<uint32_t>(node));
        }
        stage.replicas = cell.replicas;
        stage.seconds = GetSeconds(from, cell.next, cell.replicas, settings);
        stage.memoryBytes = GetMemory(from, cell.next, cell.replicas, gpus);
        partition.stages.push_back(stage);
        from = cell.next;
        gpus -= cell.replicas;
        stages -= stages > 0 ? 1 : 0;
    }
    return partition;
}

StagePartitioner::Partition
StagePartitioner::Get(const Settings& settings) const
{
    Check(settings);
    const uint32_t most =
        settings.maxReplicas == 0 ? settings.gpus : std::min(settings.gpus, settings.maxReplicas);
    Partition best = settings.equalReplicas ? Partition() : Search(settings, 1, most);
    for (uint32_t replicas = 1; settings.equalReplicas && replicas <= most; ++replicas)
    {
        Partition found = Search(settings, replicas, replicas);
        if (best.stages.empty() || (!found.stages.empty() && found.seconds < best.seconds))
        {
            best = std::move(found);
        }
    }
    if (best.stages.empty())
    {
        const auto write = [](uint32_t value, const std::string& what) {
            return (value == 0 ? "" : std::to_string(value) + " ") + what;
        };
        throw std::invalid_argument(
            "A graph of " + std::to_string(m_sets->Get().back().size()) +
            " nodes cannot be cut into " + write(settings.stages, "stages") + " of at most " +
            std::to_string(most) + " GPUs each for " + std::to_string(settings.gpus) + " GPUs" +
            (settings.memoryBytes == 0
                 ? ""
                 : " of " + std::to_string(static_cast<uint64_t>(settings.memoryBytes)) +
                       " bytes each") +
            ": each stage must have a node and fit into its GPUs");
    }
    return best;
}

} // namespace lightpath
} // namespace ns3
