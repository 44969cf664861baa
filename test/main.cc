/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/test.h"

/**
 * Runs the test suites of the module against an installed ns-3.
 *
 * @param argc the number of arguments
 * @param argv the arguments, as ns-3's test-runner takes them
 * @return 0 if every suite that was run has passed
 */
int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
