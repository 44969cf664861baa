/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "convolutional-zoo.h"

#include "resnet-model.h"

namespace ns3
{
namespace lightpath
{

std::vector<ZooEntry>
ConvolutionalZoo::GetEntries()
{
    ZooEntry resnet;
    resnet.options = ZooEntry::MakeOptions("resnet50", "momentum");
    resnet.description = "ResNet-50 on images of 224 x 224";
    resnet.build = [](const ModelOptions& options) {
        return ResnetModel::Build(options.GetModel(),
                                  {3, 4, 6, 3},
                                  ZooEntry::GetTrainingOptions(options));
    };
    return {resnet};
}

} // namespace lightpath
} // namespace ns3
