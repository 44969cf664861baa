/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CONTROLLER_TESTS_H
#define LIGHTPATH_CONTROLLER_TESTS_H

#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @return the test cases of changes from one plan to another; the caller owns them
 */
std::vector<ns3::TestCase*> MakePlanChangeTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of the phases and the failures of training jobs; the caller owns them
 */
std::vector<ns3::TestCase*> MakeControlledJobTests();

#endif /* LIGHTPATH_CONTROLLER_TESTS_H */
