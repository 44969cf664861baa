/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_IP_TESTS_H
#define LIGHTPATH_IP_TESTS_H

#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @return test cases about routes, links and queue discs
 */
std::vector<ns3::TestCase*> MakeIpRoutingTests();

#endif /* LIGHTPATH_IP_TESTS_H */
