/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ODDL_TESTS_H
#define LIGHTPATH_ODDL_TESTS_H

#include "ns3/test.h"

#include <cstdint>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param flows the number of flows of each
 * @return the tests of the invariants of random flows, with loss of messages and failures; the
 *         caller owns them
 */
std::vector<ns3::TestCase*> MakeOddlInvariantTests(uint32_t flows);

#endif /* LIGHTPATH_ODDL_TESTS_H */
