/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_LARGE_PAGES_H
#define LIGHTPATH_LARGE_PAGES_H

/**
 * Let the first GiB of this program's heap come in large pages, where the C library and the system
 * have them.
 *
 * A job of many ranks takes memory that no cache holds, and most of its time is spent on accesses
 * to it, each of which also takes the translation of an address. A page of 2 MiB has one
 * translation where pages of 4 kiB have 512.
 */
void UseLargePages();

#endif /* LIGHTPATH_LARGE_PAGES_H */
