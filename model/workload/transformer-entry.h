/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_ENTRY_H
#define TRANSFORMER_ENTRY_H

#include "transformer-shape.h"
#include "zoo-entry.h"

#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Makes a model with options from the shape of a transformer, for the zoo and for files.
 */
class TransformerEntry
{
  public:
    /**
     * @param shape the usual size and style
     * @param description the description of the model
     * @param general true if all sizes and styles are options, false for the sizes that apply
     * @return the model
     */
    static ZooEntry Make(const TransformerShape& shape,
                         const std::string& description,
                         bool general = false);

    /**
     * @param option an option of transformers, or a style that is none
     * @param value its value; another than those of the option ends the program
     * @param [in,out] shape the shape that gets it
     */
    static void Set(const std::string& option, const std::string& value, TransformerShape& shape);
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_ENTRY_H */
