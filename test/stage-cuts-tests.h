/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_STAGE_CUTS_TESTS_H
#define LIGHTPATH_STAGE_CUTS_TESTS_H

#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @return the test cases of StageCuts; the caller owns them
 */
std::vector<ns3::TestCase*> MakeStageCutsTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of CircuitShares; the caller owns them
 */
std::vector<ns3::TestCase*> MakeCircuitSharesTests();

#endif /* LIGHTPATH_STAGE_CUTS_TESTS_H */
