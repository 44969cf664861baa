/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONVOLUTIONAL_MODEL_H
#define CONVOLUTIONAL_MODEL_H

#include "training-graph-builder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A convolution with biases and a rectifier, and the operators that may follow it before the
 * next one.
 */
struct ConvolutionalLayer
{
    std::string name;       //!< Name of the layer
    uint64_t channels{0};   //!< Channels of its output
    uint64_t kernel{3};     //!< Height and width of the kernel
    uint64_t stride{1};     //!< Step of the kernel
    uint64_t padding{1};    //!< Zeros on each side of the input
    uint64_t groups{1};     //!< Groups of channels that are convolved apart
    uint64_t normWindow{0}; //!< Channels of a local response normalisation; 0 for none
    uint64_t pool{0};       //!< Height and width of the windows of a maximum pooling; 0 for none
};

/**
 * @ingroup lightpath
 * @brief The size of a network that is a chain of convolutions and of fully connected layers.
 */
struct ConvolutionalShape
{
    std::string name;                             //!< Name of the model
    uint64_t image{224};                          //!< Height and width of a sample
    std::vector<ConvolutionalLayer> convolutions; //!< The convolutions from the input on
    std::vector<uint64_t> widths{4096, 4096};     //!< Outputs of the fully connected layers that
                                                  //!< have a rectifier and a dropout
    TrainingOptions training; //!< Numbers that it is trained in, and its optimiser
};

/**
 * @ingroup lightpath
 * @brief Builds the graphs of networks that are a chain of convolutions and of fully connected
 * layers: AlexNet (Krizhevsky, Sutskever, Hinton, 2012) and VGG (Simonyan, Zisserman, 2015).
 *
 * Images have 3 channels and one of 1000 classes. Poolings move by 2. Each convolution is a layer
 * together with its rectifier, normalisation and pooling, and so is each fully connected one. A
 * tensor-parallel group splits the fully connected layers only: the first by its output, the next
 * by its input and so on in turn, the last one and the loss by classes.
 */
class ConvolutionalModel
{
  public:
    /**
     * @param shape the size of the model
     * @return its graph
     */
    static OperatorGraph Build(const ConvolutionalShape& shape);

  private:
    /**
     * @param shape the size of the model
     * @param builder the model to add to
     */
    ConvolutionalModel(const ConvolutionalShape& shape, TrainingGraphBuilder& builder);

    /**
     * Add a convolution and the operators of its layer.
     *
     * @param layer its size
     */
    void AddConvolution(const ConvolutionalLayer& layer);

    /// Add the fully connected layers and the loss.
    void AddClassifier();

    /**
     * Add an operator that reads the output of the previous one.
     *
     * @param name its name
     * @param costs its costs
     * @param split how a tensor-parallel group shares it
     */
    void Add(const std::string& name, const OperatorCosts& costs, TensorSplit split);

    /**
     * @return the elements of the activation that was written last
     */
    uint64_t GetElements() const;

    const ConvolutionalShape& m_shape;                   //!< Size of the model
    TrainingGraphBuilder& m_builder;                     //!< The model
    std::vector<TrainingGraphBuilder::Source> m_sources; //!< Operators that the next operator reads
    uint64_t m_channels;                                 //!< Channels of the last activation
    uint64_t m_size;                                     //!< Its height and width
};

} // namespace lightpath
} // namespace ns3

#endif /* CONVOLUTIONAL_MODEL_H */
