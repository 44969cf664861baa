/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-entry.h"

#include "transformer-model.h"

#include "ns3/abort.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A size that is an option.
struct NumberOption
{
    std::string name;                                    //!< Its name
    std::function<uint64_t&(TransformerShape&)> value{}; //!< The size
    std::string description;                             //!< Its meaning
    uint64_t least{1};                                   //!< The least that it can be
    bool isUsual{false}; //!< Whether all transformers have it, or those with another value than the
                         //!< default of TransformerShape
};

/// A style that is an option.
struct WordOption
{
    std::string name;                                          //!< Its name
    std::string description;                                   //!< Its meaning
    std::vector<std::string> choices;                          //!< Its values
    std::function<std::size_t(const TransformerShape&)> get{}; //!< Gets the index of the value
    std::function<void(TransformerShape&, std::size_t)> set{}; //!< Sets the value with an index
};

/**
 * @param member a member of a shape
 * @return the function that returns it
 */
std::function<uint64_t&(TransformerShape&)>
MakeGetter(uint64_t TransformerShape::*member)
{
    return [member](TransformerShape& shape) -> uint64_t& { return shape.*member; };
}

/**
 * @param member a member of the latent attention of a shape
 * @return the function that returns it
 */
std::function<uint64_t&(TransformerShape&)>
MakeGetter(uint64_t LatentAttention::*member)
{
    return [member](TransformerShape& shape) -> uint64_t& { return shape.latent.*member; };
}

/**
 * @return the sizes
 */
const std::vector<NumberOption>&
GetNumbers()
{
    using S = TransformerShape;
    using L = LatentAttention;
    static const std::vector<NumberOption> numbers = {
        {"layers", MakeGetter(&S::layers), "layers, of each stack", 1, true},
        {"hidden", MakeGetter(&S::width), "elements of a token's activation", 1, true},
        {"heads", MakeGetter(&S::heads), "attention heads", 1, true},
        {"kvHeads", MakeGetter(&S::kvHeads), "heads of keys and values; 0 for all", 0},
        {"headWidth", MakeGetter(&S::headWidth), "elements of a head; 0 for hidden / heads", 0},
        {"queryRank",
         MakeGetter(&L::queryRank),
         "elements that queries are expanded from; 0 for hidden",
         0},
        {"keyRank",
         MakeGetter(&L::keyRank),
         "the same of keys and values; 0 for no latent attention",
         0},
        {"rotaryWidth",
         MakeGetter(&L::rotaryWidth),
         "elements of a latent key that are rotated",
         0},
        {"valueWidth", MakeGetter(&L::valueWidth), "elements of a latent value of a head", 0},
        {"window",
         MakeGetter(&S::window),
         "tokens that a token attends to, if causal; 0 for all",
         0},
        {"windowPeriod",
         MakeGetter(&S::windowPeriod),
         "every n-th layer has no window; 0: all have one",
         0},
        {"feedForward",
         MakeGetter(&S::feedForward),
         "inner width of the feed-forward block",
         1,
         true},
        {"experts", MakeGetter(&S::experts), "feed-forward blocks of a layer"},
        {"topK", MakeGetter(&S::topK), "experts that each token is given to"},
        {"expertGroups", MakeGetter(&S::expertGroups), "groups of successive experts"},
        {"topGroups",
         MakeGetter(&S::topGroups),
         "groups that the experts of a token are in, at most"},
        {"sharedExperts", MakeGetter(&S::sharedExperts), "experts besides that all tokens pass", 0},
        {"denseLayers", MakeGetter(&S::denseLayers), "first layers, without experts", 0},
        {"expertPeriod", MakeGetter(&S::expertPeriod), "every n-th layer has experts"},
        {"denseFeedForward",
         MakeGetter(&S::denseFeedForward),
         "width in layers without experts",
         0},
        {"futureTokens",
         MakeGetter(&S::futureTokens),
         "layers that predict one more token each",
         0},
        {"sequence", MakeGetter(&S::sequence), "tokens of a sequence", 1, true},
        {"vocabulary", MakeGetter(&S::vocabulary), "size of the vocabulary", 1, true},
        {"positions", MakeGetter(&S::positions), "rows of the table of positions", 0},
        {"predictions", MakeGetter(&S::predictions), "masked tokens of a sequence", 0},
        {"patch", MakeGetter(&S::patch), "numbers of a patch of an image", 0},
    };
    return numbers;
}

/**
 * @param name the name of an option
 * @param description its meaning
 * @param choices the names of the values of an enumeration, in its order
 * @param member the member of a shape with the value
 * @return the option
 */
template <typename Value>
WordOption
MakeChoice(const std::string& name,
           const std::string& description,
           const std::vector<std::string>& choices,
           Value TransformerShape::*member)
{
    return {
        name,
        description,
        choices,
        [member](const TransformerShape& shape) { return static_cast<std::size_t>(shape.*member); },
        [member](TransformerShape& shape, std::size_t index) {
            shape.*member = static_cast<Value>(index);
        }};
}

/**
 * @param name the name of an option
 * @param description its meaning
 * @param member the member of a shape
 * @return the option, which is yes or no
 */
WordOption
MakeAnswer(const std::string& name, const std::string& description, bool TransformerShape::*member)
{
    return {name,
            description,
            {"yes", "no"},
            [member](const TransformerShape& shape) { return shape.*member ? 0 : 1; },
            [member](TransformerShape& shape, std::size_t index) { shape.*member = index == 0; }};
}

/**
 * @return the option that all transformers have
 */
const WordOption&
GetAttention()
{
    static const WordOption attention =
        MakeChoice("attention",
                   "operators of an attention: one for each step, one in all, or one that leaves "
                   "out later tokens",
                   {"unfused", "fused", "causal"},
                   &TransformerShape::attention);
    return attention;
}

/**
 * @return the option that transformers with experts have
 */
const WordOption&
GetDispatch()
{
    static const WordOption dispatch = {
        "dispatch",
        "numbers of tokens on the way to experts, and of gradients on the way back",
        {"half", "fp8"},
        [](const TransformerShape& shape) { return shape.scaledDispatch ? 1 : 0; },
        [](TransformerShape& shape, std::size_t index) { shape.scaledDispatch = index == 1; }};
    return dispatch;
}

/**
 * @return the kernels of the cross entropy
 */
const WordOption&
GetLoss()
{
    static const WordOption loss = {
        "loss",
        "the cross entropy: one that keeps probabilities, or one that keeps its gradient",
        {"unfused", "fused"},
        [](const TransformerShape& shape) { return shape.fusedLoss ? 1 : 0; },
        [](TransformerShape& shape, std::size_t index) { shape.fusedLoss = index == 1; }};
    return loss;
}

/**
 * @return the styles
 */
const std::vector<WordOption>&
GetWords()
{
    using S = TransformerShape;
    static const std::vector<WordOption> words = {
        MakeChoice("kind",
                   "stacks of layers",
                   {"encoder", "decoder", "translator", "classifier", "diffuser"},
                   &S::kind),
        MakeChoice("norm", "normalisation", {"layer", "rms", "scale", "plain"}, &S::norm),
        MakeAnswer("normFirst", "normalisation at the beginning of blocks", &S::normFirst),
        MakeAnswer("postNorm", "normalisation at the end of blocks, too", &S::postNorm),
        MakeAnswer("headNorm", "normalisation of queries and keys", &S::headNorm),
        MakeAnswer("embeddingNorm", "normalisation of embeddings", &S::embeddingNorm),
        MakeChoice("activation",
                   "in feed-forward blocks",
                   {"gelu", "relu", "gated", "squared"},
                   &S::activation),
        MakeChoice("biases",
                   "biases of products",
                   {"yes", "feedForward", "no", "queries", "output", "attention"},
                   &S::biases),
        MakeAnswer("routerBiases", "biases of routers", &S::routerBiases),
        MakeAnswer("dropout", "dropout", &S::dropout),
        {"rotary",
         "queries and keys rotated by position",
         {"yes", "no", "alibi"},
         [](const S& shape) {
             return shape.coding == TransformerPositions::ROTARY  ? 0
                    : shape.coding == TransformerPositions::TABLE ? 1
                                                                  : 2;
         },
         [](S& shape, std::size_t index) {
             shape.coding = index == 0   ? TransformerPositions::ROTARY
                            : index == 1 ? TransformerPositions::TABLE
                                         : TransformerPositions::BIAS;
         }},
        MakeChoice("order", "of the blocks", {"serial", "parallel", "twoNorms"}, &S::order),
        MakeAnswer("sinks", "a learned score for each head", &S::sinks),
        MakeAnswer("classToken", "a token for the class of an image", &S::classToken),
        MakeAnswer("tied", "output by the table of embeddings", &S::tied),
    };
    return words;
}

/**
 * @return the styles that are no options of models
 */
const std::vector<WordOption>&
GetOwnWords()
{
    using S = TransformerShape;
    static const std::vector<WordOption> words = {
        GetAttention(),
        MakeAnswer("ownHeadNorms", "heads with normalisations of their own", &S::ownHeadNorms),
        MakeAnswer("outputGate", "a gate of the result of attention", &S::outputGate),
        MakeAnswer("sharedGate", "a gate of the result of shared experts", &S::sharedGate),
        MakeAnswer("outputBiases", "biases of the product of the output", &S::outputBiases),
    };
    return words;
}

/**
 * @param number a size
 * @param shape a shape
 * @return whether the size is one of the shape
 */
bool
Applies(const NumberOption& number, TransformerShape shape)
{
    TransformerShape usual;
    return number.isUsual || number.value(shape) != number.value(usual) ||
           (number.name == "topK" && shape.experts > 1);
}

/**
 * @param word an option
 * @param value its value
 * @param [in,out] shape the shape that gets it
 */
void
SetWord(const WordOption& word, const std::string& value, TransformerShape& shape)
{
    const auto found = std::find(word.choices.begin(), word.choices.end(), value);
    NS_ABORT_MSG_IF(found == word.choices.end(), word.name << " cannot be " << value);
    word.set(shape, static_cast<std::size_t>(found - word.choices.begin()));
}

/**
 * @param shape a shape
 * @param general true for all sizes and styles
 * @return the options of a model with this shape
 */
ModelOptions
Declare(TransformerShape shape, bool general)
{
    ModelOptions options = ZooEntry::MakeOptions(shape.name, "adam", true);
    for (const auto& number : GetNumbers())
    {
        if (general || Applies(number, shape))
        {
            options.Declare(number.name, number.value(shape), number.description, number.least);
        }
    }
    std::vector<const WordOption*> words{&GetAttention(), &GetLoss()};
    if (general || shape.experts > 1)
    {
        words.push_back(&GetDispatch());
    }
    for (const auto& word : GetWords())
    {
        if (general)
        {
            words.push_back(&word);
        }
    }
    for (const auto* word : words)
    {
        options.Declare(word->name,
                        word->choices[word->get(shape)],
                        word->description,
                        word->choices);
    }
    return options;
}

} // namespace

ZooEntry
TransformerEntry::Make(const TransformerShape& shape, const std::string& description, bool general)
{
    ZooEntry entry;
    entry.description = description;
    entry.options = Declare(shape, general);
    const auto read = [shape, general](const ModelOptions& options) {
        TransformerShape actual = shape;
        for (const auto& number : GetNumbers())
        {
            if (general || Applies(number, shape))
            {
                number.value(actual) = options.GetNumber(number.name);
            }
        }
        for (const auto* word : {&GetAttention(), &GetLoss()})
        {
            SetWord(*word, options.Get(word->name), actual);
        }
        if (general || shape.experts > 1)
        {
            SetWord(GetDispatch(), options.Get(GetDispatch().name), actual);
        }
        if (general)
        {
            for (const auto& word : GetWords())
            {
                SetWord(word, options.Get(word.name), actual);
            }
        }
        actual.training = ZooEntry::GetTrainingOptions(options);
        return actual;
    };
    entry.build = [read](const ModelOptions& options) {
        return TransformerModel::Build(read(options));
    };
    entry.infer = [read](const ModelOptions& options, const InferenceStep& step) {
        return TransformerModel::BuildInference(read(options), step);
    };
    return entry;
}

void
TransformerEntry::Set(const std::string& option, const std::string& value, TransformerShape& shape)
{
    for (const auto& number : GetNumbers())
    {
        if (number.name == option)
        {
            number.value(shape) = std::stoull(value);
            return;
        }
    }
    for (const auto* words : {&GetWords(), &GetOwnWords()})
    {
        for (const auto& word : *words)
        {
            if (word.name == option)
            {
                SetWord(word, value, shape);
                return;
            }
        }
    }
    NS_ABORT_MSG("Transformers have no option " << option);
}

} // namespace lightpath
} // namespace ns3
