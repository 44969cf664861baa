/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CROSSBAR_TESTS_H
#define LIGHTPATH_CROSSBAR_TESTS_H

#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @return the test cases of the electrical switch with servers; the caller owns them
 */
std::vector<ns3::TestCase*> MakeCrossbarServerTests();

#endif /* LIGHTPATH_CROSSBAR_TESTS_H */
