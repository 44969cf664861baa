/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COLLECTIVE_TESTS_H
#define LIGHTPATH_COLLECTIVE_TESTS_H

#include "ns3/test.h"

#include <cstdint>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param bytes the size S of a buffer
 * @param n the number of its chunks
 * @param chunk a chunk
 * @return its size by the rule floor(S (c + 1) / n) - floor(S c / n)
 */
inline uint64_t
GetChunkSize(uint64_t bytes, uint32_t n, uint32_t chunk)
{
    return bytes * (chunk + 1) / n - bytes * chunk / n;
}

/// Numbers of ranks to try
inline const std::vector<uint32_t> RANKS{1, 2, 3, 5, 8};

/// Sizes to try, of which most are no multiple of the number of ranks
inline const std::vector<uint64_t> SIZES{0, 1, 2, 3, 7, 8, 1000, 1001, 12345678901ULL};

#endif /* LIGHTPATH_COLLECTIVE_TESTS_H */
