/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SOURCE_VERSION_H
#define LIGHTPATH_SOURCE_VERSION_H

/// The release of the module and a hash of the sources that results follow from; the build writes
/// it.
extern const char* const SOURCE_VERSION;

#endif /* LIGHTPATH_SOURCE_VERSION_H */
