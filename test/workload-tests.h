/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_WORKLOAD_TESTS_H
#define LIGHTPATH_WORKLOAD_TESTS_H

#include "ns3/test.h"

#include <vector>

/**
 * @ingroup lightpath-tests
 * @return the test cases of the derivation of backward and update operators; the caller owns them
 */
std::vector<ns3::TestCase*> MakeTrainingGraphTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of the sizes of the transformers of the zoo; the caller owns them
 */
std::vector<ns3::TestCase*> MakeTransformerZooTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of the layers and options of transformers; the caller owns them
 */
std::vector<ns3::TestCase*> MakeTransformerLayerTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of the accelerators; the caller owns them
 */
std::vector<ns3::TestCase*> MakeAcceleratorTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of the convolutional networks of the zoo; the caller owns them
 */
std::vector<ns3::TestCase*> MakeConvolutionalZooTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of the recommendation models of the zoo; the caller owns them
 */
std::vector<ns3::TestCase*> MakeRecommendationZooTests();

/**
 * @ingroup lightpath-tests
 * @return the test cases of the summaries of models; the caller owns them
 */
std::vector<ns3::TestCase*> MakeModelSummaryTests();

#endif /* LIGHTPATH_WORKLOAD_TESTS_H */
