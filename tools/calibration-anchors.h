/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CALIBRATION_ANCHORS_H
#define CALIBRATION_ANCHORS_H

#include "ns3/training-plan.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lightpath
 * Published measurements of training.
 */

namespace ns3
{
namespace lightpath
{

/**
 * @brief A published measurement of a training job, and all that is needed to simulate it.
 */
struct Anchor
{
    std::string source;      //!< Where it was published
    std::string job;         //!< What was trained, for people
    std::string model;       //!< Name of the model, with options
    std::string accelerator; //!< Name of the accelerator
    uint32_t serverGpus{8};  //!< GPUs of a server
    double uplinkGbps{200};  //!< Rate of one GPU to other servers, Gbit/s
    Strategy strategy;       //!< How it was spread; microbatches follow from the batch
    uint64_t microbatch{1};  //!< Samples of a forward and backward pass on a replica
    uint64_t batch{1};       //!< Samples of an iteration, over all GPUs
    bool isTime{false};      //!< True: published is the time of an iteration; false: work over it
    double work{1};          //!< Work of an iteration, in the unit of the rate
    std::string unit;        //!< Unit of what was published
    double published{0};     //!< The measured value
    bool fitted{false};      //!< Whether the accelerator's parameters were fitted to it

    /**
     * @return the number of GPUs
     */
    uint32_t GetNGpus() const;
};

/**
 * @return the measurements, by source
 */
std::vector<Anchor> GetAnchors();

} // namespace lightpath
} // namespace ns3

#endif /* CALIBRATION_ANCHORS_H */
