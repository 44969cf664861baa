/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "component-table.h"

#include "component-data.h"
#include "model/base/json-document.h"
#include "model/workload/accelerator-file.h"

#include "ns3/microring-filter.h"
#include "ns3/optical-source.h"

#include <set>
#include <sstream>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The largest power or price.
constexpr double LARGEST_COST = 1e9;

/// The beginning of the names of GPUs.
constexpr const char* GPU_PREFIX = "gpu-";

/**
 * @param component the value of a component
 * @param key the key of a figure
 * @param [in,out] figure the figure, which is replaced if the component states it
 */
void
TakeFigure(const JsonValue& component,
           const std::string& key,
           std::optional<ComponentFigure>& figure)
{
    if (const auto value = component.Find(key))
    {
        constexpr uint64_t oldest = 1950;
        constexpr uint64_t latest = 2100;
        const auto& confidences = AcceleratorFile::GetConfidences();
        value->CheckKeys({"value", "year", "confidence", "source"});
        figure = ComponentFigure{value->Get("value").GetNumber(LARGEST_COST),
                                 static_cast<uint32_t>(value->Get("year").GetWhole(oldest, latest)),
                                 confidences[value->Get("confidence").GetWord(confidences)],
                                 value->Get("source").GetText()};
    }
}

} // namespace

ComponentTable::ComponentTable()
{
    std::istringstream text(GetComponentData());
    Take(text, "components.json", true);
    AddElements();
}

void
ComponentTable::AddElements()
{
    constexpr uint32_t year = 2026;
    const auto set = [this](const std::string& name, double watts, const std::string& source) {
        m_components[name].watts = ComponentFigure{watts, year, "derived", source};
    };
    set("laser",
        CreateObject<OpticalSource>()->GetElectricalPower(),
        "Power and Efficiency of OpticalSource");
    set("modulator-100g",
        CreateObject<OpticalModulator>()->GetBitEnergy() * 100e9,
        "BitEnergy of OpticalModulator");
    // Resonances lie anywhere in the free spectral range once the ring is made
    const auto ring = CreateObject<MicroringFilter>();
    set("micro-ring",
        ring->GetTuningPower(ring->GetFreeSpectralRange() / 2),
        "MicroringFilter, half of its free spectral range");
}

void
ComponentTable::ReadFile(const std::string& name)
{
    std::ifstream file = JsonDocument::Open(name);
    Read(file, name);
}

void
ComponentTable::Read(std::istream& input, const std::string& name)
{
    Take(input, name, false);
}

void
ComponentTable::Take(std::istream& input, const std::string& name, bool isOwn)
{
    std::set<std::string> taken;
    const auto take = [this, isOwn, &taken](const std::string&, const JsonValue& value) {
        value.CheckKeys({"name", "description", "watts", "price"});
        const std::string component = value.Get("name").GetText();
        if (!taken.insert(component).second)
        {
            value.Get("name").Fail("the file has this component twice");
        }
        if (!isOwn && component.rfind(GPU_PREFIX, 0) != 0 && Find(component) == nullptr)
        {
            std::string known;
            for (const auto& each : m_components)
            {
                known += (known.empty() ? "" : ", ") + each.first;
            }
            value.Get("name").Fail("there is no such component: the known ones are " + known +
                                   ", and GPUs are called gpu-NAME");
        }
        Component& entry = m_components[component];
        if (const auto description = value.Find("description"))
        {
            entry.description = description->GetText();
        }
        TakeFigure(value, "watts", entry.watts);
        TakeFigure(value, "price", entry.price);
    };
    const JsonDocument document(input, name, "lightpath-components", {"components"}, take);
    document.GetRoot().Get("components").GetSize();
}

const Component*
ComponentTable::Find(const std::string& name) const
{
    const auto found = m_components.find(name);
    return found == m_components.end() ? nullptr : &found->second;
}

const std::map<std::string, Component>&
ComponentTable::GetAll() const
{
    return m_components;
}

} // namespace lightpath
} // namespace ns3
