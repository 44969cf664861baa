/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_DATACENTER_TESTS_H
#define LIGHTPATH_DATACENTER_TESTS_H

#include "ns3/node.h"
#include "ns3/test.h"

#include <cstdint>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @return the test cases of traffic in electrical datacenters; the caller owns them
 */
std::vector<ns3::TestCase*> MakeDatacenterTrafficTests();

#endif /* LIGHTPATH_DATACENTER_TESTS_H */
