/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECOMMENDATION_ZOO_H
#define RECOMMENDATION_ZOO_H

#include "zoo-entry.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The recommendation models of the zoo.
 */
class RecommendationZoo
{
  public:
    /**
     * @return the models
     */
    static std::vector<ZooEntry> GetEntries();
};

} // namespace lightpath
} // namespace ns3

#endif /* RECOMMENDATION_ZOO_H */
