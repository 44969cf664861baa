/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-workload.h"

#include "model/base/read-line.h"
#include "trace-files.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The names of policies, in their order.
const std::array<const char*, 11> TEXT_POLICIES{"DATA",
                                                "MODEL",
                                                "HYBRID_DATA_MODEL",
                                                "HYBRID_MODEL_DATA",
                                                "HYBRID_TRANSFORMER",
                                                "HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                                "HYBRID_DLRM",
                                                "HYBRID_DLRM_ENHANCED",
                                                "HYBRID_CUSTOMIZED",
                                                "MICRO",
                                                "DISTRIBUTED_INFERENCE"};

constexpr uint64_t MOST_TEXT_BYTES = uint64_t{1} << 44; ///< Most bytes of an operation, 16 TiB
constexpr uint64_t MOST_CYCLES = uint64_t{1} << 53;     ///< Most cycles of a computation
constexpr uint64_t MOST_TEXT_RANKS = 1'000'000;         ///< Most ranks

/**
 * @param name the name of a policy
 * @return the policy
 */
TextPolicy
FindPolicy(const std::string& name)
{
    const auto found = std::find(TEXT_POLICIES.begin(), TEXT_POLICIES.end(), name);
    if (found == TEXT_POLICIES.end())
    {
        std::string known;
        for (const auto* policy : TEXT_POLICIES)
        {
            known += (known.empty() ? "" : ", ") + std::string(policy);
        }
        throw std::invalid_argument("has the unknown policy '" + name.substr(0, 100) +
                                    "': the known ones are " + known);
    }
    return static_cast<TextPolicy>(found - TEXT_POLICIES.begin());
}

/**
 * @param is where to read
 * @param what a number in words
 * @param most the largest one that makes sense
 * @return the number
 */
uint64_t
ReadCount(std::istream& is, const std::string& what, uint64_t most)
{
    std::string word;
    is >> word;
    constexpr std::size_t mostDigits = 19;
    // Python writes a quotient that is whole as 12.0
    const auto point = word.find('.');
    const std::string digits = word.substr(0, point);
    const bool isWhole =
        point == std::string::npos || word.find_first_not_of('0', point + 1) == std::string::npos;
    const bool isNumber = isWhole && !digits.empty() && digits.size() <= mostDigits &&
                          digits.find_first_not_of("0123456789") == std::string::npos;
    const uint64_t number = isNumber ? std::stoull(digits) : 0;
    if (!isNumber || number > most)
    {
        throw std::invalid_argument(
            "has " + (word.empty() ? "nothing" : "'" + word.substr(0, 100) + "'") + " for " + what +
            ": write a whole number up to " + std::to_string(most));
    }
    return number;
}

/**
 * @param word the kind of a communication
 * @param [out] pass the operation that it belongs to
 */
void
TakeKind(std::string word, TextPass& pass)
{
    static const std::pair<const char*, chakra::CommType> kinds[] = {
        {"ALLREDUCE", chakra::ALL_REDUCE},
        {"ALLGATHER", chakra::ALL_GATHER},
        {"ALLTOALL", chakra::ALL_TO_ALL},
        {"REDUCESCATTER", chakra::REDUCE_SCATTER},
        {"BROADCAST", chakra::BROADCAST},
        {"REDUCE", chakra::REDUCE},
        {"GATHER", chakra::GATHER},
        {"SCATTER", chakra::SCATTER},
        {"BARRIER", chakra::BARRIER}};
    if (word == "NONE")
    {
        return;
    }
    const std::string all = word.substr(0, 100);
    const auto cut = [&word](const std::string& end) {
        const bool ends = word.size() > end.size() &&
                          word.compare(word.size() - end.size(), end.size(), end) == 0;
        word.resize(word.size() - (ends ? end.size() : 0));
        return ends;
    };
    if (cut("_DP_EP"))
    {
        pass.group = TextGroup::EXPERT_DATA;
    }
    else if (cut("_EP"))
    {
        pass.group = TextGroup::EXPERT;
    }
    for (const auto& [name, kind] : kinds)
    {
        if (word == name)
        {
            pass.collective = kind;
            return;
        }
    }
    throw std::invalid_argument("has the communication '" + all +
                                "': NONE, ALLREDUCE, ALLGATHER, ALLTOALL, REDUCESCATTER, "
                                "BROADCAST, REDUCE, GATHER, SCATTER and BARRIER can be simulated, "
                                "also followed by _EP or _DP_EP");
}

} // namespace

bool
TextWorkload::Has(chakra::CommType kind) const
{
    return std::any_of(layers.begin(), layers.end(), [kind](const TextLayer& layer) {
        return layer.forward.collective == kind || layer.inputGradient.collective == kind ||
               layer.weightGradient.collective == kind;
    });
}

TextWorkload
TextWorkload::Read(std::istream& is, const std::string& name)
{
    TextWorkload workload;
    std::string subject = "line 1 ";
    try
    {
        std::string line;
        if (is.peek() == '{')
        {
            TraceFiles::RefuseJson(is);
        }
        ReadLine(is, line, "the file");
        workload.ReadHeader(line);
        subject = "line 2 ";
        const uint64_t layers = ReadCount(is, "the number of layers", UINT32_MAX);
        for (uint64_t layer = 0; layer < layers; ++layer)
        {
            // Memory grows with the layers that are there
            subject = "layer " + std::to_string(layer) + " ";
            workload.ReadLayer(is);
        }
        std::string more;
        if (is >> more)
        {
            subject = "line 2 ";
            throw std::invalid_argument("states " + std::to_string(layers) +
                                        " layers, but there are more: state how many there are");
        }
        if (layers == 0)
        {
            throw std::invalid_argument("states 0 layers: a workload has one at least");
        }
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(name + ": " + subject + error.what());
    }
    return workload;
}

void
TextWorkload::ReadHeader(const std::string& line)
{
    std::istringstream is(line);
    std::string word;
    if (!(is >> word))
    {
        throw std::invalid_argument("is empty: write the policy there, like DATA");
    }
    policy = FindPolicy(word);
    while (is >> word)
    {
        if (!word.empty() && word.back() == ':')
        {
            word.pop_back();
        }
        const bool isDlrm =
            policy == TextPolicy::HYBRID_DLRM || policy == TextPolicy::HYBRID_DLRM_ENHANCED;
        if (isDlrm && word.find_first_not_of("0123456789") == std::string::npos)
        {
            std::istringstream number(word);
            ReadOption(number, "DLRM_LAST_BOTTOM_LAYER");
            continue;
        }
        ReadOption(is, word);
    }
    const bool isTransformer = policy == TextPolicy::HYBRID_TRANSFORMER ||
                               policy == TextPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD;
    if (isTransformer && line.find("model_parallel_NPU_group") == std::string::npos)
    {
        throw std::invalid_argument("lacks model_parallel_NPU_group: add it with the number of "
                                    "ranks that share a layer");
    }
    if (pipeline > 1 && stageBytes == 0)
    {
        throw std::invalid_argument(
            "has " + std::to_string(pipeline) +
            " stages without pp_comm, or with 0 bytes: add it with the bytes between two "
            "stages");
    }
}

void
TextWorkload::ReadOption(std::istream& is, const std::string& key)
{
    const std::pair<const char*, uint32_t*> numbers[] = {{"model_parallel_NPU_group", &tensor},
                                                         {"ep", &expert},
                                                         {"pp", &pipeline},
                                                         {"vpp", &virtualStages},
                                                         {"ga", &microbatches},
                                                         {"all_gpus", &ranks}};
    for (const auto& [name, number] : numbers)
    {
        if (key == name)
        {
            isSimAi = isSimAi || number != &tensor;
            *number = static_cast<uint32_t>(ReadCount(is, key, MOST_TEXT_RANKS));
            if (*number == 0)
            {
                throw std::invalid_argument("has 0 for " + key + ": write 1 at least");
            }
            return;
        }
    }
    if (key == "pp_comm")
    {
        stageBytes = ReadCount(is, key, MOST_TEXT_BYTES);
    }
    else if (key == "DLRM_LAST_BOTTOM_LAYER")
    {
        lastBottomLayer = static_cast<uint32_t>(ReadCount(is, key, UINT32_MAX - 1));
    }
    else if (key == "checkpoints" || key == "checkpoint_initiates")
    {
        auto& list = key == "checkpoints" ? checkpoints : initiators;
        const uint64_t size = ReadCount(is, "the number of " + key, UINT32_MAX);
        for (uint64_t i = 0; i < size; ++i)
        {
            list.insert(static_cast<uint32_t>(ReadCount(is, "a layer of " + key, UINT32_MAX)));
        }
    }
    else
    {
        throw std::invalid_argument("has the unknown option '" + key.substr(0, 100) + "'");
    }
}

void
TextWorkload::ReadLayer(std::istream& is)
{
    constexpr double cycle = 1e-9;
    TextLayer layer;
    std::string reserved;
    if (!(is >> layer.name >> reserved))
    {
        throw std::invalid_argument("is missing: state as many layers as there are");
    }
    const std::pair<const char*, TextPass*> passes[] = {{"forward pass", &layer.forward},
                                                        {"input gradient", &layer.inputGradient},
                                                        {"weight gradient", &layer.weightGradient}};
    for (const auto& [name, pass] : passes)
    {
        const std::string of = " of the " + std::string(name);
        pass->seconds = cycle * static_cast<double>(ReadCount(is, "the time" + of, MOST_CYCLES));
        std::string kind;
        is >> kind;
        TakeKind(kind, *pass);
        pass->bytes = ReadCount(is, "the size" + of, MOST_TEXT_BYTES);
        isSimAi = isSimAi || pass->group != TextGroup::DEFAULT;
    }
    layer.updateSeconds = cycle * static_cast<double>(ReadCount(is, "the update", MOST_CYCLES));
    layer.policy = policy;
    if (policy == TextPolicy::HYBRID_CUSTOMIZED)
    {
        std::string word;
        is >> word;
        layer.policy = FindPolicy(word);
        if (layer.policy > TextPolicy::HYBRID_MODEL_DATA)
        {
            throw std::invalid_argument("has the policy " + word +
                                        ": a layer takes DATA, MODEL, HYBRID_DATA_MODEL or "
                                        "HYBRID_MODEL_DATA");
        }
    }
    layers.push_back(std::move(layer));
}

} // namespace lightpath
} // namespace ns3
