/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "resnet-model.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr uint64_t IMAGE_CHANNELS = 3; //!< Channels of a sample
constexpr uint64_t CLASSES = 1000;     //!< Number of classes
constexpr uint64_t STEM_WIDTH = 64;    //!< Channels of the first convolution
constexpr uint64_t EXPANSION = 4;      //!< Channels of a block's output by those of its 3x3 kernel

/// Nothing is split by a tensor-parallel group.
constexpr auto SPLIT = TensorSplit::REPLICATED;

/**
 * Make the shape of a convolution.
 *
 * @param inputChannels channels of the input
 * @param outputChannels channels of the output
 * @param kernel height and width of the kernel
 * @param stride step of the kernel
 * @param inputSize height and width of the input
 * @return the shape
 */
ConvolutionShape
MakeShape(uint64_t inputChannels,
          uint64_t outputChannels,
          uint64_t kernel,
          uint64_t stride,
          uint64_t inputSize)
{
    ConvolutionShape shape;
    shape.inputChannels = inputChannels;
    shape.outputChannels = outputChannels;
    shape.kernel = kernel;
    shape.stride = stride;
    shape.inputSize = inputSize;
    return shape;
}

} // namespace

uint64_t
ResnetModel::Image::GetElements() const
{
    return channels * size * size;
}

OperatorGraph
ResnetModel::Build(const ResnetShape& shape)
{
    TrainingGraphBuilder builder(shape.name, "image", shape.training);
    ResnetModel model(shape, builder);
    const auto& blocks = shape.blocks;
    Image last = model.AddStem();
    for (uint32_t stage = 0; stage < blocks.size(); ++stage)
    {
        for (uint32_t block = 0; block < blocks[stage]; ++block)
        {
            const bool first = block == 0;
            const bool end = stage + 1 == blocks.size() && block + 1 == blocks[stage];
            last = model.AddBlock("stage" + std::to_string(stage + 2) + ".block" +
                                      std::to_string(block + 1),
                                  last,
                                  STEM_WIDTH << stage,
                                  first && stage > 0 ? 2 : 1,
                                  end);
        }
    }
    model.AddHead(last);
    return builder.Build();
}

ResnetModel::ResnetModel(const ResnetShape& shape, TrainingGraphBuilder& builder)
    : m_shape(shape),
      m_builder(builder)
{
}

ResnetModel::Image
ResnetModel::AddStem()
{
    m_builder.BeginLayer("stem");
    const ConvolutionShape shape = MakeShape(IMAGE_CHANNELS, STEM_WIDTH, 7, 2, m_shape.image);
    Image image;
    image.channels = STEM_WIDTH;
    image.size = shape.GetOutputSize();
    const uint32_t conv =
        m_builder.Add("conv", m_builder.GetFormulas().Convolution(shape), SPLIT, {});
    image.op = m_builder.Add("norm",
                             m_builder.GetFormulas().BatchNorm(image.GetElements(), image.channels),
                             SPLIT,
                             {conv});
    image = AddRelu("", image, true);
    Image pooled = image;
    pooled.size = MakeShape(STEM_WIDTH, STEM_WIDTH, 3, 2, image.size).GetOutputSize();
    pooled.op =
        m_builder.Add("pool",
                      m_builder.GetFormulas().MaxPool(image.GetElements(), pooled.GetElements(), 9),
                      SPLIT,
                      {image.op});
    return pooled;
}

ResnetModel::Image
ResnetModel::AddBlock(const std::string& name,
                      const Image& input,
                      uint64_t width,
                      uint64_t stride,
                      bool last)
{
    m_builder.BeginLayer(name);
    const uint64_t outputs = EXPANSION * width;
    const uint64_t early = m_shape.earlyStride ? stride : 1;
    Image image =
        AddConvolution("1", input, MakeShape(input.channels, width, 1, early, input.size), true);
    image = AddRelu("1", image, false);
    image =
        AddConvolution("2", image, MakeShape(width, width, 3, stride / early, image.size), true);
    image = AddRelu("2", image, false);
    image = AddConvolution("3", image, MakeShape(width, outputs, 1, 1, image.size), true);
    Image shortcut = input;
    if (stride > 1 || input.channels != outputs)
    {
        // The first convolution of the block has kept the input
        shortcut = AddConvolution("-shortcut",
                                  input,
                                  MakeShape(input.channels, outputs, 1, stride, input.size),
                                  false);
    }
    image.op = m_builder.Add("add",
                             m_builder.GetFormulas().Add(image.GetElements()),
                             SPLIT,
                             {image.op, shortcut.op});
    return AddRelu("3", image, last);
}

void
ResnetModel::AddHead(const Image& input)
{
    m_builder.BeginLayer("head");
    const uint32_t pool =
        m_builder.Add("pool",
                      m_builder.GetFormulas().AveragePool(input.GetElements(), input.channels),
                      SPLIT,
                      {input.op});
    const uint32_t classifier =
        m_builder.Add("classifier",
                      m_builder.GetFormulas().Matmul(1, input.channels, CLASSES, CLASSES),
                      SPLIT,
                      {pool});
    m_builder.Add("loss", m_builder.GetFormulas().CrossEntropy(1, CLASSES), SPLIT, {classifier});
}

ResnetModel::Image
ResnetModel::AddConvolution(const std::string& suffix,
                            const Image& input,
                            const ConvolutionShape& shape,
                            bool keeps)
{
    OperatorCosts costs = m_builder.GetFormulas().Convolution(shape);
    if (!keeps)
    {
        costs.forward.savedBytes = 0;
    }
    Image image;
    image.channels = shape.outputChannels;
    image.size = shape.GetOutputSize();
    const uint32_t conv = m_builder.Add("conv" + suffix, costs, SPLIT, {input.op});
    image.op = m_builder.Add("norm" + suffix,
                             m_builder.GetFormulas().BatchNorm(image.GetElements(), image.channels),
                             SPLIT,
                             {conv});
    return image;
}

ResnetModel::Image
ResnetModel::AddRelu(const std::string& suffix, const Image& input, bool keeps)
{
    OperatorCosts costs = m_builder.GetFormulas().Relu(input.GetElements());
    if (keeps)
    {
        costs.forward.savedBytes = costs.forward.outputBytes;
    }
    Image image = input;
    image.op = m_builder.Add("relu" + suffix, costs, SPLIT, {input.op});
    return image;
}

} // namespace lightpath
} // namespace ns3
