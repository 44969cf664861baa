/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HUB_CONFIG_H
#define HUB_CONFIG_H

#include "transformer-shape.h"

#include <istream>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reads the shape of a decoder from the file "config.json" that is published with weights.
 *
 * The key "model_type" decides about the style of the layers and about the other keys. Other values
 * of keys that would change the shape are refused; all other keys are ignored. A sequence has as
 * many tokens as there are positions.
 *
 * A faulty file, or a model that the zoo has no operators for, is refused by std::invalid_argument,
 * with the path of the fault in the document.
 */
class HubConfig
{
  public:
    /// The key that tells such a file from others.
    static constexpr const char* TYPE = "model_type";

    /**
     * @param input the text
     * @param name the name of the document in sentences, and of the model
     * @return the shape
     */
    static TransformerShape Read(std::istream& input, const std::string& name);
};

} // namespace lightpath
} // namespace ns3

#endif /* HUB_CONFIG_H */
