/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-shape.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most layers that a stack can have.
constexpr uint64_t MOST_LAYERS = 10000;

/// The most multiply-adds of a sample. Both passes together take 6 times as many operations.
constexpr double MOST_MULTIPLY_ADDS = 1.0e18;

/// The most elements of activations of a sample, and the most parameters. No operator, and no sum
/// over the graph, has more than 128 times as many bytes.
constexpr double MOST_ELEMENTS = 5.0e16;

/**
 * @param condition the condition that must hold
 * @param message the message otherwise
 */
void
Require(bool condition, const std::string& message)
{
    if (!condition)
    {
        throw std::invalid_argument(message);
    }
}

} // namespace

uint64_t
TransformerShape::GetKvHeads() const
{
    return kvHeads == 0 ? heads : kvHeads;
}

uint64_t
TransformerShape::GetHeadWidth() const
{
    return (headWidth == 0 ? width / heads : headWidth) +
           (latent.keyRank > 0 ? latent.rotaryWidth : 0);
}

uint64_t
TransformerShape::GetValueWidth() const
{
    return latent.keyRank > 0 ? latent.valueWidth : GetHeadWidth();
}

uint64_t
TransformerShape::GetContext() const
{
    return sequence + (inference ? inference->cached : 0);
}

uint64_t
TransformerShape::GetTokens() const
{
    return std::max(GetContext(), inference ? inference->capacity : 0);
}

uint64_t
TransformerShape::GetLatentCopies() const
{
    return inference && heads % inference->gpus == 0 ? inference->gpus : 1;
}

uint64_t
TransformerShape::GetCacheWidth() const
{
    return latent.keyRank > 0 ? GetLatentCopies() * (latent.keyRank + latent.rotaryWidth)
                              : GetKvHeads() * (GetHeadWidth() + GetValueWidth());
}

uint64_t
TransformerShape::GetSharedWidth() const
{
    return sharedWidth > 0 ? sharedWidth : sharedExperts * feedForward;
}

bool
TransformerShape::IsLinear(uint64_t layer) const
{
    return linear.period > 0 && layer % linear.period != 0;
}

bool
TransformerShape::IsAbsorbed() const
{
    return latent.keyRank > 0 && inference && inference->cached > 0;
}

bool
TransformerShape::IsVisual() const
{
    return kind == TransformerKind::CLASSIFIER || kind == TransformerKind::DIFFUSER;
}

bool
TransformerShape::HasExperts(uint64_t layer) const
{
    return experts > 1 && layer > denseLayers && layer % expertPeriod == 0;
}

uint64_t
TransformerShape::GetPairs(uint64_t layer, uint64_t rows, uint64_t columns) const
{
    if (attention != TransformerAttention::CAUSAL)
    {
        return rows * columns;
    }
    const uint64_t most = GetWindow(layer, columns);
    const uint64_t before = columns - rows;
    // The first rows attend to fewer tokens: to those before and to 1 row, 2 rows and so on
    const uint64_t growing = before < most ? std::min(most - before, rows) : 0;
    return growing * before + growing * (growing + 1) / 2 + (rows - growing) * most;
}

uint64_t
TransformerShape::GetReach(uint64_t layer, uint64_t rows, uint64_t columns) const
{
    return attention == TransformerAttention::CAUSAL
               ? std::min(columns, GetWindow(layer, columns) + rows - 1)
               : columns;
}

uint64_t
TransformerShape::GetWindow(uint64_t layer, uint64_t columns) const
{
    const bool isWhole = window == 0 || (windowPeriod > 0 && layer % windowPeriod == 0);
    return isWhole ? columns : std::min(window, columns);
}

void
TransformerShape::Check() const
{
    Require(layers > 0 && feedForward > 0 && sequence > 0 && vocabulary > 0,
            "Model \"" + name +
                "\" needs at least one layer, inner element of the feed-forward block, token of a "
                "sequence and token of the vocabulary");
    Require(layers <= MOST_LAYERS,
            "Model \"" + name + "\" cannot have " + std::to_string(layers) +
                " layers: the most are " + std::to_string(MOST_LAYERS));
    CheckHeads();
    CheckLatent();
    CheckTokens();
    CheckExperts();
    CheckCosts();
}

void
TransformerShape::CheckExperts() const
{
    Require(topK >= 1 && topK <= experts,
            "A token of model \"" + name + "\" cannot be given to " + std::to_string(topK) +
                " of " + std::to_string(experts) + " experts: topK must be from 1 to experts");
    Require(expertPeriod > 0,
            "Model \"" + name + "\" has experts in every n-th layer: expertPeriod must be above 0");
    const bool areGroups = expertGroups > 0 && experts % expertGroups == 0;
    Require(areGroups && topGroups >= 1 && topGroups <= expertGroups &&
                topK <= experts / expertGroups * topGroups,
            "Model \"" + name + "\" cannot choose " + std::to_string(topK) + " of " +
                std::to_string(experts) + " experts in " + std::to_string(topGroups) + " of " +
                std::to_string(expertGroups) +
                " groups: expertGroups must divide experts, and topGroups of them have topK");
    const bool hasDense = experts > 1 && (denseLayers > 0 || expertPeriod > 1);
    Require(!hasDense || denseFeedForward > 0,
            "Model \"" + name +
                "\" has layers without experts, whose feed-forward blocks have no width: "
                "denseFeedForward must be above 0");
}

void
TransformerShape::CheckHeads() const
{
    Require(heads > 0 && width > 0 && (headWidth > 0 || width % heads == 0),
            "A transformer of width " + std::to_string(width) + " cannot have " +
                std::to_string(heads) + " heads: their number must divide the width");
    Require(heads % GetKvHeads() == 0,
            "The " + std::to_string(heads) + " heads of model \"" + name + "\" cannot share " +
                std::to_string(GetKvHeads()) +
                " heads of keys and values: kvHeads must divide heads");
    const uint64_t rotated = latent.keyRank > 0 ? latent.rotaryWidth : GetHeadWidth();
    Require(coding != TransformerPositions::ROTARY || rotated % 2 == 0,
            "Model \"" + name + "\" cannot rotate heads of " + std::to_string(rotated) +
                " elements: their number must be even");
}

void
TransformerShape::CheckLatent() const
{
    if (latent.keyRank == 0)
    {
        Require(latent.queryRank == 0 && latent.rotaryWidth == 0 && latent.valueWidth == 0,
                "Model \"" + name +
                    "\" has no latent attention: keyRank must be above 0, or queryRank, "
                    "rotaryWidth and valueWidth must be 0");
        return;
    }
    const std::string beginning = "The latent attention of model \"" + name + "\" ";
    Require(headWidth > 0 && latent.valueWidth > 0 && latent.rotaryWidth > 0 &&
                coding == TransformerPositions::ROTARY,
            beginning + "rotates a part of its heads: headWidth, valueWidth and rotaryWidth must "
                        "be above 0, and rotary must be yes");
    Require(GetKvHeads() == heads,
            beginning + "expands keys and values of all heads: kvHeads must be 0");
    Require(!headNorm && biases != TransformerBiases::ALL && biases != TransformerBiases::QUERIES,
            beginning + "has neither normalised heads nor biases of queries: headNorm must be no, "
                        "and biases must be no, feedForward or output");
    Require(kind != TransformerKind::TRANSLATOR,
            beginning + "reads one stack: kind cannot be translator");
}

void
TransformerShape::CheckTokens() const
{
    Require(coding == TransformerPositions::TABLE || positions == 0,
            "Model \"" + name +
                "\" has rotary positions and a table of positions: either rotary must be "
                "no or positions must be 0");
    Require(
        attention != TransformerAttention::CAUSAL || kind == TransformerKind::DECODER,
        "Model \"" + name +
            "\" is no decoder, and its tokens attend to later ones: attention cannot be causal");
    Require(attention == TransformerAttention::CAUSAL || window == 0,
            "Model \"" + name +
                "\" attends to later tokens: window must be 0 unless attention is causal");
    Require(kind == TransformerKind::DECODER || futureTokens == 0,
            "Model \"" + name + "\" is no decoder: futureTokens must be 0");
    Require(kind == TransformerKind::CLASSIFIER || !classToken,
            "Model \"" + name + "\" is no classifier: classToken must be no");
    Require(IsVisual() == (patch > 0),
            "Model \"" + name + "\" must have numbers of a patch if and only if it reads images");
    Require(positions == 0 || positions >= GetTokens(),
            "Model \"" + name + "\" has positions for " + std::to_string(positions) +
                " tokens, fewer than the " + std::to_string(GetTokens()) +
                " of a sequence: positions must be at least as many, or 0 for no table");
    if (kind == TransformerKind::ENCODER)
    {
        Require(predictions >= 1 && predictions <= sequence,
                "Encoder \"" + name + "\" cannot predict " + std::to_string(predictions) +
                    " tokens of a sequence: predictions must be from 1 to the " +
                    std::to_string(sequence) + " that there are");
    }
    else
    {
        Require(predictions == 0,
                "Model \"" + name +
                    "\" is no encoder and predicts every token: predictions must be 0");
    }
}

void
TransformerShape::CheckCosts() const
{
    // Upper bounds; the layers of a translator's decoder have twice the attention
    const double stacks =
        kind == TransformerKind::TRANSLATOR ? 3.0 * layers : layers + 1.0 * futureTokens;
    // A latent attention has no product wider than the width of a token or of all heads
    const double h = std::max({width,
                               heads * GetHeadWidth(),
                               heads * GetValueWidth(),
                               latent.queryRank,
                               latent.keyRank,
                               linear.keyHeads * linear.keyWidth,
                               linear.valueHeads * linear.valueWidth});
    const double s = sequence;
    const double context = GetTokens();
    const double v = vocabulary * (1.0 + futureTokens);
    const double inner =
        std::max<double>(1.0 * feedForward + 1.0 * GetSharedWidth(), denseFeedForward);
    const double f = 3.0 * h * inner;
    const double multiplyAdds =
        stacks * s * (4 * h * h + 2 * context * h + f * topK + h * experts) +
        s * (h * v + h * h + 3.0 * patch * h);
    const double activations =
        stacks * s * (context * heads + 6 * h + (3.0 * inner + 2 * h) * topK + experts) +
        s * (v + 3 * h + 3.0 * patch);
    const double parameters = stacks * (10 * h * h + (10 + 4.0 * linear.kernel) * h +
                                        experts * (f + 3.0 * inner + 2 * h)) +
                              h * (2 * v + h + positions + 8) + v + 3.0 * patch * (h + 1);
    Require(multiplyAdds < MOST_MULTIPLY_ADDS && activations < MOST_ELEMENTS &&
                parameters < MOST_ELEMENTS,
            "Model \"" + name +
                "\" is too large: a sample must have less than 10^18 multiply-adds and 5 * 10^16 "
                "elements of activations, and the model less than 5 * 10^16 parameters");
}

} // namespace lightpath
} // namespace ns3
