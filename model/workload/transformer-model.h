/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_MODEL_H
#define TRANSFORMER_MODEL_H

#include "operator-graph.h"
#include "training-graph-builder.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The size of a transformer.
 */
struct TransformerShape
{
    std::string name;         //!< Name of the model
    uint32_t layers{0};       //!< Layers; of the encoder and of the decoder each, if there are both
    uint64_t width{0};        //!< Elements of a token's activation, the hidden size
    uint64_t heads{0};        //!< Attention heads
    uint64_t feedForward{0};  //!< Inner width of the feed-forward block
    uint64_t sequence{0};     //!< Tokens of a sequence
    uint64_t vocabulary{0};   //!< Size of the vocabulary
    uint64_t positions{0};    //!< Rows of the learned table of positions, if there is one
    uint64_t predictions{0};  //!< Tokens of a sequence that an encoder has to predict
    TrainingOptions training; //!< Numbers that it is trained in, and optimiser
};

/**
 * @ingroup lightpath
 * @brief Builds the graphs of transformers of any size.
 *
 * All of them use the table of embeddings for their output too. A tensor-parallel group splits it
 * by token: the lookup is ROW (each GPU finds the tokens that it has, and the results are summed),
 * the product with it is COLUMN, and the loss works on the share that it leaves. The sums that a
 * loss on a share needs, of three numbers for each token, are not counted. The first layer is the
 * embedding and the last one has the product with it and the loss.
 */
class TransformerModel
{
  public:
    /**
     * An encoder in the manner of BERT, with both heads that it is trained with: the masked tokens,
     * which are picked before the head works on them, and the next sentence.
     *
     * @param shape its size
     * @return its graph
     */
    static OperatorGraph BuildEncoder(const TransformerShape& shape);

    /**
     * A decoder in the manner of GPT-2.
     *
     * @param shape its size
     * @return its graph
     */
    static OperatorGraph BuildDecoder(const TransformerShape& shape);

    /**
     * An encoder and a decoder for translation, in the manner of fairseq's
     * transformer_wmt_en_de_big_t2t: blocks begin with their layer normalisation and both stacks
     * end with one, attention has no biases, positions are sinusoids. Source and target have the
     * same number of tokens.
     *
     * @param shape its size
     * @return its graph
     */
    static OperatorGraph BuildTranslator(const TransformerShape& shape);
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_MODEL_H */
