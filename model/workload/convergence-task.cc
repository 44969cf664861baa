/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "convergence-task.h"

#include "convergence-data.h"
#include "model/base/json-document.h"

#include <sstream>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most items, and units, that a figure has.
constexpr uint64_t MOST_ITEMS = 1000000000000;

/**
 * @param value a task in data/convergence.json
 * @return the task
 */
ConvergenceTask
ReadTask(const JsonValue& value)
{
    const auto number = [](const JsonValue& figure) { return figure.GetNumber(MOST_ITEMS); };
    const auto count = [](const JsonValue& figure) { return figure.GetWhole(1, MOST_ITEMS); };
    ConvergenceTask task;
    task.name = value.Get("name").GetText();
    task.target = value.Get("target").GetText();
    task.source = value.Get("source").GetText();
    task.item = value.Get("item").GetText();
    task.unit = value.Get("unit").GetText();
    if (const auto items = value.Find("itemsPerUnit"))
    {
        task.itemsPerUnit = count(*items);
    }
    if (const auto units = value.Find("unitsPerItem"))
    {
        task.unitsPerItem = count(*units);
    }
    if (const auto rows = value.Find("rows"))
    {
        for (std::size_t index = 0; index < rows->GetSize(); ++index)
        {
            const JsonValue row = rows->GetElement(index);
            const double least = number(row.GetElement(1));
            task.rows.push_back({count(row.GetElement(0)),
                                 least,
                                 row.GetSize() > 2 ? number(row.GetElement(2)) : least});
        }
        task.leastBatch = task.rows.front().batch;
        task.mostBatch = task.rows.back().batch;
    }
    else
    {
        task.leastBatch = count(value.Get("batches").GetElement(0));
        task.mostBatch = count(value.Get("batches").GetElement(1));
    }
    const JsonValue fit = value.Get("fit");
    task.fitData = number(fit.Get("data"));
    task.fitBatch = number(fit.Get("batch"));
    task.fitError = number(fit.Get("error"));
    task.fittedElsewhere = fit.Find("isElsewhere").has_value();
    return task;
}

} // namespace

const std::vector<ConvergenceTask>&
ConvergenceTask::GetAll()
{
    static const std::vector<ConvergenceTask> tasks = [] {
        std::istringstream text(GetConvergenceData());
        std::vector<ConvergenceTask> all;
        const auto take = [&all](const std::string&, const JsonValue& task) {
            all.push_back(ReadTask(task));
        };
        JsonDocument(text, "convergence.json", "lightpath-convergence", {"tasks"}, take);
        return all;
    }();
    return tasks;
}

} // namespace lightpath
} // namespace ns3
