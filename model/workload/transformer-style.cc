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
 * @return the functions that make the styles, by name
 */
const std::map<std::string, TransformerShape (*)()>&
GetStyles()
{
    static const std::map<std::string, TransformerShape (*)()> styles = {
        {"bloom", MakeBloom},
        {"deepseek_v2", MakeLlama},
        {"deepseek_v3", MakeDeepSeekV3},
        {"falcon", MakeFalcon},
        {"gpt2", MakeGpt},
        {"gpt_neox", MakeGptNeox},
        {"llama", MakeLlama},
        {"mistral", MakeLlama},
        {"mixtral", MakeLlama},
        {"opt", MakeOpt},
        {"qwen2", MakeQwen2},
        {"qwen3", MakeQwen3},
        {"qwen3_moe", MakeQwen3},
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
