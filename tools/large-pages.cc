/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "large-pages.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <climits>
#include <cstddef>
#include <cstdint>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

void
UseLargePages()
{
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE) && !defined(__SANITIZE_ADDRESS__)
    constexpr std::size_t ROOM = std::size_t{1} << 30;
    constexpr int LARGEST_BLOCK = 32 << 20; // The most that the library keeps on the heap
    constexpr int DEFAULT_MAPPED_BLOCKS = 65536;
    // Advice holds for the part of the heap that exists: let it grow, and keep it so
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_MMAP_MAX, 0);
    void* const room = std::malloc(ROOM);
    if (room)
    {
        const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        const std::uintptr_t begin =
            (reinterpret_cast<std::uintptr_t>(room) + page - 1) & ~(page - 1);
        const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(room) + ROOM) & ~(page - 1);
        // A system without large pages refuses, and all is as it was
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
        std::free(room);
    }
    mallopt(M_MMAP_MAX, DEFAULT_MAPPED_BLOCKS);
    mallopt(M_MMAP_THRESHOLD, LARGEST_BLOCK);
#endif
}
