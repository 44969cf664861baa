/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_SHAPE_H
#define TRANSFORMER_SHAPE_H

#include "inference-step.h"
#include "training-graph-builder.h"

#include <cstdint>
#include <optional>
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
    CLASSIFIER, //!< Names the class of an image from its patches (Dosovitskiy et al. 2021)
    DIFFUSER,   //!< Predicts the noise of an image from its patches (Peebles and Xie 2023)
};

/// How the blocks of a transformer normalise activations.
enum class TransformerNorm : uint8_t
{
    LAYER, //!< Layer normalisation, with scale and offset (Ba et al. 2016)
    RMS,   //!< By the root mean square, with scale alone (Zhang and Sennrich 2019)
    SCALE, //!< Layer normalisation with scale alone
    PLAIN, //!< Layer normalisation without parameters
};

/// Activation functions between the products of a feed-forward block.
enum class TransformerActivation : uint8_t
{
    GELU,    //!< A smooth rectifier (Hendrycks and Gimpel 2016)
    RELU,    //!< A rectifier
    GATED,   //!< The product of two projections, one of them smoothed (SwiGLU, Shazeer 2020)
    SQUARED, //!< The square of a rectifier (So et al. 2021)
};

/// The matrix products in the layers of a transformer that have biases.
enum class TransformerBiases : uint8_t
{
    ALL,          //!< All of them
    FEED_FORWARD, //!< Those of the feed-forward blocks
    NONE,         //!< None of them
    QUERIES,      //!< Those to queries, keys and values
    OUTPUT,       //!< All but those to queries, keys and values
    ATTENTION,    //!< Those of attention
};

/// How the operators of an attention are divided, and which pairs of tokens they multiply.
enum class TransformerAttention : uint8_t
{
    UNFUSED, //!< An operator for each step, over all pairs
    FUSED,   //!< One operator over all pairs, which keeps no scores
    CAUSAL,  //!< One operator that leaves out the pairs of a token and a later one
};

/// How positions reach the layers.
enum class TransformerPositions : uint8_t
{
    TABLE,  //!< By a learned table, or by sinusoids if it has no rows
    ROTARY, //!< By rotation of queries and keys (Su et al. 2021)
    BIAS,   //!< By a bias of the scores (ALiBi, Press et al. 2022), which costs nothing here
};

/// How the two blocks of a layer follow each other.
enum class TransformerOrder : uint8_t
{
    SERIAL,   //!< The feed-forward block reads the result of the attention
    PARALLEL, //!< Both read the same normalisation, and their results are added
    TWO_NORMS //!< Both read the input of the layer, each by a normalisation of its own
};

/**
 * @ingroup lightpath
 * @brief Latent attention (DeepSeek-AI 2024): queries, and keys with values, are expanded from
 * vectors of a low rank; a part of the keys is rotated, and all heads share it.
 */
struct LatentAttention
{
    uint64_t queryRank{0};   //!< Elements that queries are expanded from; 0 for those of the token
    uint64_t keyRank{0};     //!< Elements that keys and values are expanded from; 0 for no latent
                             //!< attention
    uint64_t rotaryWidth{0}; //!< Elements of a query and of a key that are rotated
    uint64_t valueWidth{0};  //!< Elements of a value of a head
};

/**
 * @ingroup lightpath
 * @brief Linear attention (gated delta rule, Yang et al. 2024): a convolution over a few tokens,
 * and a state for each head of values in place of keys and values of all tokens.
 */
struct LinearAttention
{
    uint64_t period{0};     //!< Every n-th layer has another attention; 0 for no linear attention
    uint64_t keyHeads{0};   //!< Heads of queries, and of keys
    uint64_t valueHeads{0}; //!< Heads of values
    uint64_t keyWidth{0};   //!< Elements of a query, and of a key
    uint64_t valueWidth{0}; //!< Elements of a value
    uint64_t kernel{0};     //!< Tokens of the convolution
};

/**
 * @ingroup lightpath
 * @brief The size of a transformer, and the style of its layers.
 *
 * By default, a shape has the layers of GPT-2.
 */
struct TransformerShape
{
    std::string name;       //!< Name of the model
    uint64_t layers{0};     //!< Layers; of the encoder and of the decoder each, if there are both
    uint64_t width{0};      //!< Elements of a token's activation, the hidden size
    uint64_t heads{0};      //!< Attention heads
    uint64_t kvHeads{0};    //!< Heads of keys and values, each shared by as many heads of queries
                            //!< (Ainslie et al. 2023); 0 for one for each head
    uint64_t headWidth{0};  //!< Elements of a head, without those that a latent attention rotates;
                            //!< 0 to divide the width by the heads
    LatentAttention latent; //!< Latent attention, if its rank of keys is above 0
    LinearAttention linear; //!< Linear attention, if its period is above 0
    uint64_t window{0};     //!< Tokens that a token attends to at most, with causal attention; 0
                            //!< for all
    uint64_t windowPeriod{0};  //!< Every n-th layer attends to all tokens; 0 for none of them
    uint64_t feedForward{0};   //!< Inner width of the feed-forward block, or of each expert
    uint64_t experts{1};       //!< Feed-forward blocks that the tokens of a layer are divided among
    uint64_t topK{1};          //!< Experts that each token is given to
    uint64_t expertGroups{1};  //!< Groups of successive experts
    uint64_t topGroups{1};     //!< Groups that the experts of a token are in, at most
    uint64_t sharedExperts{0}; //!< Experts besides, which all tokens pass
    uint64_t sharedWidth{0};   //!< Inner width of all of these together; 0 for that of as many
                               //!< experts
    uint64_t denseLayers{0};   //!< The first layers, which have no experts
    uint64_t expertPeriod{1};  //!< Every n-th layer has experts
    uint64_t denseFeedForward{0}; //!< Inner width of the feed-forward block of layers without
                                  //!< experts beside layers with experts
    uint64_t futureTokens{0};     //!< Layers behind the last one that predict one token more each
                                  //!< (multi-token prediction, DeepSeek-AI 2024)
    uint64_t sequence{0};         //!< Tokens of a sequence
    uint64_t vocabulary{0};       //!< Size of the vocabulary
    uint64_t positions{0};        //!< Rows of the learned table of positions, if there is one
    uint64_t predictions{0};      //!< Tokens of a sequence that an encoder has to predict
    uint64_t patch{0};            //!< Numbers of a patch of an image
    TrainingOptions training;     //!< Numbers that it is trained in, and optimiser
    std::optional<InferenceStep> inference; //!< The step of inference; empty for training

    TransformerKind kind{TransformerKind::DECODER};                //!< Its stacks of layers
    TransformerNorm norm{TransformerNorm::LAYER};                  //!< Its normalisations
    TransformerActivation activation{TransformerActivation::GELU}; //!< Inside feed-forward blocks
    TransformerBiases biases{TransformerBiases::ALL};              //!< Of its matrix products
    bool normFirst{true};      //!< True if blocks begin with their normalisation, false if they end
    bool dropout{true};        //!< True if attention, blocks and embedding have dropout
    bool tied{true};           //!< True if the output uses the table of embeddings
    bool embeddingNorm{false}; //!< True if embeddings are normalised
    bool headNorm{false};      //!< True if the queries and keys of each head are normalised
    bool ownHeadNorms{false};  //!< True if the heads do not share the parameters of this
    bool outputGate{false};    //!< True if the result of attention is gated by a product
    bool sharedGate{false};    //!< True if the result of shared experts is gated by a product
    bool outputBiases{false};  //!< True if the product with the table of the output has biases
    bool postNorm{false};     //!< True if blocks that begin with a normalisation end with one, too,
                              //!< ahead of the sum
    bool classToken{false};   //!< True if a classifier judges by a token of its own, false if by
                              //!< the mean of all tokens
    bool sinks{false};        //!< True if each head has a learned score that is no token's
    bool routerBiases{false}; //!< True if the router has a bias for each expert
    bool fusedLoss{false};    //!< Whether one kernel makes the cross entropy and its gradient
    bool scaledDispatch{false}; //!< True if tokens, and gradients on the way back, travel to
                                //!< experts with 8 bits for a number
    TransformerAttention attention{TransformerAttention::UNFUSED}; //!< Its attention
    TransformerPositions coding{TransformerPositions::TABLE};      //!< Its positions
    TransformerOrder order{TransformerOrder::SERIAL};              //!< Of the blocks of a layer

    /**
     * Check that the transformer is possible, and that its costs, in bytes and operations for a
     * sample, are numbers of 64 bits. Otherwise std::invalid_argument.
     */
    void Check() const;

    /**
     * @return the elements of a query and of a key of a head
     */
    uint64_t GetHeadWidth() const;

    /**
     * @return the elements of a value of a head
     */
    uint64_t GetValueWidth() const;

    /**
     * @return the heads of keys and values
     */
    uint64_t GetKvHeads() const;

    /**
     * @return the tokens of a sequence, the cached ones included
     */
    uint64_t GetContext() const;

    /**
     * @return the most tokens that a sequence ever has
     */
    uint64_t GetTokens() const;

    /**
     * @return the GPUs that each hold what a latent attention expands keys and values from, as each
     *         has some of the heads
     */
    uint64_t GetLatentCopies() const;

    /**
     * @return the elements that the cache of a layer holds for a token, on all GPUs that share it:
     *         its keys and values, or what a latent attention expands them from
     */
    uint64_t GetCacheWidth() const;

    /**
     * @return the inner width of all experts together that all tokens pass
     */
    uint64_t GetSharedWidth() const;

    /**
     * @param layer the number of a layer, from 1 on
     * @return whether its attention is linear
     */
    bool IsLinear(uint64_t layer) const;

    /**
     * @return whether latent attention multiplies queries with the cache as it is, with the
     *         expansions of keys and values absorbed in those of queries and results (DeepSeek-AI
     *         2024)
     */
    bool IsAbsorbed() const;

    /**
     * @return whether there are images instead of sequences of tokens
     */
    bool IsVisual() const;

    /**
     * @param layer the number of a layer, from 1 on
     * @return whether it has experts
     */
    bool HasExperts(uint64_t layer) const;

    /**
     * @param layer the number of a layer, from 1 on
     * @param rows tokens that attend, the last ones
     * @param columns tokens that are attended to
     * @return the pairs of them that the layer's attention multiplies
     */
    uint64_t GetPairs(uint64_t layer, uint64_t rows, uint64_t columns) const;

    /**
     * @param layer the number of a layer, from 1 on
     * @param rows tokens that attend, the last ones
     * @param columns tokens that there are
     * @return how many of the latter the layer's attention reads
     */
    uint64_t GetReach(uint64_t layer, uint64_t rows, uint64_t columns) const;

  private:
    /**
     * @param layer the number of a layer, from 1 on
     * @param columns tokens that there are
     * @return the most of them that a token attends to
     */
    uint64_t GetWindow(uint64_t layer, uint64_t columns) const;

    /**
     * Check the heads of the attention.
     */
    void CheckHeads() const;

    /**
     * Check the sizes of a latent attention, and that nothing contradicts it.
     */
    void CheckLatent() const;

    /**
     * Check the experts.
     */
    void CheckExperts() const;

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
