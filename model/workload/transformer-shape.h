/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_SHAPE_H
#define TRANSFORMER_SHAPE_H

#include "training-graph-builder.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/// The stacks of layers that a transformer has.
enum class TransformerKind : uint8_t
{
    ENCODER,    //!< Predicts masked tokens and the next sentence (BERT, Devlin et al. 2019)
    DECODER,    //!< Predicts each token from those before it (GPT-2, Radford et al. 2019)
    TRANSLATOR, //!< An encoder that a decoder attends to (Vaswani et al. 2017)
};

/// How the blocks of a transformer normalise activations.
enum class TransformerNorm : uint8_t
{
    LAYER, //!< Layer normalisation, with scale and offset (Ba et al. 2016)
    RMS,   //!< By the root mean square, with scale alone (Zhang and Sennrich 2019)
};

/// Activation functions between the products of a feed-forward block.
enum class TransformerActivation : uint8_t
{
    GELU,  //!< A smooth rectifier (Hendrycks and Gimpel 2016)
    RELU,  //!< A rectifier
    GATED, //!< The product of two projections, one of them smoothed (SwiGLU, Shazeer 2020)
};

/// The matrix products in the layers of a transformer that have biases.
enum class TransformerBiases : uint8_t
{
    ALL,          //!< All of them
    FEED_FORWARD, //!< Those of the feed-forward blocks
    NONE,         //!< None of them
};

/**
 * @ingroup lightpath
 * @brief The size of a transformer, and the style of its layers.
 *
 * By default, a shape has the layers of GPT-2.
 */
struct TransformerShape
{
    std::string name;         //!< Name of the model
    uint32_t layers{0};       //!< Layers; of the encoder and of the decoder each, if there are both
    uint64_t width{0};        //!< Elements of a token's activation, the hidden size
    uint64_t heads{0};        //!< Attention heads
    uint64_t kvHeads{0};      //!< Heads of keys and values, each shared by as many heads of queries
                              //!< (Ainslie et al. 2023); 0 for one for each head
    uint64_t feedForward{0};  //!< Inner width of the feed-forward block, or of each expert
    uint64_t experts{1};      //!< Feed-forward blocks that the tokens of a layer are divided among
    uint64_t topK{1};         //!< Experts that each token is given to
    uint64_t sequence{0};     //!< Tokens of a sequence
    uint64_t vocabulary{0};   //!< Size of the vocabulary
    uint64_t positions{0};    //!< Rows of the learned table of positions, if there is one
    uint64_t predictions{0};  //!< Tokens of a sequence that an encoder has to predict
    TrainingOptions training; //!< Numbers that it is trained in, and optimiser

    TransformerKind kind{TransformerKind::DECODER};                //!< Its stacks of layers
    TransformerNorm norm{TransformerNorm::LAYER};                  //!< Its normalisations
    TransformerActivation activation{TransformerActivation::GELU}; //!< Inside feed-forward blocks
    TransformerBiases biases{TransformerBiases::ALL};              //!< Of its matrix products
    bool normFirst{true}; //!< True if blocks begin with their normalisation, false if they end
    bool dropout{true};   //!< True if attention, blocks and embedding have dropout
    bool fused{false};    //!< True if an attention is one operator, which keeps no scores
    bool rotary{false};   //!< True if queries and keys are rotated by position (Su et al. 2021)
    bool tied{true};      //!< True if the output uses the table of embeddings

    /**
     * Check that the transformer is possible, and that its costs, in bytes and operations for a
     * sample, are numbers of 64 bits. Otherwise std::invalid_argument.
     */
    void Check() const;

    /**
     * @return the elements of a head
     */
    uint64_t GetHeadWidth() const;

    /**
     * @return the heads of keys and values
     */
    uint64_t GetKvHeads() const;

  private:
    /**
     * Check the heads of the attention.
     */
    void CheckHeads() const;

    /**
     * Check the tokens, which depend on the kind of the transformer.
     */
    void CheckTokens() const;

    /**
     * Check the costs.
     */
    void CheckCosts() const;
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_SHAPE_H */
