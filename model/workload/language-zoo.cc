/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-entry.h"
#include "transformer-style.h"
#include "zoo-entry.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The size of a decoder.
struct DecoderSize
{
    const char* name;    //!< Its name
    uint64_t layers;     //!< Layers
    uint64_t width;      //!< Elements of a token's activation
    uint64_t heads;      //!< Attention heads
    uint64_t kvHeads;    //!< Heads of keys and values
    uint64_t headWidth;  //!< Elements of a head
    uint64_t inner;      //!< Inner width of the feed-forward block, or of each expert
    uint64_t vocabulary; //!< Size of the vocabulary
    uint64_t sequence;   //!< Tokens of a sequence
};

/**
 * @param size the size of a decoder
 * @param style its style
 * @return its shape
 */
TransformerShape
MakeDecoder(const DecoderSize& size, const std::string& style)
{
    TransformerShape shape = TransformerStyle::Make(style);
    shape.name = size.name;
    shape.layers = size.layers;
    shape.width = size.width;
    shape.heads = size.heads;
    shape.kvHeads = size.kvHeads == size.heads ? 0 : size.kvHeads;
    shape.headWidth = size.headWidth * size.heads == size.width ? 0 : size.headWidth;
    shape.feedForward = size.inner;
    shape.vocabulary = size.vocabulary;
    shape.sequence = size.sequence;
    return shape;
}

/**
 * @param size the size of a decoder
 * @param style its style
 * @param experts experts of a layer
 * @param topK experts that each token is given to
 * @return its shape
 */
TransformerShape
MakeMixture(const DecoderSize& size, const std::string& style, uint64_t experts, uint64_t topK)
{
    TransformerShape shape = MakeDecoder(size, style);
    shape.experts = experts;
    shape.topK = topK;
    return shape;
}

/**
 * Make a decoder with latent attention and fine-grained experts, the first layers without them.
 *
 * @param size its size
 * @param style its style
 * @param experts experts of a layer
 * @param topK experts that each token is given to
 * @param denseInner inner width of the feed-forward block of layers without experts
 * @return its shape
 */
TransformerShape
MakeDeepSeek(const DecoderSize& size,
             const std::string& style,
             uint64_t experts,
             uint64_t topK,
             uint64_t denseInner)
{
    TransformerShape shape = MakeMixture(size, style, experts, topK);
    shape.headWidth = size.headWidth;
    shape.latent = {1536, 512, 64, 128};
    shape.denseLayers = 1;
    shape.denseFeedForward = denseInner;
    shape.sharedExperts = 1;
    return shape;
}

/**
 * @param shape a shape
 * @param change changes it
 * @return the changed shape
 */
template <typename Change>
TransformerShape
With(TransformerShape shape, const Change& change)
{
    change(shape);
    return shape;
}

/**
 * Add the decoders whose layers are alike, without experts.
 *
 * @param entries the entries to add to
 */
void
AddDense(std::vector<ZooEntry>& entries)
{
    /// A decoder.
    struct Row
    {
        DecoderSize size;        //!< Its size
        const char* style;       //!< Its style
        const char* description; //!< Its description
    };

    const std::vector<Row> rows = {
        {{"llama-2-7b", 32, 4096, 32, 32, 128, 11008, 32000, 4096}, "llama", "Llama 2 7B"},
        {{"llama-2-13b", 40, 5120, 40, 40, 128, 13824, 32000, 4096}, "llama", "Llama 2 13B"},
        {{"llama-2-70b", 80, 8192, 64, 8, 128, 28672, 32000, 4096}, "llama", "Llama 2 70B"},
        {{"llama-3-70b", 80, 8192, 64, 8, 128, 28672, 128256, 8192}, "llama", "Llama 3 70B"},
        {{"llama-3.1-405b", 126, 16384, 128, 8, 128, 53248, 128256, 8192},
         "llama",
         "Llama 3.1 405B"},
        {{"qwen2.5-72b", 80, 8192, 64, 8, 128, 29568, 152064, 4096}, "qwen2", "Qwen2.5 72B"},
        {{"phi-3-mini", 32, 3072, 32, 32, 96, 8192, 32064, 4096}, "llama", "Phi-3 mini"},
        {{"phi-3-medium", 40, 5120, 40, 10, 128, 17920, 32064, 4096}, "llama", "Phi-3 medium"},
        {{"gpt-neox-20b", 44, 6144, 64, 64, 96, 24576, 50432, 2048}, "gpt_neox", "GPT-NeoX 20B"},
        {{"bloom-176b", 70, 14336, 112, 112, 128, 57344, 250880, 2048}, "bloom", "BLOOM 176B"},
        {{"nemotron-4-15b", 32, 6144, 48, 8, 128, 24576, 256000, 4096},
         "nemotron",
         "Nemotron-4 15B"},
        {{"nemotron-4-340b", 96, 18432, 96, 8, 192, 73728, 256000, 4096},
         "nemotron",
         "Nemotron-4 340B"},
        {{"falcon-180b", 80, 14848, 232, 8, 64, 59392, 65024, 2048}, "falcon", "Falcon 180B"},
    };
    for (const auto& row : rows)
    {
        entries.push_back(
            TransformerEntry::Make(MakeDecoder(row.size, row.style), row.description));
    }
}

/**
 * Add the decoders without experts that differ from the others of their style.
 *
 * @param entries the entries to add to
 */
void
AddVariants(std::vector<ZooEntry>& entries)
{
    const auto add = [&entries](const DecoderSize& size,
                                const char* style,
                                const char* description,
                                void (*change)(TransformerShape&)) {
        entries.push_back(
            TransformerEntry::Make(With(MakeDecoder(size, style), change), description));
    };
    add({"mistral-7b", 32, 4096, 32, 8, 128, 14336, 32000, 8192},
        "mistral",
        "Mistral 7B, with a window of 4096 tokens",
        [](TransformerShape& shape) { shape.window = 4096; });
    add({"palm-540b", 118, 18432, 48, 1, 256, 73728, 256000, 2048},
        "llama",
        "PaLM 540B, blocks beside each other",
        [](TransformerShape& shape) {
            shape.norm = TransformerNorm::SCALE;
            shape.order = TransformerOrder::PARALLEL;
            shape.tied = true;
        });
    add({"opt-175b", 96, 12288, 96, 96, 128, 49152, 50272, 2048},
        "opt",
        "OPT 175B",
        [](TransformerShape& shape) { shape.positions = 2050; });
    const auto table = [](TransformerShape& shape) {
        shape.positions = shape.sequence;
        shape.dropout = false;
    };
    add({"gpt3-13b", 40, 5120, 40, 40, 128, 20480, 51200, 2048},
        "gpt2",
        "GPT-3 13B with the vocabulary of Megatron-LM",
        table);
    add({"mpt-7b", 32, 4096, 32, 32, 128, 16384, 50368, 2048}, "gpt2", "MPT 7B", table);
    add({"mpt-13b", 40, 5120, 40, 40, 128, 20480, 50368, 2048}, "gpt2", "MPT 13B", table);
    add({"mpt-30b", 48, 7168, 56, 56, 128, 28672, 50368, 2048}, "gpt2", "MPT 30B", table);
    add({"mpt-70b", 80, 8192, 64, 64, 128, 32768, 50368, 2048}, "gpt2", "MPT 70B", table);
}

/**
 * Add the decoders with experts in all layers, or in every second one.
 *
 * @param entries the entries to add to
 */
void
AddMixtures(std::vector<ZooEntry>& entries)
{
    const auto add = [&entries](const TransformerShape& shape, const char* description) {
        entries.push_back(TransformerEntry::Make(shape, description));
    };
    add(MakeMixture({"mixtral-8x22b", 56, 6144, 48, 8, 128, 16384, 32000, 4096}, "mixtral", 8, 2),
        "Mixtral 8x22B, mixture of experts");
    add(With(MakeMixture({"dbrx", 40, 6144, 48, 8, 128, 10752, 100352, 4096}, "llama", 16, 4),
             [](TransformerShape& shape) { shape.norm = TransformerNorm::SCALE; }),
        "DBRX, 4 of 16 experts");
    add(With(MakeMixture({"grok-1", 64, 6144, 48, 8, 128, 32768, 131072, 8192}, "llama", 8, 2),
             [](TransformerShape& shape) {
                 shape.postNorm = true;
                 shape.tied = true;
             }),
        "Grok-1, 2 of 8 experts");
    add(MakeMixture({"qwen3-30b-a3b", 48, 2048, 32, 4, 128, 768, 151936, 4096},
                    "qwen3_moe",
                    128,
                    8),
        "Qwen3 30B, 8 of 128 experts");
    add(MakeMixture({"qwen3-235b-a22b", 94, 4096, 64, 4, 128, 1536, 151936, 4096},
                    "qwen3_moe",
                    128,
                    8),
        "Qwen3 235B, 8 of 128 experts");
    add(With(MakeMixture({"gpt-oss-120b", 36, 2880, 64, 8, 64, 2880, 201088, 4096},
                         "gpt_oss",
                         128,
                         4),
             [](TransformerShape& shape) { shape.window = 128; }),
        "gpt-oss 120B, 4 of 128 experts");
    const auto shared = [](TransformerShape& shape) { shape.sharedExperts = 1; };
    add(With(MakeMixture({"llama-4-scout", 48, 5120, 40, 8, 128, 8192, 202048, 8192},
                         "llama",
                         16,
                         1),
             shared),
        "Llama 4 Scout without vision, 1 of 16 experts and a shared one");
    add(With(MakeMixture({"llama-4-maverick", 48, 5120, 40, 8, 128, 8192, 202048, 8192},
                         "llama",
                         128,
                         1),
             [](TransformerShape& shape) {
                 shape.sharedExperts = 1;
                 shape.expertPeriod = 2;
                 shape.denseFeedForward = 16384;
             }),
        "Llama 4 Maverick without vision, 1 of 128 experts and a shared one");
}

/**
 * Add the decoders with latent attention.
 *
 * @param entries the entries to add to
 */
void
AddLatentModels(std::vector<ZooEntry>& entries)
{
    const auto add = [&entries](const TransformerShape& shape, const char* description) {
        entries.push_back(TransformerEntry::Make(shape, description));
    };
    add(With(MakeDeepSeek({"deepseek-v2", 60, 5120, 128, 128, 128, 1536, 102400, 4096},
                          "deepseek_v2",
                          160,
                          6,
                          12288),
             [](TransformerShape& shape) {
                 shape.expertGroups = 8;
                 shape.topGroups = 3;
                 shape.sharedExperts = 2;
             }),
        "DeepSeek-V2, latent attention, 6 of 160 experts");
    add(With(MakeDeepSeek({"deepseek-v3", 61, 7168, 128, 128, 128, 2048, 129280, 4096},
                          "deepseek_v3",
                          256,
                          8,
                          18432),
             [](TransformerShape& shape) {
                 shape.expertGroups = 8;
                 shape.topGroups = 4;
                 shape.denseLayers = 3;
                 shape.futureTokens = 1;
             }),
        "DeepSeek-V3, latent attention, 8 of 256 experts, predicts 2 tokens");
    add(MakeDeepSeek({"kimi-k2", 61, 7168, 64, 64, 128, 2048, 163840, 4096},
                     "deepseek_v3",
                     384,
                     8,
                     18432),
        "Kimi K2, latent attention, 8 of 384 experts");
}

/**
 * Add the decoders of the measurements of Megatron Core in 2024, of which the sizes are published.
 *
 * @param entries the entries to add to
 */
void
AddMegatronCore(std::vector<ZooEntry>& entries)
{
    /// A size.
    struct Row
    {
        const char* name; //!< Its name
        uint64_t layers;  //!< Layers
        uint64_t width;   //!< Elements of a token's activation
        uint64_t heads;   //!< Attention heads
    };

    for (const auto& row : std::vector<Row>{{"mcore-1.7b", 24, 2048, 16},
                                            {"mcore-7.1b", 30, 4096, 32},
                                            {"mcore-16b", 32, 6144, 48},
                                            {"mcore-32b", 48, 7168, 56},
                                            {"mcore-70b", 84, 8192, 64},
                                            {"mcore-119b", 92, 10240, 80},
                                            {"mcore-177b", 96, 12288, 96},
                                            {"mcore-314b", 96, 16384, 128},
                                            {"mcore-462b", 112, 18432, 144}})
    {
        TransformerShape shape = MakeDecoder({row.name,
                                              row.layers,
                                              row.width,
                                              row.heads,
                                              row.heads,
                                              128,
                                              4 * row.width,
                                              131072,
                                              4096},
                                             "gpt2");
        shape.positions = shape.sequence;
        shape.tied = false;
        entries.push_back(
            TransformerEntry::Make(shape, "GPT of the measurements of Megatron Core on H100"));
    }
}

} // namespace

std::vector<ZooEntry>
ZooEntry::GetLanguageModels()
{
    std::vector<ZooEntry> entries;
    AddDense(entries);
    AddVariants(entries);
    AddMixtures(entries);
    AddLatentModels(entries);
    AddMegatronCore(entries);
    return entries;
}

} // namespace lightpath
} // namespace ns3
