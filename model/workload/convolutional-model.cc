/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "convolutional-model.h"

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr uint64_t IMAGE_CHANNELS = 3; //!< Channels of a sample
constexpr uint64_t CLASSES = 1000;     //!< Number of classes
constexpr uint64_t POOL_STRIDE = 2;    //!< Step of the windows of a pooling

/// The first fully connected layer is the sixth: the convolutions form five groups.
constexpr uint64_t FIRST_NUMBER = 6;

} // namespace

OperatorGraph
ConvolutionalModel::Build(const ConvolutionalShape& shape)
{
    TrainingGraphBuilder builder(shape.name, "image", shape.training);
    ConvolutionalModel model(shape, builder);
    for (const auto& layer : shape.convolutions)
    {
        model.AddConvolution(layer);
    }
    model.AddClassifier();
    return builder.Build();
}

ConvolutionalModel::ConvolutionalModel(const ConvolutionalShape& shape,
                                       TrainingGraphBuilder& builder)
    : m_shape(shape),
      m_builder(builder),
      m_channels(IMAGE_CHANNELS),
      m_size(shape.image)
{
}

void
ConvolutionalModel::AddConvolution(const ConvolutionalLayer& layer)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    ConvolutionShape shape;
    shape.inputChannels = m_channels;
    shape.outputChannels = layer.channels;
    shape.kernel = layer.kernel;
    shape.stride = layer.stride;
    shape.inputSize = m_size;
    shape.padding = layer.padding;
    shape.groups = layer.groups;
    shape.biased = true;
    m_builder.BeginLayer(layer.name);
    Add("conv", formulas.Convolution(shape), TensorSplit::REPLICATED);
    m_channels = layer.channels;
    m_size = shape.GetOutputSize();
    OperatorCosts relu = formulas.Relu(GetElements());
    if (layer.normWindow == 0 && layer.pool > 0)
    {
        // The pooling keeps the places of its maxima only: the rectifier must keep its output
        relu.forward.savedBytes = relu.forward.outputBytes;
    }
    Add("relu", relu, TensorSplit::REPLICATED);
    if (layer.normWindow > 0)
    {
        Add("norm",
            formulas.ResponseNorm(GetElements(), layer.normWindow),
            TensorSplit::REPLICATED);
    }
    if (layer.pool > 0)
    {
        const uint64_t inputs = GetElements();
        m_size = (m_size - layer.pool) / POOL_STRIDE + 1;
        Add("pool",
            formulas.MaxPool(inputs, GetElements(), layer.pool * layer.pool),
            TensorSplit::REPLICATED);
    }
}

void
ConvolutionalModel::AddClassifier()
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    uint64_t inputs = GetElements();
    uint64_t number = FIRST_NUMBER;
    bool column = true;
    for (const auto width : m_shape.widths)
    {
        m_builder.BeginLayer("fc" + std::to_string(number++));
        Add("matmul",
            formulas.Matmul(1, inputs, width, width),
            column ? TensorSplit::COLUMN : TensorSplit::ROW);
        Add("relu-dropout",
            formulas.ReluDropout(width),
            column ? TensorSplit::SHARDED : TensorSplit::REPLICATED);
        inputs = width;
        column = !column;
    }
    m_builder.BeginLayer("fc" + std::to_string(number));
    Add("classifier", formulas.Matmul(1, inputs, CLASSES, CLASSES), TensorSplit::COLUMN);
    Add("loss", formulas.CrossEntropy(1, CLASSES), TensorSplit::SHARDED);
}

void
ConvolutionalModel::Add(const std::string& name, const OperatorCosts& costs, TensorSplit split)
{
    m_sources.assign(1, m_builder.Add(name, costs, split, m_sources));
}

uint64_t
ConvolutionalModel::GetElements() const
{
    return m_channels * m_size * m_size;
}

} // namespace lightpath
} // namespace ns3
