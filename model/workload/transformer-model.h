/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_MODEL_H
#define TRANSFORMER_MODEL_H

#include "operator-graph.h"
#include "transformer-shape.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Builds the graphs of transformers of any size.
 *
 * A tensor-parallel group splits the table of embeddings by token: the lookup is ROW (each GPU
 * finds the tokens that it has, and the results are summed), the product with it is COLUMN, and the
 * loss works on the share that it leaves. The sums that a loss on a share needs, of three numbers
 * for each token, are not counted. The first layer is the embedding and the last one has the
 * product with the table and the loss. Where blocks begin with their normalisation, a stack of
 * layers ends with one; both are counted among the parameters.
 *
 * - An encoder, in the manner of BERT, has a table of 2 segments, a normalisation after the
 *   embedding if blocks end with theirs, and both heads that it is trained with: the masked tokens,
 *   which are picked before the head works on them, and the next sentence.
 * - A decoder, in the manner of GPT-2, predicts the next token at each place.
 * - A translator has an encoder and a decoder which share one table of embeddings. Source and
 *   target have the same number of tokens.
 *
 * Positions come from a learned table, from rotations of queries and keys, or otherwise from
 * sinusoids.
 */
class TransformerModel
{
  public:
    /**
     * @param shape the size and the style of a transformer; std::invalid_argument if it is
     *        impossible
     * @return the graph of a training iteration
     */
    static OperatorGraph Build(const TransformerShape& shape);

    /**
     * Build the graph of a step of inference: forward operators alone, by causal attention without
     * dropout, that keep what they add to the cache (Operator::contextBytes). Only the last token
     * of a sequence has logits; the choice of the next token among them is not counted.
     *
     * @param shape the size and the style of a decoder; std::invalid_argument if it is another
     *        transformer
     * @param step the tokens
     * @return the graph
     */
    static OperatorGraph BuildInference(TransformerShape shape, const InferenceStep& step);
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_MODEL_H */
