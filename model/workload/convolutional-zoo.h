/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONVOLUTIONAL_ZOO_H
#define CONVOLUTIONAL_ZOO_H

#include "zoo-entry.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The convolutional networks of the zoo.
 */
class ConvolutionalZoo
{
  public:
    /**
     * @return the models
     */
    static std::vector<ZooEntry> GetEntries();
};

} // namespace lightpath
} // namespace ns3

#endif /* CONVOLUTIONAL_ZOO_H */
