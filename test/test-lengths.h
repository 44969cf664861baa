/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TEST_LENGTHS_H
#define LIGHTPATH_TEST_LENGTHS_H

#include "ns3/test.h"

#include <type_traits>

/**
 * @ingroup lightpath-tests
 * @brief How long test cases take, where the enum is not scoped (up to ns-3.41).
 *
 * @tparam T the class of test cases
 */
template <typename T, typename = void>
struct TestLengths
{
    static constexpr auto QUICK = T::QUICK;         //!< Always run
    static constexpr auto EXTENSIVE = T::EXTENSIVE; //!< Run on request
};

/**
 * @ingroup lightpath-tests
 * @brief The same where it is scoped.
 *
 * @tparam T the class of test cases
 */
template <typename T>
struct TestLengths<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;         //!< Always run
    static constexpr auto EXTENSIVE = T::Duration::EXTENSIVE; //!< Run on request
};

/// How long test cases take.
using TestLength = TestLengths<ns3::TestCase>;

#endif /* LIGHTPATH_TEST_LENGTHS_H */
