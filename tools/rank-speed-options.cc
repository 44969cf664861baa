/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-speed-options.h"

#include "option-values.h"

#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

using namespace ns3;

namespace
{

/**
 * Refuse a bad setting of an attribute of a random variable, at which ns-3 would end the program or
 * never end a draw.
 *
 * @param type the type of the random variable
 * @param setting the setting, like Name=Value
 */
void
CheckSetting(TypeId type, const std::string& setting)
{
    const auto equals = std::min(setting.find('='), setting.size());
    const std::string name = setting.substr(0, equals);
    TypeId::AttributeInformation attribute;
    if (equals < setting.size() && type.LookupAttributeByName(name, &attribute))
    {
        std::istringstream words(setting.substr(equals + 1));
        double value = 0;
        const bool isNumber = words >> value && words.eof();
        const std::string kind = attribute.checker->GetValueTypeName();
        if ((kind.find("Boolean") == std::string::npos && !isNumber) ||
            kind == "ns3::PointerValue" || (name == "Bound" && value <= 0))
        {
            throw std::invalid_argument("'" + setting.substr(equals + 1) +
                                        "' is no value of the attribute " + name + " of a " +
                                        type.GetName());
        }
    }
    ParseAttribute(type, setting);
}

} // namespace

void
RankSpeedOptions::AddTo(ProgramOptions& options)
{
    options.AddValue("slow", "Speeds of slow ranks, like 3:0.5,7:0.9; other ranks: 1", m_slow);
    options.AddValue("computeNoise",
                     "Random variable that multiplies compute times, drawn for each rank and "
                     "iteration, like ns3::NormalRandomVariable[Mean=1|Variance=0.0025|Bound=0.2]",
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
    const auto bracket = std::min(m_noise.find('['), m_noise.size());
    const std::string name = m_noise.substr(0, bracket);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name, &type) ||
        !type.IsChildOf(RandomVariableStream::GetTypeId()) || !type.HasConstructor() ||
        (bracket < m_noise.size() && m_noise.back() != ']'))
    {
        throw std::invalid_argument("--computeNoise=" + m_noise +
                                    " is not a random variable with its attributes: write it like "
                                    "ns3::NormalRandomVariable[Mean=1|Variance=0.0025|Bound=0.2]");
    }
    if (type == EmpiricalRandomVariable::GetTypeId() ||
        type == DeterministicRandomVariable::GetTypeId())
    {
        throw std::invalid_argument("A " + name + " has values that --computeNoise cannot give");
    }
    if (bracket == m_noise.size())
    {
        return;
    }
    std::istringstream settings(m_noise.substr(bracket + 1, m_noise.size() - bracket - 2));
    for (std::string setting; std::getline(settings, setting, '|');)
    {
        CheckSetting(type, setting);
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
