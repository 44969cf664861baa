/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-averager.h"

#include "constructive-network.h"
#include "model/base/lightpath-compatibility.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(NetworkAverager);

TypeId
NetworkAverager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::NetworkAverager")
            .SetParent<WordAverager>()
            .SetGroupName("Lightpath")
            .AddConstructor<NetworkAverager>()
            .AddAttribute(
                "Kind",
                "Source of the weights: Constructive (computed from the rule of averaging) or "
                "Trained.",
                EnumValue(TRAINED),
                MakeEnumAccessorFor<Kind>(0, &NetworkAverager::m_kind),
                MakeEnumChecker(CONSTRUCTIVE, "Constructive", TRAINED, "Trained"))
            .AddAttribute(
                "Form",
                "Form of trained weights where no file is named: Svd or Blocks.",
                EnumValue(NetworkWeights::BLOCKS),
                MakeEnumAccessorFor<NetworkWeights::Form>(0, &NetworkAverager::m_form),
                MakeEnumChecker(NetworkWeights::SVD, "Svd", NetworkWeights::BLOCKS, "Blocks"))
            .AddAttribute(
                "WeightsFile",
                "File of trained weights; empty for the weights of the module for 4 servers "
                "and 8 bits.",
                StringValue(""),
                MakeStringAccessor(&NetworkAverager::m_weightsFile),
                MakeStringChecker())
            .AddAttribute("OnMesh",
                          "Whether meshes of interferometers realise the weights.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&NetworkAverager::m_onMesh),
                          MakeBooleanChecker())
            .AddAttribute(
                "Arrangement",
                "Arrangement of the interferometers of a mesh: Clements (rectangle) or Reck "
                "(triangle).",
                EnumValue(MziMesh::CLEMENTS),
                MakeEnumAccessorFor<MziMesh::Arrangement>(0, &NetworkAverager::m_arrangement),
                MakeEnumChecker(MziMesh::CLEMENTS, "Clements", MziMesh::RECK, "Reck"))
            .AddAttribute(
                "Imperfections",
                "Deviations of real interferometers and detectors from the computed ones; "
                "null for none.",
                PointerValue(),
                MakePointerAccessor(&NetworkAverager::m_imperfections),
                MakePointerChecker<MeshImperfections>());
    return tid;
}

void
NetworkAverager::DoDispose()
{
    m_imperfections = nullptr;
    m_network.reset();
    WordAverager::DoDispose();
}

NetworkWeights
NetworkAverager::GetWeights() const
{
    const std::string words =
        std::to_string(GetNServers()) + " servers and " + std::to_string(GetBits()) + " bits";
    if (m_kind == CONSTRUCTIVE)
    {
        return MakeConstructiveNetwork(GetNServers(), GetBits());
    }
    if (m_weightsFile.empty() && (GetNServers() != 4 || GetBits() != 8))
    {
        throw std::invalid_argument("There are no trained weights for " + words +
                                    ": train some with utils/optinc-train and name their file in "
                                    "the attribute WeightsFile");
    }
    const std::string shipped = std::string(LIGHTPATH_DATA_DIR) + "/optinc-4x8-" +
                                (m_form == NetworkWeights::BLOCKS ? "blocks" : "svd") + ".weights";
    NetworkWeights weights = NetworkWeights::Read(m_weightsFile.empty() ? shipped : m_weightsFile);
    if (weights.servers != GetNServers() || weights.bits != GetBits() ||
        weights.layers.front().weights.GetNColumns() != GetNDigits() ||
        weights.layers.back().bias.size() != GetNDigits())
    {
        throw std::invalid_argument("The weights in '" + m_weightsFile + "' are not for " + words);
    }
    return weights;
}

void
NetworkAverager::Build() const
{
    if (m_network)
    {
        return;
    }
    m_network = std::make_unique<OpticalNeuralNetwork>(GetWeights());
    if (m_onMesh)
    {
        m_network->BuildMeshes(m_arrangement);
        if (m_imperfections)
        {
            m_network->Realise(*m_imperfections);
        }
    }
}

void
NetworkAverager::Realise()
{
    const bool isThere = static_cast<bool>(m_network);
    Build();
    if (isThere && m_onMesh && m_imperfections)
    {
        m_network->Realise(*m_imperfections);
    }
}

void
NetworkAverager::Average(const std::vector<const uint16_t*>& words,
                         std::size_t count,
                         uint16_t* average) const
{
    constexpr std::size_t atOnce = 4096;
    NS_ASSERT(words.size() == GetNServers());
    Build();
    const uint32_t digits = GetNDigits();
    std::vector<double> inputs;
    std::vector<double> outputs(std::min(atOnce, count) * digits);
    for (std::size_t begin = 0; begin < count; begin += atOnce)
    {
        const std::size_t size = std::min(atOnce, count - begin);
        inputs.assign(size * digits, 0);
        for (const uint16_t* word : words)
        {
            for (std::size_t i = 0; i < size * digits; ++i)
            {
                inputs[i] += word[begin + i / digits] >> (2 * (i % digits)) & 3;
            }
        }
        for (double& input : inputs)
        {
            input /= GetNServers();
        }
        m_network->Evaluate(size, inputs.data(), outputs.data());
        Detect(outputs, size, average + begin);
    }
}

void
NetworkAverager::Detect(const std::vector<double>& outputs,
                        std::size_t count,
                        uint16_t* average) const
{
    const bool isNoisy = !IsDeterministic();
    const uint32_t digits = GetNDigits();
    for (std::size_t i = 0; i < count; ++i)
    {
        uint32_t word = 0;
        for (uint32_t digit = 0; digit < digits; ++digit)
        {
            double level = outputs[i * digits + digit];
            level += isNoisy ? m_imperfections->DrawDetectorNoise() : 0;
            word |= static_cast<uint32_t>(std::lround(std::clamp(level, 0.0, 3.0))) << (2 * digit);
        }
        average[i] = static_cast<uint16_t>(word);
    }
}

bool
NetworkAverager::IsDeterministic() const
{
    return !m_imperfections || !m_imperfections->HasDetectorNoise();
}

uint32_t
NetworkAverager::GetNColumns() const
{
    return GetNetwork().GetNColumns();
}

uint32_t
NetworkAverager::GetNActivations() const
{
    return GetNetwork().GetNLayers();
}

const OpticalNeuralNetwork&
NetworkAverager::GetNetwork() const
{
    Build();
    return *m_network;
}

int64_t
NetworkAverager::AssignStreams(int64_t stream)
{
    return m_imperfections ? m_imperfections->AssignStreams(stream) : 0;
}

} // namespace lightpath
} // namespace ns3
