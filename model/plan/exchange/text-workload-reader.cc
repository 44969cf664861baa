/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-workload-reader.h"

#include "model/base/count-noun.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

TrainingPlan
TextWorkloadReader::Read(std::istream& is, const std::string& name, const TextSettings& settings)
{
    const auto workload = TextWorkload::Read(is, name);
    try
    {
        return TextWorkloadReader(workload, settings).MakePlan();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(name + ": " + error.what());
    }
}

TextWorkloadReader::TextWorkloadReader(const TextWorkload& workload, const TextSettings& settings)
    : m_workload(workload),
      m_settings(settings),
      m_isDlrm(workload.policy == TextPolicy::HYBRID_DLRM ||
               workload.policy == TextPolicy::HYBRID_DLRM_ENHANCED),
      m_parts(workload)
{
    uint64_t ranks = 1;
    for (const auto size : settings.dimensions)
    {
        ranks = std::min<uint64_t>(ranks * size, UINT32_MAX);
    }
    if (m_settings.ranks == 0)
    {
        m_settings.ranks =
            settings.dimensions.empty() ? workload.ranks : static_cast<uint32_t>(ranks);
    }
    if (m_settings.dimensions.empty())
    {
        m_settings.dimensions = {m_settings.ranks};
        ranks = m_settings.ranks;
    }
    if (ranks != m_settings.ranks || (workload.ranks > 0 && workload.ranks != m_settings.ranks))
    {
        throw std::invalid_argument(
            "the file, the dimensions and the number of GPUs disagree about "
            "the number of ranks (" +
            std::to_string(workload.ranks) + ", " + std::to_string(ranks) + ", " +
            std::to_string(m_settings.ranks) + "): give one of them");
    }
    CheckRanks();
    m_data = m_settings.ranks / workload.tensor / workload.pipeline;
    CheckWork();
    m_isGatherPart = settings.gatherSize == GatherSize::DIALECT
                         ? !workload.isSimAi
                         : settings.gatherSize == GatherSize::PART;
}

void
TextWorkloadReader::CheckRanks() const
{
    const uint64_t ranks = m_settings.ranks;
    if (ranks == 0)
    {
        throw std::invalid_argument(
            "the file does not tell the number of ranks: give the number of GPUs");
    }
    const uint64_t replica = uint64_t{m_workload.tensor} * m_workload.pipeline;
    if (ranks % replica != 0 || ranks / replica % m_workload.expert != 0)
    {
        throw std::invalid_argument(
            CountNoun(ranks, "rank") + " cannot form groups of " +
            std::to_string(m_workload.tensor) + " that share a layer, " +
            CountNoun(m_workload.pipeline, "stage") + " and groups of " +
            std::to_string(m_workload.expert) +
            " that share out experts: their product must divide the number of ranks");
    }
    const bool needsTwo =
        std::any_of(m_workload.layers.begin(), m_workload.layers.end(), [](const TextLayer& layer) {
            return layer.policy == TextPolicy::HYBRID_DATA_MODEL ||
                   layer.policy == TextPolicy::HYBRID_MODEL_DATA;
        });
    if (needsTwo && m_settings.dimensions.size() < 2)
    {
        throw std::invalid_argument("the policies HYBRID_DATA_MODEL and HYBRID_MODEL_DATA need two "
                                    "dimensions of ranks: give their sizes");
    }
}

void
TextWorkloadReader::CheckWork() const
{
    const auto check = [this](const std::string& what, uint32_t layer) {
        if (layer >= m_workload.layers.size())
        {
            throw std::invalid_argument(what + std::to_string(layer) + ", but the " +
                                        std::to_string(m_workload.layers.size()) +
                                        " layers are counted from 0");
        }
    };
    for (const auto* list : {&m_workload.checkpoints, &m_workload.initiators})
    {
        check("the checkpoints name layer ", list->empty() ? 0 : *list->rbegin());
    }
    check("the last bottom layer is layer ", m_isDlrm ? m_workload.lastBottomLayer : 0);
    // Keeps the number of tasks, and of operations between two ranks, in bounds
    constexpr uint64_t mostRows = 1'000'000;
    uint64_t rows = m_workload.layers.size();
    for (const auto layer : m_workload.initiators)
    {
        rows += layer - GetCheckpoint(layer);
    }
    // Each factor is at most 10^6; layers of microbatches that the file lists are there once
    const uint64_t parts = m_parts.GetNPieces() * m_workload.pipeline;
    if (m_parts.GetNParts() > mostRows || parts > mostRows || rows > mostRows ||
        parts * rows > mostRows)
    {
        throw std::invalid_argument(CountNoun(rows, "layer") + ", recomputed ones included, in " +
                                    CountNoun(parts, "part") +
                                    " of the batch over all stages are too many: " +
                                    std::to_string(mostRows) + " in all are possible");
    }
}

uint32_t
TextWorkloadReader::GetCheckpoint(uint32_t layer) const
{
    const auto next = m_workload.checkpoints.upper_bound(layer);
    return next == m_workload.checkpoints.begin() ? layer : *std::prev(next);
}

TextWorkloadReader::Digits
TextWorkloadReader::GetDimensions(std::size_t from, std::size_t to) const
{
    Digits digits;
    uint32_t stride = 1;
    for (std::size_t i = 0; i < m_settings.dimensions.size(); ++i)
    {
        if (i >= from && i < to && m_settings.dimensions[i] > 1)
        {
            digits.emplace_back(stride, m_settings.dimensions[i]);
        }
        stride *= m_settings.dimensions[i];
    }
    return digits;
}

TextWorkloadReader::Digits
TextWorkloadReader::GetDigits(const TextLayer& layer, const TextPass& pass, bool isWeights) const
{
    const uint32_t tensor = m_workload.tensor;
    const uint32_t expert = m_workload.expert;
    switch (pass.group)
    {
    case TextGroup::EXPERT:
        return {{tensor, expert}};
    case TextGroup::EXPERT_DATA:
        return {{tensor * expert, m_data / expert}};
    default:
        break;
    }
    const std::size_t all = m_settings.dimensions.size();
    switch (layer.policy)
    {
    case TextPolicy::MODEL:
    case TextPolicy::DISTRIBUTED_INFERENCE:
        return GetDimensions(0, isWeights ? 0 : all);
    case TextPolicy::HYBRID_DATA_MODEL:
        return GetDimensions(isWeights ? 1 : 0, isWeights ? all : 1);
    case TextPolicy::HYBRID_MODEL_DATA:
        return GetDimensions(isWeights ? 0 : 1, isWeights ? 1 : all);
    case TextPolicy::HYBRID_TRANSFORMER:
    case TextPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD:
        return isWeights ? Digits{{tensor, m_data}} : Digits{{1, tensor}};
    default:
        // Of data parallelism, and of the exchange of DLRM
        return GetDimensions(0, isWeights || m_isDlrm ? all : 0);
    }
}

uint32_t
TextWorkloadReader::FindKind(const Digits& digits, uint32_t kind)
{
    const auto [known, isNew] = m_kinds.try_emplace({kind, digits}, kind);
    if (!isNew)
    {
        return known->second;
    }
    auto& groups = m_plan.groups;
    if (kind == N_GROUP_KINDS || (groups.size() > kind && !groups[kind].GetMembers(0).empty()))
    {
        kind = std::max<uint32_t>(N_GROUP_KINDS, static_cast<uint32_t>(groups.size()));
    }
    groups.resize(std::max<std::size_t>(groups.size(), kind + 1));
    for (uint32_t rank = 0; rank < m_settings.ranks; ++rank)
    {
        // The first member has zero for all these parts of its number
        const bool isFirst = std::all_of(digits.begin(), digits.end(), [rank](const auto& digit) {
            return rank / digit.first % digit.second == 0;
        });
        if (!isFirst)
        {
            continue;
        }
        std::vector<uint32_t> members{rank};
        for (const auto& [stride, size] : digits)
        {
            const std::size_t before = members.size();
            for (std::size_t i = before; i < before * size; ++i)
            {
                members.push_back(members[i - before] + stride);
            }
        }
        groups[kind].Add(std::move(members));
    }
    known->second = kind;
    return kind;
}

TrainingPlan
TextWorkloadReader::MakePlan()
{
    const uint32_t stageRanks = m_settings.ranks / m_workload.pipeline;
    for (uint32_t stage = 0; stage < m_workload.pipeline; ++stage)
    {
        const auto program = MakeProgram(stage);
        m_plan.programs.insert(m_plan.programs.end(), stageRanks, program);
    }
    m_plan.strategy.tensorParallel = m_workload.tensor;
    m_plan.strategy.dataParallel = m_data;
    m_plan.strategy.pipelineParallel = m_workload.pipeline;
    m_plan.strategy.expertParallel = m_workload.expert;
    m_plan.workload = m_parts.Describe();
    if (m_workload.Has(chakra::ALL_GATHER))
    {
        m_plan.workload += m_plan.workload.empty() ? "" : ", ";
        m_plan.workload += "sizes of ALLGATHER are what each rank ";
        m_plan.workload += m_isGatherPart ? "has before" : "ends with";
    }
    return std::move(m_plan);
}

std::shared_ptr<const RankProgram>
TextWorkloadReader::MakeProgram(uint32_t stage)
{
    m_program = std::make_shared<RankProgram>();
    m_last.clear();
    m_operations.clear();
    if (m_workload.policy == TextPolicy::MICRO)
    {
        for (const auto& layer : m_workload.layers)
        {
            AddCollective(layer, layer.weightGradient, true, {});
        }
        return m_program;
    }
    for (uint32_t part = 0; part < m_parts.GetNParts(); ++part)
    {
        WriteForward(part, stage);
    }
    for (uint32_t part = 0; part < m_parts.GetNParts(); ++part)
    {
        if (m_workload.policy != TextPolicy::DISTRIBUTED_INFERENCE)
        {
            WriteBackward(part, stage);
        }
    }
    return m_program;
}

void
TextWorkloadReader::WriteForward(uint32_t part, uint32_t stage)
{
    if (part == 0)
    {
        WriteForward(m_parts.GetBefore());
    }
    if (stage > 0)
    {
        AddMessage(TaskKind::RECEIVE, stage - 1, part);
    }
    WriteForward(m_parts.GetPiece(part));
    if (stage + 1 < m_workload.pipeline)
    {
        AddMessage(TaskKind::SEND, stage + 1, part);
    }
    if (part + 1 == m_parts.GetNParts())
    {
        WriteForward(m_parts.GetBehind());
    }
}

void
TextWorkloadReader::WriteForward(const Piece& piece)
{
    for (uint32_t i = piece.begin; i < piece.end; ++i)
    {
        const auto& layer = m_workload.layers[i];
        AddCompute(layer.name, Pass::FORWARD, layer.forward.seconds / piece.of);
        const uint32_t task = AddCollective(layer, layer.forward, false, piece);
        if (m_isDlrm && task != NOTHING)
        {
            m_exchanges.push_back(task);
        }
        else
        {
            WaitFor(task);
        }
        // The layers behind the last bottom one need what has been exchanged
        if (m_isDlrm && i == m_workload.lastBottomLayer)
        {
            m_last.insert(m_last.end(), m_exchanges.begin(), m_exchanges.end());
            m_exchanges.clear();
        }
    }
}

void
TextWorkloadReader::WriteBackward(uint32_t part, uint32_t stage)
{
    if (part == 0)
    {
        WriteBackward(m_parts.GetBehind());
    }
    if (stage + 1 < m_workload.pipeline)
    {
        AddMessage(TaskKind::RECEIVE, stage + 1, part);
    }
    WriteBackward(m_parts.GetPiece(part));
    if (stage > 0)
    {
        AddMessage(TaskKind::SEND, stage - 1, part);
    }
    if (part + 1 == m_parts.GetNParts())
    {
        WriteBackward(m_parts.GetBefore());
    }
}

void
TextWorkloadReader::WriteBackward(const Piece& piece)
{
    const auto last = static_cast<uint32_t>(m_workload.layers.size() - 1);
    uint32_t exchange = NOTHING;
    for (auto i = piece.end; i-- > piece.begin;)
    {
        const auto& layer = m_workload.layers[i];
        Recompute(i, piece);
        if (m_isDlrm && i == 0)
        {
            WaitFor(exchange);
        }
        WriteWeights(i, piece);
        AddCompute(layer.name, Pass::BACKWARD, layer.inputGradient.seconds / piece.of);
        if (!m_isDlrm)
        {
            WaitFor(AddCollective(layer, layer.inputGradient, false, piece));
        }
        else if (i == std::min(m_workload.lastBottomLayer + 1, last))
        {
            // The exchange for the tables behind layer 0 goes on while the bottom layers compute
            const auto& first = m_workload.layers.front();
            exchange = AddCollective(first, first.inputGradient, false, piece);
        }
    }
}

void
TextWorkloadReader::Recompute(uint32_t layer, const Piece& piece)
{
    if (m_workload.initiators.count(layer) == 0)
    {
        return;
    }
    for (uint32_t i = GetCheckpoint(layer); i < layer; ++i)
    {
        const auto& other = m_workload.layers[i];
        AddCompute(other.name + ".again", Pass::BACKWARD, other.forward.seconds / piece.of);
        WaitFor(AddCollective(other, other.forward, false, piece));
    }
}

void
TextWorkloadReader::WriteWeights(uint32_t layer, const Piece& piece)
{
    const auto& what = m_workload.layers[layer];
    AddCompute(what.name, Pass::BACKWARD, what.weightGradient.seconds / piece.of);
    if (piece.index + 1 < piece.of)
    {
        return;
    }
    const auto last = m_last;
    const uint32_t sum = AddCollective(what, what.weightGradient, true, {});
    // The update waits for the sum, and nothing for the update
    m_last = sum == NOTHING ? last : std::vector<uint32_t>{sum};
    AddCompute(what.name, Pass::UPDATE, what.updateSeconds);
    m_last = last;
}

void
TextWorkloadReader::AddCompute(const std::string& name, Pass pass, double seconds)
{
    if (seconds > 0)
    {
        Task task;
        task.pass = pass;
        task.name = name;
        task.seconds = seconds;
        m_last = {m_program->AddTask(std::move(task), m_last)};
    }
}

uint32_t
TextWorkloadReader::AddCollective(const TextLayer& layer,
                                  const TextPass& pass,
                                  bool isWeights,
                                  const Piece& piece)
{
    const Digits digits = GetDigits(layer, pass, isWeights);
    uint64_t members = 1;
    for (const auto& digit : digits)
    {
        members *= digit.second;
    }
    const bool isEmpty = pass.bytes == 0 && pass.collective != chakra::BARRIER;
    if (!pass.collective || isEmpty || members < 2)
    {
        return NOTHING;
    }
    const uint32_t kinds[] = {isWeights ? DATA_GROUP : TENSOR_GROUP,
                              EXPERT_GROUP,
                              EXPERT_DATA_GROUP};
    const bool isCustom = m_workload.policy == TextPolicy::HYBRID_CUSTOMIZED;
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.pass = &pass == &layer.forward ? Pass::FORWARD : Pass::BACKWARD;
    task.name = layer.name;
    task.group =
        FindKind(digits,
                 isCustom ? uint32_t{N_GROUP_KINDS} : kinds[static_cast<std::size_t>(pass.group)]);
    task.operation = m_operations[task.group]++;
    task.collective = TraceCollective::GetKind(*pass.collective);
    // Whole bytes, whose sum is that of the batch
    const uint64_t rest = pass.bytes % piece.of;
    task.bytes = pass.bytes / piece.of +
                 (rest * (piece.index + 1) / piece.of - rest * piece.index / piece.of);
    // ASTRA-sim states what a rank has before an all-gather, SimAI what it has afterwards
    if (m_isGatherPart || *pass.collective != chakra::ALL_GATHER)
    {
        m_rooted.Complete(*pass.collective, static_cast<uint32_t>(members), task);
    }
    if (task.collective != CollectiveKind::ALL_TO_ALL)
    {
        task.options.algorithm = m_settings.algorithm;
        task.isAlgorithmGiven = m_settings.algorithm != CollectiveAlgorithm::AUTOMATIC;
    }
    return m_program->AddTask(std::move(task), m_last);
}

void
TextWorkloadReader::AddMessage(TaskKind kind, uint32_t stage, uint32_t part)
{
    const uint32_t stageRanks = m_settings.ranks / m_workload.pipeline;
    Task task;
    task.kind = kind;
    task.name = "stage " + std::to_string(stage);
    task.group = FindKind({{stageRanks, m_workload.pipeline}}, PIPELINE_GROUP);
    task.peer = stage;
    task.operation = part;
    task.bytes = m_workload.stageBytes;
    const uint32_t index = m_program->AddTask(std::move(task), m_last);
    if (kind == TaskKind::RECEIVE)
    {
        WaitFor(index);
    }
}

void
TextWorkloadReader::WaitFor(uint32_t task)
{
    if (task != NOTHING)
    {
        m_last.push_back(task);
    }
}

} // namespace lightpath
} // namespace ns3
