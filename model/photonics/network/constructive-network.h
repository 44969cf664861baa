/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONSTRUCTIVE_NETWORK_H
#define CONSTRUCTIVE_NETWORK_H

#include "network-weights.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Make a network that averages words exactly, without training.
 *
 * It is a long division. With r = mean + 1/2 a hidden layer for each digit, the most significant
 * first, has the rectifiers of r - t + g and r - t for the three thresholds t at which the digit
 * steps, whose differences are g from the threshold on and 0 before it, as r is a multiple of
 * g = 1 / (2 N). The sum of these over g is the digit d, and the next layer has r - 4^m d. Digits
 * that are known and r itself, which are not negative, pass through all layers behind.
 *
 * @param servers the servers whose words are averaged
 * @param bits the bits of a word, an even number
 * @return the network
 */
NetworkWeights MakeConstructiveNetwork(uint32_t servers, uint32_t bits);

} // namespace lightpath
} // namespace ns3

#endif /* CONSTRUCTIVE_NETWORK_H */
