/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_STYLE_H
#define TRANSFORMER_STYLE_H

#include "transformer-shape.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The styles of the layers of decoders, by the "model_type" of the files that are published
 * with their weights.
 */
class TransformerStyle
{
  public:
    /**
     * @return the names of the styles
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name the name of a style
     * @return a decoder of this style, without sizes; its attention is one causal operator
     */
    static TransformerShape Make(const std::string& name);
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_STYLE_H */
