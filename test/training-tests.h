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

/**
 * @ingroup lightpath-tests
 * @return the test cases of ranks that differ in speed; the caller owns them
 */
std::vector<ns3::TestCase*> MakeTrainingSpeedTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of collective operations on servers and of their launch; the caller owns
 *         them
 */
std::vector<ns3::TestCase*> MakeServerTrainingTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of the traces of a job, of the end of a simulation and of partial reports;
 *         the caller owns them
 */
std::vector<ns3::TestCase*> MakeTrainingTraceTests();

#endif /* LIGHTPATH_TRAINING_TESTS_H */
