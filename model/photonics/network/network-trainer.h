/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_TRAINER_H
#define NETWORK_TRAINER_H

#include "network-weights.h"
#include "training-layer.h"

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Trains a network to average words, on all combinations of sums of digits.
 *
 * The loss is the mean square of the distance of the outputs from the digits of the average, which
 * is rounded to the nearest word, up if there are two; Adam's rate falls from FirstRate to LastRate
 * as half a period of a cosine.
 *
 * What comes out follows from the attributes, the random streams, the machine and its BLAS with the
 * number of its threads: another order of additions is another network.
 */
class NetworkTrainer : public Object
{
  public:
    NetworkTrainer();

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Draw the first weights. Refuses sizes that do not fit the words, or have no square
     * blocks, by std::invalid_argument.
     *
     * @param form the interferometers that realise the weights
     * @param sizes the sizes of the layers, from the inputs to the outputs
     */
    void Start(NetworkWeights::Form form, const std::vector<uint32_t>& sizes);

    /**
     * @brief Go once through all combinations, in a random order.
     *
     * @return the mean loss
     */
    double RunEpoch();

    /**
     * @return the epochs that have not been run
     */
    uint32_t GetNEpochsLeft() const;

    /**
     * @brief Try all combinations.
     *
     * @return how many have an average with a wrong digit
     */
    uint64_t CountErrors();

    /**
     * @return the network as it is now
     */
    NetworkWeights GetWeights() const;

    /**
     * @param stream the first of the random streams to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /// Put all combinations and their averages down.
    void MakeSamples();

    /// Put all combinations in a random order.
    void Shuffle();

    /**
     * @brief Find the outputs of samples.
     *
     * @param samples the number of samples, whose inputs are in place
     */
    void Forward(std::size_t samples);

    /**
     * @brief Learn from samples.
     *
     * @param first the first of them, in the random order
     * @param samples the number of them
     * @return the sum of their losses
     */
    double Learn(std::size_t first, std::size_t samples);

    /**
     * @return how far the next step goes
     */
    AdamStep GetStep() const;

    uint32_t m_servers;          //!< The servers whose words are averaged
    uint32_t m_bits;             //!< The bits of a word
    uint32_t m_epochs;           //!< The epochs to run
    uint32_t m_batch;            //!< The samples of a step
    double m_firstRate;          //!< Adam's rate at the beginning
    double m_lastRate;           //!< Adam's rate at the end
    NetworkWeights::Form m_form; //!< Interferometers that realise the weights
    uint64_t m_steps{0};         //!< The steps that were taken
    uint32_t m_done{0};          //!< The epochs that were run

    Ptr<NormalRandomVariable> m_normal;   //!< The first weights
    Ptr<UniformRandomVariable> m_uniform; //!< The order of the samples

    uint32_t m_width{0};                           //!< The digits of a word
    std::vector<float> m_inputs;                   //!< The inputs of all samples
    std::vector<float> m_targets;                  //!< The digits of their averages
    std::vector<uint32_t> m_order;                 //!< The order of the samples
    std::vector<TrainingLayer> m_layers;           //!< The layers
    std::vector<std::vector<float>> m_activations; //!< The inputs, then the outputs of each layer
    std::vector<std::vector<float>> m_gradients;   //!< The gradients of the same
};

} // namespace lightpath
} // namespace ns3

#endif /* NETWORK_TRAINER_H */
