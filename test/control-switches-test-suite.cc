/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"

#include "ns3/test.h"

using namespace ns3;

/**
 * @ingroup lightpath-tests
 * @brief The tests of the allocators of circuit switches.
 */
class ControlSwitchesTestSuite : public TestSuite
{
  public:
    ControlSwitchesTestSuite()
        : TestSuite("lightpath-control-switches", TestSuite::Type::UNIT)
    {
        for (const auto& make : {MakeCircuitSwitchCases,
                                 MakeSwitchUtilityCases,
                                 MakeSwitchRandomCases,
                                 MakeDuplexCases,
                                 MakeGraphSolverCases})
        {
            for (TestCase* testCase : make())
            {
                AddTestCase(testCase);
            }
        }
    }
};

static ControlSwitchesTestSuite g_controlSwitchesTestSuite; //!< Registers the suite
