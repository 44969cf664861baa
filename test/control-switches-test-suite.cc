/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "method-case.h"

#include "ns3/test.h"

using namespace ns3;

/// Registers the suite
static CaseSuite g_controlSwitchesTestSuite("lightpath-control-switches",
                                            {MakeCircuitSwitchCases(),
                                             MakeSwitchUtilityCases(),
                                             MakeSwitchRandomCases(),
                                             MakeDuplexCases(),
                                             MakeGraphSolverCases()});
