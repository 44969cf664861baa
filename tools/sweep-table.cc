/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep-table.h"

#include <numeric>
#include <utility>

using namespace ns3::lightpath;
using Json = nlohmann::ordered_json;

namespace
{

/// A column: its name, and where the JSON of a run has its value; or nowhere, if it is calculated.
using Column = std::pair<std::string, std::string>;

/// The columns of all tables, after the error.
const std::vector<Column> RESULTS{
    {"plan_replicas", "/plan/dataParallel"},
    {"plan_replica_gpus", ""},
    {"plan_tp", "/plan/tensorParallel"},
    {"plan_pp", "/plan/pipelineParallel"},
    {"plan_ep", "/plan/expertParallel"},
    {"plan_virtual_stages", "/plan/virtualStages"},
    {"plan_microbatches", "/plan/microbatches"},
    {"plan_recompute", "/plan/recomputation"},
    {"plan_sequence_parallel", "/plan/sequenceParallel"},
    {"plan_zero", "/plan/zeroStage"},
    {"plan_bucket_bytes", "/plan/bucketBytes"},
    {"plan_tensor_algorithm", "/plan/tensorAlgorithm"},
    {"plan_tensor_rings", "/plan/tensorRings"},
    {"plan_data_algorithm", "/plan/dataAlgorithm"},
    {"plan_data_rings", "/plan/dataRings"},
    {"plan_cuts", "/plan/cuts"},
    {"plan_degree", "/plan/degree"},
    {"plan_phase_circuits", "/plan/phaseCircuits"},
    {"plan_simulated_gpus", "/plan/simulatedGpus"},
    {"plan_memory_bytes", "/plan/memoryBytesPerGpu"},
    {"plan_parameter_bytes", "/plan/memory/parameterBytes"},
    {"plan_gradient_bytes", "/plan/memory/gradientBytes"},
    {"plan_optimizer_bytes", "/plan/memory/optimizerBytes"},
    {"plan_activation_bytes", "/plan/memory/activationBytes"},
    {"predicted_s", "/plan/predictedIterationSeconds"},
    {"iteration_s", ""},
    {"first_s", "/runs/0/iterationSeconds/0"},
    {"compute_s", "/runs/0/computeSeconds"},
    {"exposed_s", "/runs/0/exposedCommunicationSeconds"},
    {"dark_s", "/runs/0/darkSeconds"},
    {"reconfigurations", "/runs/0/reconfigurations"},
    {"lightpaths", "/runs/0/lightpaths"},
    {"sent_bytes", "/runs/0/bytesSent"},
    {"samples_per_s", ""},
    {"target", "/runs/0/toTarget/target"},
    {"target_extrapolated", "/runs/0/toTarget/extrapolated"},
    {"target_fitted", "/runs/0/toTarget/fitted"},
    {"samples_to_target", "/runs/0/toTarget/samples"},
    {"iterations_to_target", "/runs/0/toTarget/iterations"},
    {"to_target_s", "/runs/0/toTarget/seconds"},
    {"to_target_h", ""},
};

/// The columns of the lower bound.
const std::vector<Column> BOUND{
    {"bound_s", "/plan/bound/seconds"},
    {"bound_gap", "/plan/bound/gap"},
};

/// The columns of what the machine took.
const std::vector<Column> MEASURE{
    {"planning_wall_s", "/plan/planning/wallSeconds"},
    {"planning_peak_bytes", "/plan/planning/peakMemoryBytes"},
    {"simulation_events", "/runs/0/events"},
    {"simulation_wall_s", "/runs/0/wallSeconds"},
    {"simulation_peak_bytes", "/runs/0/peakMemoryBytes"},
};

/**
 * @param value a value of JSON
 * @return it as a field: numbers with all digits, lists with spaces between their items
 */
std::string
Format(const Json& value)
{
    if (value.is_null())
    {
        return "";
    }
    if (value.is_array())
    {
        std::string items;
        for (const auto& item : value)
        {
            items += (items.empty() ? "" : " ") + Format(item);
        }
        return items;
    }
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/**
 * @param json the JSON of a run
 * @param place where a value is
 * @return the value, null if there is none
 */
Json
Get(const Json& json, const std::string& place)
{
    const Json::json_pointer pointer(place);
    return json.contains(pointer) ? json.at(pointer) : Json();
}

/**
 * @param json the JSON of a run
 * @param place where a number is
 * @return the number, 0 if there is none
 */
double
GetNumber(const Json& json, const std::string& place)
{
    const Json value = Get(json, place);
    return value.is_number() ? value.get<double>() : 0;
}

/**
 * @param json the JSON of a run
 * @return the mean time of the iterations after the first, or that of the first if there is no
 *         other; 0 if none was simulated
 */
double
GetIterationSeconds(const Json& json)
{
    const Json times = Get(json, "/runs/0/iterationSeconds");
    if (!times.is_array() || times.empty())
    {
        return 0;
    }
    const auto all = times.get<std::vector<double>>();
    if (all.size() == 1)
    {
        return all.front();
    }
    return std::accumulate(all.begin() + 1, all.end(), 0.0) / (all.size() - 1);
}

/**
 * @param json the JSON of a run
 * @param name the name of a column that is calculated
 * @return its value, null if there is none
 */
Json
Calculate(const Json& json, const std::string& name)
{
    if (name == "plan_replica_gpus")
    {
        const Json parts = Get(json, "/plan/tensorParallel");
        const Json stages = Get(json, "/plan/pipelineParallel");
        const bool isKnown = parts.is_number_integer() && stages.is_number_integer();
        return isKnown ? Json(parts.get<int64_t>() * stages.get<int64_t>()) : Json();
    }
    if (name == "to_target_h")
    {
        const double seconds = GetNumber(json, "/runs/0/toTarget/seconds");
        return seconds > 0 ? Json(seconds / 3600) : Json();
    }
    const double seconds = GetIterationSeconds(json);
    if (!(seconds > 0))
    {
        return Json();
    }
    return name == "iteration_s" ? seconds : GetNumber(json, "/globalBatch") / seconds;
}

/**
 * @param columns which columns there are
 * @return those of results, in order
 */
std::vector<Column>
GetResults(const SweepTable::Columns& columns)
{
    auto all = RESULTS;
    if (columns.bound)
    {
        all.insert(all.end(), BOUND.begin(), BOUND.end());
    }
    if (columns.measure)
    {
        all.insert(all.end(), MEASURE.begin(), MEASURE.end());
    }
    return all;
}

} // namespace

SweepTable::SweepTable(const Columns& columns)
    : m_columns(columns),
      m_table(GetNames(columns))
{
}

std::vector<std::string>
SweepTable::GetNames(const Columns& columns)
{
    std::vector<std::string> names;
    if (columns.label)
    {
        names.emplace_back("sweep");
    }
    names.insert(names.end(), columns.options.begin(), columns.options.end());
    names.emplace_back("error");
    for (const auto& column : GetResults(columns))
    {
        names.push_back(column.first);
    }
    return names;
}

void
SweepTable::AddRow(const std::string& label, const SweepRun& run, const SweepResult& result)
{
    std::vector<std::string> fields;
    if (m_columns.label)
    {
        fields.push_back(label);
    }
    for (const auto& option : m_columns.options)
    {
        fields.push_back(run.GetValue(option));
    }
    fields.push_back(result.refusal);
    for (const auto& [name, place] : GetResults(m_columns))
    {
        fields.push_back(
            Format(place.empty() ? Calculate(result.result, name) : Get(result.result, place)));
    }
    m_table.AddRow(fields);
}

const CsvTable&
SweepTable::GetTable() const
{
    return m_table;
}
