/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_ZOO_H
#define TRANSFORMER_ZOO_H

#include "zoo-entry.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The transformers of the zoo.
 *
 * All of them are sizes of one description, TransformerShape. A model has those sizes as options
 * that apply to it; "transformer" has all sizes and styles. Parameters are counted with all tables,
 * with the normalisation at the end of a stack and, for BERT, with both heads of its training.
 */
class TransformerZoo
{
  public:
    /**
     * @return the models
     */
    static std::vector<ZooEntry> GetEntries();
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_ZOO_H */
