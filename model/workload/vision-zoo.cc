/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-entry.h"
#include "zoo-entry.h"

namespace ns3
{
namespace lightpath
{

std::vector<ZooEntry>
ZooEntry::GetVisionModels()
{
    TransformerShape vit;
    vit.name = "vit-l16";
    vit.kind = TransformerKind::CLASSIFIER;
    vit.attention = TransformerAttention::FUSED;
    vit.layers = 24;
    vit.width = 1024;
    vit.heads = 16;
    vit.feedForward = 4 * vit.width;
    vit.vocabulary = 1000;
    vit.patch = 3 * 16 * 16;
    vit.sequence = 197;
    vit.positions = vit.sequence;
    vit.classToken = true;
    TransformerShape large = vit;
    large.name = "vit-22b";
    large.layers = 48;
    large.width = 6144;
    large.heads = 48;
    large.feedForward = 4 * large.width;
    large.patch = 3 * 14 * 14;
    large.sequence = 256;
    large.positions = large.sequence;
    large.classToken = false;
    // Layer norms neither centre nor have an offset
    large.norm = TransformerNorm::RMS;
    large.biases = TransformerBiases::OUTPUT;
    large.order = TransformerOrder::PARALLEL;
    large.headNorm = true;
    large.dropout = false;
    TransformerShape dit = vit;
    dit.name = "dit-xl2";
    dit.kind = TransformerKind::DIFFUSER;
    dit.norm = TransformerNorm::PLAIN;
    dit.layers = 28;
    dit.width = 1152;
    dit.feedForward = 4 * dit.width;
    dit.patch = 4 * 2 * 2;
    dit.sequence = 256;
    dit.positions = 0;
    dit.classToken = false;
    dit.dropout = false;
    return {TransformerEntry::Make(vit, "ViT-L/16, images of 224 x 224"),
            TransformerEntry::Make(large, "ViT-22B, images of 224 x 224"),
            TransformerEntry::Make(dit, "DiT-XL/2, images of 256 x 256")};
}

} // namespace lightpath
} // namespace ns3
