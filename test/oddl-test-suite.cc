/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-tests.h"
#include "test-lengths.h"

using namespace ns3;

/**
 * @ingroup lightpath-tests
 * @brief The invariants of any flows on ODDL.
 */
class OddlInvariantTestSuite : public TestSuite
{
  public:
    OddlInvariantTestSuite()
        : TestSuite("lightpath-oddl-invariants", Type::SYSTEM)
    {
        for (TestCase* const each : MakeOddlInvariantTests(10000))
        {
            AddTestCase(each, TestLength::QUICK);
        }
        for (TestCase* const each : MakeOddlInvariantTests(100000))
        {
            AddTestCase(each, TestLength::EXTENSIVE);
        }
    }
};

static OddlInvariantTestSuite g_oddlInvariantTestSuite; //!< Registers the suite
