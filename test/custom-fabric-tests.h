/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CUSTOM_FABRIC_TESTS_H
#define LIGHTPATH_CUSTOM_FABRIC_TESTS_H

#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @return test cases about fabrics of someone's own
 */
std::vector<ns3::TestCase*> MakeCustomFabricTests();

#endif /* LIGHTPATH_CUSTOM_FABRIC_TESTS_H */
