/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "light-verdict.h"

#include "model/base/count-noun.h"

#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3
{
namespace lightpath
{

void
LightVerdict::Judge(Ptr<const FabricChannel> channel, bool turns)
{
    LightVerdict own;
    if (const auto photonic = DynamicCast<const PhotonicChannel>(channel))
    {
        own.light = photonic->GetLightReport();
        own.isFeasible = photonic->IsFeasible();
        if (turns && own.light)
        {
            own.light->turns = photonic->CheckTurns();
        }
    }
    Add(own);
}

void
LightVerdict::Add(const LightVerdict& other)
{
    const auto rank = [](const LightReport& report) {
        return std::make_pair(!report.fault, report.margin);
    };
    if (other.light && (!light || rank(*other.light) < rank(*light)))
    {
        light = other.light;
    }
    isFeasible = isFeasible == false || other.isFeasible == false ? false
                 : isFeasible && other.isFeasible                 ? isFeasible
                                                                  : std::nullopt;
}

std::string
LightVerdict::GetFeasibility() const
{
    if (!isFeasible)
    {
        return "-";
    }
    return *isFeasible ? "yes" : "no: " + light->fault->part;
}

void
LightVerdict::AddTo(nlohmann::ordered_json& json) const
{
    json["feasible"] = isFeasible ? nlohmann::ordered_json(*isFeasible) : nlohmann::ordered_json();
    if (!light)
    {
        return;
    }
    auto& own = json["light"];
    own = {{"hops", light->hops},
           {"marginDb",
            std::isinf(light->margin) ? nlohmann::ordered_json()
                                      : nlohmann::ordered_json(light->margin)},
           {"amplifiers", light->amplifiers},
           {"switchStages", light->stages}};
    if (light->averageErrorRate)
    {
        own = {{"averageErrorRate", *light->averageErrorRate}};
    }
    if (!light->turns.empty())
    {
        own["turns"] = light->turns;
    }
    if (light->ports)
    {
        own["from"] = light->ports->first;
        own["to"] = light->ports->second;
    }
    if (light->fault)
    {
        own["warning"] = light->fault->sentence;
        own["fault"] = light->fault->part;
        own["remedy"] = light->fault->remedy;
    }
}

void
LightVerdict::Print(std::ostream& os, const std::string& name) const
{
    if (!light)
    {
        return;
    }
    os << name << ": ";
    if (light->fault)
    {
        const auto& fault = *light->fault;
        os << "not feasible: " << fault.sentence
           << (fault.remedy.empty() ? "" : ". Feasible: " + fault.remedy) << "\n";
        return;
    }
    if (light->stages == 0 && light->ports)
    {
        os << "longest lightpath " << CountNoun(light->hops, "segment") << " (port "
           << light->ports->first << " to " << light->ports->second << "), ";
    }
    if (light->averageErrorRate)
    {
        os << "share of wrong averages " << std::defaultfloat << std::setprecision(2)
           << *light->averageErrorRate;
    }
    else
    {
        os << "margin of the light " << std::fixed << std::setprecision(1) << light->margin
           << " dB";
    }
    if (light->amplifiers > 0)
    {
        os << " with " << CountNoun(light->amplifiers, "amplifier");
    }
    if (light->stages > 1)
    {
        os << ". Too many ports for one switch: the light passes "
           << CountNoun(light->stages, "stage");
    }
    os << (light->turns.empty() ? "" : ". " + light->turns);
    os << "\n";
}

} // namespace lightpath
} // namespace ns3
