/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-speed-options.h"

#include "option-values.h"

#include "ns3/double.h"
#include "ns3/planner.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <sstream>
#include <stdexcept>

using namespace ns3;

void
RankSpeedOptions::AddTo(ProgramOptions& options)
{
    options.AddValue("slow", "Speeds of slow GPUs by port, like 3:0.5,7:0.9; others: 1", m_slow);
    options.AddValue("computeNoise",
                     "Random variable that multiplies compute times, drawn for each rank and "
                     "iteration, like ns3::UniformRandomVariable[Min=0.9|Max=1.1]",
                     m_noise);
}

std::map<uint32_t, double>
RankSpeedOptions::GetSpeeds() const
{
    std::map<uint32_t, double> speeds;
    for (const auto& text : SplitList(m_slow))
    {
        std::istringstream words(text);
        uint32_t rank = 0;
        char colon = 0;
        double speed = 0;
        const bool isRank = !text.empty() && text.front() >= '0' && text.front() <= '9';
        if (!isRank || !(words >> rank >> colon >> speed) || colon != ':' || !words.eof() ||
            speed < 1e-6 || speed > 1e6)
        {
            throw std::invalid_argument("'" + text +
                                        "' is not the speed of a rank: write RANK:FACTOR, like "
                                        "3:0.5, with a factor from 1e-6 to 1e6");
        }
        if (!speeds.emplace(rank, speed).second)
        {
            throw std::invalid_argument("--slow names rank " + std::to_string(rank) +
                                        " twice: give each rank one speed");
        }
    }
    return speeds;
}

void
RankSpeedOptions::Check(int64_t gpus) const
{
    for (const auto& rank : GetSpeeds())
    {
        if (rank.first >= gpus)
        {
            throw std::invalid_argument("--slow names rank " + std::to_string(rank.first) +
                                        ", but the ranks of " + std::to_string(gpus) +
                                        " GPUs end with " + std::to_string(gpus - 1));
        }
    }
    CheckNoise();
}

void
RankSpeedOptions::CheckNoise() const
{
    if (m_noise.empty())
    {
        return;
    }
    const std::string name = m_noise.substr(0, m_noise.find('['));
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name, &type) ||
        !type.IsChildOf(RandomVariableStream::GetTypeId()))
    {
        throw std::invalid_argument("--computeNoise=" + m_noise +
                                    " is not a random variable with its attributes: write it like "
                                    "ns3::NormalRandomVariable[Mean=1|Variance=0.0025|Bound=0.2]");
    }
    CheckObject(m_noise);
    if (type == EmpiricalRandomVariable::GetTypeId() ||
        type == DeterministicRandomVariable::GetTypeId())
    {
        throw std::invalid_argument("A " + name + " has values that --computeNoise cannot give");
    }
    // ns-3 draws until a value is within the bound
    const auto bound = m_noise.find("Bound=");
    if (bound != std::string::npos && std::stod(m_noise.substr(bound + 6)) <= 0)
    {
        throw std::invalid_argument("The Bound of --computeNoise=" + m_noise + " must be above 0");
    }
}

bool
RankSpeedOptions::AreGiven() const
{
    return !m_slow.empty() || !m_noise.empty();
}

void
RankSpeedOptions::Configure(lightpath::TrainingHelper& training) const
{
    if (!m_noise.empty())
    {
        training.SetApplicationAttribute("ComputeNoise", StringValue(m_noise));
    }
}

void
RankSpeedOptions::Apply(const ApplicationContainer& applications) const
{
    for (const auto& rank : GetSpeeds())
    {
        applications.Get(rank.first)->SetAttribute("SpeedFactor", DoubleValue(rank.second));
    }
    lightpath::TrainingHelper::AssignStreams(applications, 0);
}

void
RankSpeedOptions::Price(const lightpath::FabricLimits& fabric, lightpath::TrainingPlan& plan) const
{
    const auto speeds = GetSpeeds();
    if (speeds.empty())
    {
        return;
    }
    // Ranks of the simulation are those on the ports
    lightpath::TrainingPlan uneven = plan.OnPorts();
    for (const auto& [rank, speed] : speeds)
    {
        auto program = std::make_shared<lightpath::RankProgram>(*uneven.programs[rank]);
        program->ChangeTasks([factor = speed](lightpath::Task& task) { task.seconds /= factor; });
        uneven.programs[rank] = std::move(program);
    }
    lightpath::Planner::Price(fabric, uneven);
    plan.cost = uneven.cost;
    plan.predictedSeconds = uneven.predictedSeconds;
}
