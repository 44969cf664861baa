/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_LAYER_H
#define TRAINING_LAYER_H

#include "network-weights.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How far a step of Adam goes (Kingma and Ba, Adam: a method for stochastic optimization,
 * ICLR 2015).
 */
struct AdamStep
{
    float rate;        //!< The step of a parameter whose gradient does not change
    float firstScale;  //!< Correction of the bias of the mean gradient
    float secondScale; //!< Correction of the bias of the mean square
};

/**
 * @ingroup lightpath
 * @brief The running means that Adam keeps of the gradients of some parameters.
 */
class AdamMoments
{
  public:
    /**
     * @brief Move parameters against their gradients.
     *
     * @param step how far
     * @param gradients the gradients
     * @param parameters the parameters
     */
    void Update(const AdamStep& step,
                const std::vector<float>& gradients,
                std::vector<float>& parameters);

    static constexpr float FIRST_DECAY = 0.9F;    //!< Decay of the mean in a step
    static constexpr float SECOND_DECAY = 0.999F; //!< Decay of the mean square in a step

  private:
    std::vector<float> m_means;   //!< The mean gradients
    std::vector<float> m_squares; //!< The mean squares of the gradients
};

/**
 * @ingroup lightpath
 * @brief A layer of a network that is being trained.
 *
 * In the form BLOCKS its parameters are the orthogonal blocks and the diagonals before them. The
 * gradient of a block is projected onto the tangent space of the orthogonal matrices, and two
 * Newton-Schulz iterations after each step bring it back to them.
 */
class TrainingLayer
{
  public:
    /**
     * @param inputs the number of inputs
     * @param outputs the number of outputs
     * @param form the interferometers that realise the weights
     * @param normal where the first weights are drawn from, with mean 0 and variance 1
     */
    TrainingLayer(uint32_t inputs,
                  uint32_t outputs,
                  NetworkWeights::Form form,
                  Ptr<NormalRandomVariable> normal);

    /**
     * @param samples the number of samples
     * @param in the inputs, a row for each sample
     * @param out where the outputs go, a row for each sample
     */
    void Forward(std::size_t samples, const float* in, float* out) const;

    /**
     * @brief Find the gradients of the parameters.
     *
     * @param samples the number of samples
     * @param in the inputs, a row for each sample
     * @param outGradients the gradients of the outputs, a row for each sample
     * @param inGradients receives the gradients of the inputs, or nullptr
     */
    void Backward(std::size_t samples,
                  const float* in,
                  const float* outGradients,
                  float* inGradients);

    /**
     * @brief Move the parameters against their gradients.
     *
     * @param step how far
     */
    void Update(const AdamStep& step);

    /**
     * @return the number of inputs
     */
    uint32_t GetNInputs() const;

    /**
     * @return the number of outputs
     */
    uint32_t GetNOutputs() const;

    /**
     * @return the layer as it is now
     */
    NetworkLayer GetLayer() const;

    /**
     * @return the gradients of the weights, whatever they are made of, row by row
     */
    const std::vector<float>& GetWeightGradients() const;

  private:
    /**
     * @brief Draw an orthogonal matrix for each block, and make all outputs equally strong.
     *
     * @param normal where the entries are drawn from
     */
    void DrawBlocks(Ptr<NormalRandomVariable> normal);

    /**
     * @param block the index of a block
     * @param row the index of a row of it
     * @return where the row begins among the weights
     */
    std::size_t GetOffset(uint32_t block, uint32_t row) const;

    /// Make the weights of the blocks.
    void ComposeWeights();

    /// Compute the gradients of the blocks and their diagonals from the gradients of the weights.
    void ComposeGradients();

    /**
     * @brief Remove from the gradient of a block what would not leave it orthogonal.
     *
     * @param block the index of the block
     */
    void Project(uint32_t block);

    /**
     * @brief Make a block orthogonal again.
     *
     * @param block the index of the block
     */
    void Retract(uint32_t block);

    uint32_t m_inputs;                      //!< The number of inputs
    uint32_t m_outputs;                     //!< The number of outputs
    NetworkWeights::Form m_form;            //!< Interferometers that realise the weights
    uint32_t m_size{0};                     //!< The rows, and columns, of a block
    uint32_t m_blocks{0};                   //!< The number of blocks
    std::vector<float> m_weights;           //!< The weights, row by row
    std::vector<float> m_bias;              //!< The bias of each output
    std::vector<float> m_orthogonal;        //!< The orthogonal blocks, one after the other
    std::vector<float> m_diagonal;          //!< The diagonals of the blocks
    std::vector<float> m_weightGradients;   //!< The gradients of the weights
    std::vector<float> m_biasGradients;     //!< The gradients of the bias
    std::vector<float> m_blockGradients;    //!< The gradients of the orthogonal blocks
    std::vector<float> m_diagonalGradients; //!< The gradients of the diagonals
    AdamMoments m_weightMoments;            //!< Of the weights or the orthogonal blocks
    AdamMoments m_biasMoments;              //!< Of the bias
    AdamMoments m_diagonalMoments;          //!< Of the diagonals
    std::vector<float> m_product;           //!< Room for a block
    std::vector<float> m_other;             //!< Room for another block
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_LAYER_H */
