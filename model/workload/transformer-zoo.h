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
