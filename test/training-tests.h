/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TRAINING_TESTS_H
#define LIGHTPATH_TRAINING_TESTS_H

#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @return the test case of MessageTable
 */
ns3::TestCase* MakeMessageTableTest();

#endif /* LIGHTPATH_TRAINING_TESTS_H */
