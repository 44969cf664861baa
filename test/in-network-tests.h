/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_IN_NETWORK_TESTS_H
#define LIGHTPATH_IN_NETWORK_TESTS_H

#include <vector>

namespace ns3
{
class TestCase;
}

#endif /* LIGHTPATH_IN_NETWORK_TESTS_H */
