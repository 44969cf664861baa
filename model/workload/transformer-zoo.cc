/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-entry.h"
#include "transformer-style.h"
#include "zoo-entry.h"

#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The size of a transformer whose feed-forward blocks are four times as wide as its activations.
struct Size
{
    const char* name;  //!< Its name
    uint32_t layers;   //!< Layers
    uint64_t width;    //!< Elements of a token's activation
    uint64_t heads;    //!< Attention heads
    uint64_t sequence; //!< Tokens of a sequence
};

/**
 * @param size a size
 * @param vocabulary size of the vocabulary
 * @param shape a shape with a style, by default that of GPT-2
 * @return a decoder of that size and style
 */
TransformerShape
MakeShape(const Size& size, uint64_t vocabulary, TransformerShape shape = TransformerShape())
{
    shape.name = size.name;
    shape.layers = size.layers;
    shape.width = size.width;
    shape.heads = size.heads;
    shape.feedForward = 4 * size.width;
    shape.sequence = size.sequence;
    shape.positions = size.sequence;
    shape.vocabulary = vocabulary;
    return shape;
}

/**
 * Make BERT (Devlin et al. 2019) with the heads that it is trained with. Of a sequence of 512
 * tokens, up to 80 are masked and have to be predicted.
 *
 * @param size its size
 * @return its shape
 */
TransformerShape
MakeBert(const Size& size)
{
    TransformerShape shape = MakeShape(size, 30522);
    shape.kind = TransformerKind::ENCODER;
    shape.normFirst = false;
    shape.predictions = 80;
    return shape;
}

/**
 * Make the big transformer for translation (Vaswani et al. 2017) in the manner of fairseq's
 * transformer_wmt_en_de_big_t2t: blocks begin with their layer normalisation and both stacks end
 * with one, attention has no biases, positions are sinusoids. Sentence pairs have about the mean
 * length of the English and German sentences of WMT, 30 tokens on each side.
 *
 * @return its shape
 */
TransformerShape
MakeTransformerBig()
{
    TransformerShape shape = MakeShape({"transformer-big", 6, 1024, 16, 30}, 33708);
    shape.kind = TransformerKind::TRANSLATOR;
    shape.activation = TransformerActivation::RELU;
    shape.biases = TransformerBiases::FEED_FORWARD;
    shape.positions = 0;
    return shape;
}

/**
 * Make a decoder in the manner of Llama (Touvron et al. 2023).
 *
 * @param size its size
 * @param feedForward inner width of the feed-forward block
 * @param vocabulary size of the vocabulary
 * @return its shape
 */
TransformerShape
MakeLlama(const Size& size, uint64_t feedForward, uint64_t vocabulary)
{
    TransformerShape shape = MakeShape(size, vocabulary, TransformerStyle::Make("llama"));
    shape.feedForward = feedForward;
    shape.attention = TransformerAttention::UNFUSED;
    shape.positions = 0;
    return shape;
}

/**
 * @return Llama 3 with 8 billion parameters (Grattafiori et al. 2024)
 */
TransformerShape
MakeLlama3()
{
    TransformerShape shape = MakeLlama({"llama-3-8b", 32, 4096, 32, 8192}, 14336, 128256);
    shape.kvHeads = 8;
    return shape;
}

/**
 * @return Mixtral with 8 experts, of which each token passes 2 (Jiang et al. 2024)
 */
TransformerShape
MakeMixtral()
{
    TransformerShape shape = MakeLlama({"mixtral-8x7b", 32, 4096, 32, 4096}, 14336, 32000);
    shape.kvHeads = 8;
    shape.experts = 8;
    shape.topK = 2;
    return shape;
}

/**
 * Add decoders with the layers of GPT-2 and a vocabulary of 51200 tokens, as Megatron-LM pads it.
 *
 * @param description their origin
 * @param sizes their sizes
 * @param entries the entries to add to
 */
void
AddFamily(const std::string& description,
          const std::vector<Size>& sizes,
          std::vector<ZooEntry>& entries)
{
    for (const auto& size : sizes)
    {
        entries.push_back(TransformerEntry::Make(MakeShape(size, 51200), description));
    }
}

} // namespace

std::vector<ZooEntry>
ZooEntry::GetTransformers()
{
    std::vector<ZooEntry> entries{
        TransformerEntry::Make(MakeBert({"bert-base", 12, 768, 12, 512}),
                               "BERT-base with both heads"),
        TransformerEntry::Make(MakeBert({"bert-large", 24, 1024, 16, 512}),
                               "BERT-large with both heads"),
        TransformerEntry::Make(MakeShape({"gpt2-355m", 24, 1024, 16, 1024}, 50257), "GPT-2 medium"),
        TransformerEntry::Make(MakeShape({"gpt2-xl", 48, 1600, 25, 1024}, 50257), "GPT-2 XL"),
        TransformerEntry::Make(MakeTransformerBig(), "Transformer (big) for translation"),
        TransformerEntry::Make(MakeLlama({"llama-7b", 32, 4096, 32, 2048}, 11008, 32000),
                               "Llama 7B"),
        TransformerEntry::Make(MakeLlama3(), "Llama 3 8B, grouped-query attention"),
        TransformerEntry::Make(MakeMixtral(), "Mixtral 8x7B, mixture of experts"),
        TransformerEntry::Make(MakeShape({"transformer", 12, 768, 12, 1024}, 50257),
                               "any transformer, by default GPT-2 small",
                               true),
    };
    AddFamily("GPT of the Megatron-LM scaling study (Shoeybi et al. 2019)",
              {{"megatron-1.2b", 40, 1536, 16, 1024},
               {"megatron-2.5b", 54, 1920, 20, 1024},
               {"megatron-4.2b", 64, 2304, 24, 1024},
               {"megatron-8.3b", 72, 3072, 32, 1024}},
              entries);
    // The sources give no number of heads: choose heads of 128 elements
    AddFamily("GPT of the Megatron-LM measurements of 2020",
              {{"megatron-1b", 24, 1920, 15, 1024},
               {"megatron-2b", 30, 2304, 18, 1024},
               {"megatron-4b", 36, 3072, 24, 1024},
               {"megatron-8b", 42, 4096, 32, 1024}},
              entries);
    AddFamily("GPT of Narayanan et al. (SC'21)",
              {{"sc21-1.7b", 24, 2304, 24, 2048},
               {"sc21-3.6b", 30, 3072, 32, 2048},
               {"sc21-7.5b", 36, 4096, 32, 2048},
               {"sc21-18.4b", 40, 6144, 48, 2048},
               {"sc21-39.1b", 48, 8192, 64, 2048},
               {"sc21-76.1b", 60, 10240, 80, 2048},
               {"sc21-145.6b", 80, 12288, 96, 2048},
               {"sc21-310.1b", 96, 16384, 128, 2048},
               {"sc21-529.6b", 105, 20480, 128, 2048},
               {"sc21-1008b", 128, 25600, 160, 2048}},
              entries);
    AddFamily("GPT-3 (Brown et al. 2020) with the vocabulary of Megatron-LM",
              {{"gpt3-175b", 96, 12288, 96, 2048}},
              entries);
    AddFamily("GPT of Korthikanti et al. (2022), whose others are gpt3-175b, sc21-529.6b and "
              "sc21-1008b",
              {{"megatron-22b", 48, 6144, 64, 2048}},
              entries);
    return entries;
}

} // namespace lightpath
} // namespace ns3
