/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "convergence.h"

#include "model-zoo.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param row a row
 * @return the middle of the reported range
 */
double
GetMiddle(const ConvergenceTask::Row& row)
{
    return row.least == row.most ? row.least : (row.least + row.most) / 2;
}

/**
 * @param model the name of a model, with or without options
 * @param mayDiffer the options that may have any value
 * @return true if all other options have their usual values
 */
bool
IsUsual(const std::string& model, const std::set<std::string>& mayDiffer)
{
    const ModelOptions actual = ModelZoo::GetOptions(model);
    const ModelOptions usual = ModelZoo::GetOptions(actual.GetModel());
    for (const auto& option : usual.GetOptions())
    {
        if (mayDiffer.count(option.name) == 0 && actual.Get(option.name) != option.value)
        {
            return false;
        }
    }
    return true;
}

} // namespace

std::string
SamplesToTarget::GetBasis() const
{
    return extrapolated ? "extrapolated" : fitted ? "fitted" : "interpolated";
}

Convergence::Convergence(const ConvergenceTask& task, uint64_t itemsPerSample)
    : m_task(task),
      m_itemsPerSample(itemsPerSample)
{
}

std::vector<std::string>
Convergence::GetTasks()
{
    std::vector<std::string> names;
    for (const auto& task : ConvergenceTask::GetAll())
    {
        names.push_back(task.name);
    }
    return names;
}

Convergence
Convergence::Create(const std::string& task)
{
    std::string known;
    for (const auto& each : ConvergenceTask::GetAll())
    {
        if (each.name == task)
        {
            return Convergence(each, 1);
        }
        known += (known.empty() ? "" : ", ") + each.name;
    }
    throw std::invalid_argument("There is no convergence task \"" + task + "\"; known are " +
                                known);
}

std::optional<Convergence>
Convergence::FindForModel(const std::string& model)
{
    static const std::map<std::string, std::string> tasks = {
        {"bert-large", "bert-large"},
        {"dlrm", "dlrm"},
        {"gpt3-175b", "gpt3-175b"},
        {"resnet50", "resnet50"},
        {"transformer-big", "transformer-big"},
    };
    const auto found = tasks.find(model.substr(0, model.find(':')));
    if (found == tasks.end())
    {
        return std::nullopt;
    }
    const ModelOptions options = ModelZoo::GetOptions(model);
    Convergence convergence = Create(found->second);
    // Options that leave the samples to the target as published
    std::set<std::string> mayDiffer{"precision",
                                    "gradients",
                                    "parameters",
                                    "optimizer",
                                    "attention"};
    if (convergence.m_task.item == "tokens")
    {
        mayDiffer.insert("sequence");
        convergence.m_itemsPerSample = options.GetNumber("sequence");
    }
    if (!IsUsual(model, mayDiffer))
    {
        return std::nullopt;
    }
    return convergence;
}

const ConvergenceTask&
Convergence::GetTask() const
{
    return m_task;
}

uint64_t
Convergence::GetItemsPerSample() const
{
    return m_itemsPerSample;
}

double
Convergence::GetFit(double items) const
{
    return m_task.fitData * (1 + items / m_task.fitBatch);
}

double
Convergence::Interpolate(uint64_t items) const
{
    const auto above = std::lower_bound(
        m_task.rows.begin(),
        m_task.rows.end(),
        items,
        [](const ConvergenceTask::Row& row, uint64_t batch) { return row.batch < batch; });
    if (above->batch == items)
    {
        return GetMiddle(*above);
    }
    const auto below = above - 1;
    // Straight lines over the logarithm of the batch
    const double share = std::log(static_cast<double>(items) / below->batch) /
                         std::log(static_cast<double>(above->batch) / below->batch);
    return GetMiddle(*below) + share * (GetMiddle(*above) - GetMiddle(*below));
}

SamplesToTarget
Convergence::Get(uint64_t globalBatch) const
{
    if (globalBatch == 0)
    {
        throw std::invalid_argument("A global batch of 0 samples does not train " + m_task.name +
                                    ": it must be 1 or more");
    }
    if (globalBatch > MAX_BATCH / m_itemsPerSample)
    {
        throw std::invalid_argument("A global batch of " + std::to_string(globalBatch) +
                                    " samples is too large for the convergence of " + m_task.name +
                                    ": it may have " +
                                    std::to_string(MAX_BATCH / m_itemsPerSample));
    }
    const uint64_t items = globalBatch * m_itemsPerSample;
    SamplesToTarget result;
    result.target = m_task.target;
    result.unit = m_task.unit;
    result.extrapolated = items < m_task.leastBatch || items > m_task.mostBatch;
    result.fitted = result.extrapolated || m_task.rows.empty();
    result.amount = result.fitted ? GetFit(static_cast<double>(items)) : Interpolate(items);
    if (m_task.itemsPerUnit > 0)
    {
        const double samples = result.amount * static_cast<double>(m_task.itemsPerUnit) /
                               static_cast<double>(m_task.unitsPerItem * m_itemsPerSample);
        result.samples = static_cast<uint64_t>(std::ceil(samples));
        result.iterations = (result.samples + globalBatch - 1) / globalBatch;
    }
    return result;
}

} // namespace lightpath
} // namespace ns3
