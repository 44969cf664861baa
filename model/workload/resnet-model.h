/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RESNET_MODEL_H
#define RESNET_MODEL_H

#include "training-graph-builder.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The size of a residual network with bottleneck blocks (He, Zhang, Ren, Sun, 2016).
 *
 * Version 1.5 halves the size of the image in the 3x3 convolution of the first block of a stage,
 * version 1 in the 1x1 convolution before it.
 */
struct ResnetShape
{
    std::string name;               //!< Name of the model
    std::array<uint32_t, 4> blocks; //!< Blocks of each stage: 3, 4, 6, 3 for ResNet-50
    bool earlyStride{false};        //!< True for version 1
    uint64_t image{224};            //!< Height and width of a sample
    TrainingOptions training;       //!< Numbers that it is trained in, and its optimiser
};

/**
 * @ingroup lightpath
 * @brief Builds the graphs of residual networks.
 *
 * Images have 3 channels and one of 1000 classes. The first layer is the stem, then comes a layer
 * for each block, and the last one is the classifier. Nothing is split by a tensor-parallel group.
 */
class ResnetModel
{
  public:
    /**
     * @param shape the size of the model
     * @return its graph
     */
    static OperatorGraph Build(const ResnetShape& shape);

  private:
    /// An activation of square images.
    struct Image
    {
        uint32_t op{0};       //!< Index of the operator that writes it
        uint64_t channels{0}; //!< Number of channels
        uint64_t size{0};     //!< Height and width

        /**
         * @return number of elements
         */
        uint64_t GetElements() const;
    };

    /**
     * @param shape the size of the model
     * @param builder the model to add to
     */
    ResnetModel(const ResnetShape& shape, TrainingGraphBuilder& builder);

    /**
     * Add the layer that all networks begin with.
     *
     * @return its output
     */
    Image AddStem();

    /**
     * Add a bottleneck block.
     *
     * @param name name of its layer
     * @param input the operator that it reads
     * @param width channels of its 3x3 convolution
     * @param stride ratio of the sizes of input and output
     * @param last true for the last block of the network
     * @return its output
     */
    Image AddBlock(const std::string& name,
                   const Image& input,
                   uint64_t width,
                   uint64_t stride,
                   bool last);

    /**
     * Add the classifier and the loss.
     *
     * @param input the operator that it reads
     */
    void AddHead(const Image& input);

    /**
     * Add a convolution and its batch normalisation.
     *
     * @param suffix the end of their names
     * @param input the operator that the convolution reads
     * @param shape its shape
     * @param keeps true if this convolution keeps its input for the backward pass
     * @return the output of the normalisation
     */
    Image AddConvolution(const std::string& suffix,
                         const Image& input,
                         const ConvolutionShape& shape,
                         bool keeps);

    /**
     * Add a rectifier.
     *
     * @param suffix the end of its name
     * @param input the operator that it reads
     * @param keeps true if it keeps its output itself, because its reader does not
     * @return its output
     */
    Image AddRelu(const std::string& suffix, const Image& input, bool keeps);

    const ResnetShape& m_shape;      //!< Size of the model
    TrainingGraphBuilder& m_builder; //!< The model
};

} // namespace lightpath
} // namespace ns3

#endif /* RESNET_MODEL_H */
