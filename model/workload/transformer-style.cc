/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-style.h"

#include <map>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @return a decoder with the layers of GPT-2 (Radford et al. 2019)
 */
TransformerShape
MakeGpt()
{
    TransformerShape shape;
    shape.attention = TransformerAttention::CAUSAL;
    return shape;
}

/**
 * @return a decoder in the manner of Llama (Touvron et al. 2023): root mean square normalisation,
 * gated feed-forward blocks, rotary positions, an output of its own, neither biases nor dropout
 */
TransformerShape
MakeLlama()
{
    TransformerShape shape = MakeGpt();
    shape.norm = TransformerNorm::RMS;
    shape.activation = TransformerActivation::GATED;
    shape.biases = TransformerBiases::NONE;
    shape.dropout = false;
    shape.coding = TransformerPositions::ROTARY;
    shape.tied = false;
    return shape;
}

/**
 * @return Qwen2: as Llama, with biases of queries, keys and values
 */
TransformerShape
MakeQwen2()
{
    TransformerShape shape = MakeLlama();
    shape.biases = TransformerBiases::QUERIES;
    return shape;
}

/**
 * @return Qwen3: as Llama, with normalised queries and keys
 */
TransformerShape
MakeQwen3()
{
    TransformerShape shape = MakeLlama();
    shape.headNorm = true;
    return shape;
}

/**
 * @return DeepSeek-V3: as Llama, with a bias of each expert for the balance of their loads
 */
TransformerShape
MakeDeepSeekV3()
{
    TransformerShape shape = MakeLlama();
    shape.routerBiases = true;
    return shape;
}

/**
 * @return GPT-NeoX (Black et al. 2022): rotary positions, both blocks beside each other, each with
 * its normalisation
 */
TransformerShape
MakeGptNeox()
{
    TransformerShape shape = MakeGpt();
    shape.order = TransformerOrder::TWO_NORMS;
    shape.coding = TransformerPositions::ROTARY;
    shape.dropout = false;
    shape.tied = false;
    return shape;
}

/**
 * @return OPT (Zhang et al. 2022): as GPT-2, with a rectifier
 */
TransformerShape
MakeOpt()
{
    TransformerShape shape = MakeGpt();
    shape.activation = TransformerActivation::RELU;
    return shape;
}

/**
 * @return BLOOM (BigScience 2022): as GPT-2, with positions as biases of the scores, and normalised
 * embeddings
 */
TransformerShape
MakeBloom()
{
    TransformerShape shape = MakeGpt();
    shape.coding = TransformerPositions::BIAS;
    shape.embeddingNorm = true;
    shape.dropout = false;
    return shape;
}

/**
 * @return Falcon (Almazrouei et al. 2023): rotary positions, both blocks beside each other, no
 * biases
 */
TransformerShape
MakeFalcon()
{
    TransformerShape shape = MakeGptNeox();
    shape.biases = TransformerBiases::NONE;
    shape.tied = true;
    return shape;
}

/**
 * @return Gemma (Gemma Team 2024): as Llama, with tied embeddings
 */
TransformerShape
MakeGemma()
{
    TransformerShape shape = MakeLlama();
    shape.tied = true;
    return shape;
}

/**
 * @return Gemma 2: blocks begin and end with a normalisation, every second layer has no window
 */
TransformerShape
MakeGemma2()
{
    TransformerShape shape = MakeGemma();
    shape.postNorm = true;
    shape.windowPeriod = 2;
    return shape;
}

/**
 * @return Gemma 3: as Gemma 2, with normalised queries and keys, and every sixth layer
 */
TransformerShape
MakeGemma3()
{
    TransformerShape shape = MakeGemma2();
    shape.headNorm = true;
    shape.windowPeriod = 6;
    return shape;
}

/**
 * @return GLM-4 of 2025: as Llama, but blocks end with a normalisation, too
 */
TransformerShape
MakeGlm4()
{
    TransformerShape shape = MakeLlama();
    shape.postNorm = true;
    return shape;
}

/**
 * @return OLMo 2 (OLMo Team 2025): as Llama, with queries and keys normalised as a whole. Its
 * blocks end with their normalisation, ahead of the sum, which costs the same as to begin with it
 */
TransformerShape
MakeOlmo2()
{
    TransformerShape shape = MakeLlama();
    shape.headNorm = true;
    shape.ownHeadNorms = true;
    return shape;
}

/**
 * @return Command R (Cohere 2024): both blocks beside each other, normalisations without offset
 */
TransformerShape
MakeCohere()
{
    TransformerShape shape = MakeGemma();
    shape.norm = TransformerNorm::SCALE;
    shape.order = TransformerOrder::PARALLEL;
    shape.ownHeadNorms = true;
    return shape;
}

/**
 * @return Qwen1.5 and Qwen2 with experts: as Qwen2, with a gate of the shared experts
 */
TransformerShape
MakeQwen2Moe()
{
    TransformerShape shape = MakeQwen2();
    shape.sharedExperts = 1;
    shape.sharedGate = true;
    return shape;
}

/**
 * @return Qwen3-Next: as Qwen3 with experts, with a gate of the shared experts, and of attention
 */
TransformerShape
MakeQwen3Next()
{
    TransformerShape shape = MakeQwen3();
    shape.sharedExperts = 1;
    shape.sharedGate = true;
    shape.outputGate = true;
    return shape;
}

/**
 * @return Llama 4: as Llama, with a shared expert; every fourth layer attends to all tokens
 */
TransformerShape
MakeLlama4()
{
    TransformerShape shape = MakeLlama();
    shape.sharedExperts = 1;
    shape.windowPeriod = 4;
    return shape;
}

/**
 * @return Nemotron-4 (Parmar et al. 2024): as Llama, with layer normalisation and squared
 * rectifiers
 */
TransformerShape
MakeNemotron()
{
    TransformerShape shape = MakeLlama();
    shape.norm = TransformerNorm::LAYER;
    shape.activation = TransformerActivation::SQUARED;
    return shape;
}

/**
 * @return gpt-oss (OpenAI 2025): as Llama, with biases and sinks; every second layer has no window
 */
TransformerShape
MakeGptOss()
{
    TransformerShape shape = MakeLlama();
    shape.biases = TransformerBiases::ALL;
    shape.routerBiases = true;
    shape.sinks = true;
    shape.windowPeriod = 2;
    return shape;
}

/**
 * @return StarCoder2 (Lozhkov et al. 2024): as GPT-2, with rotary positions, without dropout
 */
TransformerShape
MakeStarcoder2()
{
    TransformerShape shape = MakeGpt();
    shape.coding = TransformerPositions::ROTARY;
    shape.dropout = false;
    return shape;
}

/**
 * @return MPT (MosaicML 2023): as GPT-2, with positions as biases of the scores, without others
 */
TransformerShape
MakeMpt()
{
    TransformerShape shape = MakeGpt();
    shape.norm = TransformerNorm::SCALE;
    shape.coding = TransformerPositions::BIAS;
    shape.biases = TransformerBiases::NONE;
    shape.dropout = false;
    return shape;
}

/**
 * @return GPT-J (Wang and Komatsuzaki 2021): rotary positions, both blocks beside each other,
 * biases of feed-forward blocks and of the output
 */
TransformerShape
MakeGptJ()
{
    TransformerShape shape = MakeGptNeox();
    shape.order = TransformerOrder::PARALLEL;
    shape.biases = TransformerBiases::FEED_FORWARD;
    shape.outputBiases = true;
    return shape;
}

/**
 * @return the functions that make the styles, by name
 */
const std::map<std::string, TransformerShape (*)()>&
GetStyles()
{
    static const std::map<std::string, TransformerShape (*)()> styles = {
        {"RefinedWeb", MakeFalcon},
        {"RefinedWebModel", MakeFalcon},
        {"bloom", MakeBloom},
        {"cohere", MakeCohere},
        {"cohere2", MakeCohere},
        {"deepseek_v2", MakeLlama},
        {"deepseek_v3", MakeDeepSeekV3},
        {"falcon", MakeFalcon},
        {"gemma", MakeGemma},
        {"gemma2", MakeGemma2},
        {"gemma3", MakeGemma3},
        {"gemma3_text", MakeGemma3},
        {"glm", MakeLlama},
        {"glm4", MakeGlm4},
        {"glm4_moe", MakeDeepSeekV3},
        {"gpt2", MakeGpt},
        {"gpt_neox", MakeGptNeox},
        {"gpt_oss", MakeGptOss},
        {"gptj", MakeGptJ},
        {"kimi_k2", MakeDeepSeekV3},
        {"llama", MakeLlama},
        {"llama4", MakeLlama4},
        {"llama4_text", MakeLlama4},
        {"mistral", MakeLlama},
        {"mixtral", MakeLlama},
        {"mpt", MakeMpt},
        {"nemotron", MakeNemotron},
        {"olmo2", MakeOlmo2},
        {"opt", MakeOpt},
        {"phi3", MakeLlama},
        {"qwen2", MakeQwen2},
        {"qwen2_moe", MakeQwen2Moe},
        {"qwen3", MakeQwen3},
        {"qwen3_moe", MakeQwen3},
        {"qwen3_next", MakeQwen3Next},
        {"starcoder2", MakeStarcoder2},
    };
    return styles;
}

} // namespace

std::vector<std::string>
TransformerStyle::GetNames()
{
    std::vector<std::string> names;
    for (const auto& style : GetStyles())
    {
        names.push_back(style.first);
    }
    return names;
}

TransformerShape
TransformerStyle::Make(const std::string& name)
{
    return GetStyles().at(name)();
}

} // namespace lightpath
} // namespace ns3
