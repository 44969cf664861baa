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

/**
 * @ingroup lightpath-tests
 * @return the test cases of words, their quantisation and averages in two levels; the caller owns
 * them
 */
std::vector<ns3::TestCase*> MakeInNetworkWordTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of jobs that train on a network that averages; the caller owns them
 */
std::vector<ns3::TestCase*> MakeInNetworkTrainingTests();

#endif /* LIGHTPATH_IN_NETWORK_TESTS_H */
