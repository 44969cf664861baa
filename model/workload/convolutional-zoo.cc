/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "convolutional-model.h"
#include "resnet-model.h"
#include "zoo-entry.h"

#include <array>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The largest image: the costs of a network have 64 bits.
constexpr uint64_t LARGEST_IMAGE = 65536;

/// Channels of the five groups of convolutions of a VGG network.
constexpr std::array<uint64_t, 5> VGG_CHANNELS = {64, 128, 256, 512, 512};

/**
 * @param name the name of the model, "resnet" and the number of its layers
 * @param blocks blocks of each of the four stages
 * @return the entry of a residual network
 */
ZooEntry
MakeResnet(const std::string& name, const std::array<uint32_t, 4>& blocks)
{
    ZooEntry entry;
    entry.options = ZooEntry::MakeOptions(name, "momentum");
    entry.options.Declare("version",
                          "1.5",
                          "1.5: strides in 3x3 convolutions, 1: in the 1x1 convolutions before",
                          {"1", "1.5"});
    entry.options.Declare("image", 224, "height and width of an image, pixels, up to 65536", 32);
    entry.description = "ResNet-" + name.substr(6) + " on ImageNet";
    entry.build = [blocks](const ModelOptions& options) {
        ResnetShape shape;
        shape.name = options.GetModel();
        shape.blocks = blocks;
        shape.earlyStride = options.Get("version") == "1";
        shape.image = options.GetNumber("image");
        shape.training = ZooEntry::GetTrainingOptions(options);
        if (shape.image > LARGEST_IMAGE)
        {
            throw std::invalid_argument("Option image of model \"" + shape.name + "\" cannot be " +
                                        options.Get("image") + ": it must be at most " +
                                        std::to_string(LARGEST_IMAGE));
        }
        return ResnetModel::Build(shape);
    };
    return entry;
}

/**
 * @param name the name of the model, "vgg" and the number of its layers
 * @param depths convolutions of each of the five groups
 * @return the entry of a VGG network
 */
ZooEntry
MakeVgg(const std::string& name, const std::array<uint32_t, 5>& depths)
{
    ZooEntry entry;
    entry.options = ZooEntry::MakeOptions(name, "momentum");
    entry.description = "VGG-" + name.substr(3) + " on ImageNet";
    entry.build = [depths](const ModelOptions& options) {
        ConvolutionalShape shape;
        shape.name = options.GetModel();
        shape.training = ZooEntry::GetTrainingOptions(options);
        for (std::size_t group = 0; group < depths.size(); ++group)
        {
            for (uint32_t number = 1; number <= depths[group]; ++number)
            {
                ConvolutionalLayer layer;
                layer.name = "conv" + std::to_string(group + 1) + "." + std::to_string(number);
                layer.channels = VGG_CHANNELS[group];
                layer.pool = number == depths[group] ? 2 : 0;
                shape.convolutions.push_back(layer);
            }
        }
        return ConvolutionalModel::Build(shape);
    };
    return entry;
}

/**
 * @return the AlexNet of 2012, whose layers are split in two groups of channels, one for each of
 *         two GPUs (Krizhevsky, Sutskever, Hinton, 2012), on images of 227 x 227
 */
ConvolutionalShape
GetGroupedAlexnet()
{
    ConvolutionalShape shape;
    shape.image = 227;
    shape.convolutions = {{"conv1", 96, 11, 4, 0, 1, 5, 3},
                          {"conv2", 256, 5, 1, 2, 2, 5, 3},
                          {"conv3", 384, 3, 1, 1, 1, 0, 0},
                          {"conv4", 384, 3, 1, 1, 2, 0, 0},
                          {"conv5", 256, 3, 1, 1, 2, 0, 3}};
    return shape;
}

/**
 * @return the AlexNet of 2014, in one group and without response normalisation (Krizhevsky, 2014),
 *         on images of 224 x 224
 */
ConvolutionalShape
GetPlainAlexnet()
{
    ConvolutionalShape shape;
    shape.convolutions = {{"conv1", 64, 11, 4, 2, 1, 0, 3},
                          {"conv2", 192, 5, 1, 2, 1, 0, 3},
                          {"conv3", 384, 3, 1, 1, 1, 0, 0},
                          {"conv4", 256, 3, 1, 1, 1, 0, 0},
                          {"conv5", 256, 3, 1, 1, 1, 0, 3}};
    return shape;
}

/**
 * @return the entry of AlexNet
 */
ZooEntry
MakeAlexnet()
{
    ZooEntry entry;
    entry.options = ZooEntry::MakeOptions("alexnet", "momentum");
    entry.options.Declare("version",
                          "2012",
                          "2012: two groups of channels, response normalisation, 2014: neither",
                          {"2012", "2014"});
    entry.description = "AlexNet on ImageNet";
    entry.build = [](const ModelOptions& options) {
        ConvolutionalShape shape =
            options.Get("version") == "2012" ? GetGroupedAlexnet() : GetPlainAlexnet();
        shape.name = options.GetModel();
        shape.training = ZooEntry::GetTrainingOptions(options);
        return ConvolutionalModel::Build(shape);
    };
    return entry;
}

} // namespace

std::vector<ZooEntry>
ZooEntry::GetConvolutionalNetworks()
{
    return {MakeAlexnet(),
            MakeResnet("resnet50", {3, 4, 6, 3}),
            MakeResnet("resnet101", {3, 4, 23, 3}),
            MakeResnet("resnet152", {3, 8, 36, 3}),
            MakeVgg("vgg16", {2, 2, 3, 3, 3}),
            MakeVgg("vgg19", {2, 2, 4, 4, 4})};
}

} // namespace lightpath
} // namespace ns3
