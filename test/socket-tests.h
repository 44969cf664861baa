/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SOCKET_TESTS_H
#define LIGHTPATH_SOCKET_TESTS_H

#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @return the test cases of jobs over sockets, and of what goes wrong; the caller owns them
 */
std::vector<ns3::TestCase*> MakeSocketJobTests();

#endif /* LIGHTPATH_SOCKET_TESTS_H */
