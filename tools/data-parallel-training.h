/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_DATA_PARALLEL_TRAINING_H
#define LIGHTPATH_DATA_PARALLEL_TRAINING_H

#include "gradient-reducer.h"
#include "small-classifier.h"

#include "ns3/nstime.h"

#include <memory>

/// What a training takes, and how it goes.
struct LearningOptions
{
    uint32_t epochs{30};                          //!< Times that all images are seen
    uint32_t batch{64};                           //!< Images of a step, over all servers
    double rate{0.1};                             //!< Learning rate
    double momentum{0.9};                         //!< Momentum
    std::size_t testImages{360};                  //!< Last images, which are not learnt from
    ns3::Time computeTime{ns3::MicroSeconds(20)}; //!< Of a step, on a server
};

/**
 * @ingroup lightpath
 * @brief Servers that train a classifier each on images of their own and average their gradients.
 *
 * In each step a server finds the mean gradient of its part of the batch, has it averaged with
 * those of the others, and learns from the average. All begin with the same parameters. The order
 * of the images and the parameters follow from RngRun.
 */
class DataParallelTraining
{
  public:
    /**
     * @param images the images; they must outlive this object
     * @param options what it takes
     * @param reducers what averages the gradients, one a server
     */
    DataParallelTraining(const std::vector<DigitImage>& images,
                         const LearningOptions& options,
                         std::vector<std::unique_ptr<GradientReducer>> reducers);

    /// Begin, as the simulation does.
    void Start();

    /**
     * @return when the last server has ended; zero if one has not
     */
    ns3::Time GetEnd() const;

    /**
     * @return how well the first server tells the last images apart
     */
    SmallClassifier::Score GetTestScore() const;

    /**
     * @return how well it tells those apart that it has learnt from
     */
    SmallClassifier::Score GetTrainingScore() const;

    /**
     * @return whether all servers have the same parameters
     */
    bool AreEqual() const;

    /**
     * @return the bytes that a server has sent, with all headers
     */
    uint64_t GetSentBytes() const;

    /**
     * @return the number of steps
     */
    uint32_t GetNSteps() const;

  private:
    /// A server.
    struct Server
    {
        std::unique_ptr<SmallClassifier> classifier; //!< What it trains
        std::unique_ptr<GradientReducer> reducer;    //!< What averages its gradients
        std::vector<float> gradient;                 //!< Its gradient
        uint32_t step{0};                            //!< Steps that it has ended
    };

    /**
     * Draw the order of the images.
     */
    void Shuffle();

    /**
     * A server has computed its gradient.
     *
     * @param server its number
     */
    void EndCompute(std::size_t server);

    /**
     * The average of a server is there.
     *
     * @param server its number
     */
    void EndAverage(std::size_t server);

    const std::vector<DigitImage>& m_images; //!< The images
    LearningOptions m_options;               //!< What it takes
    std::vector<Server> m_servers;           //!< The servers
    std::vector<uint32_t> m_order;           //!< Images of all steps, one after the other
    ns3::Time m_end;                         //!< When the last server has ended
    std::size_t m_ended{0};                  //!< Servers that have
};

#endif /* LIGHTPATH_DATA_PARALLEL_TRAINING_H */
