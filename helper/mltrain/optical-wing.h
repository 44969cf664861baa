/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_WING_H
#define OPTICAL_WING_H

/**
 * @file
 * @ingroup lightpath
 * All public headers of the optical wing, so that lightpath-module.h has those of both wings.
 */

// The build writes this header
#include "ns3/lightpath-optical-module.h"

#endif /* OPTICAL_WING_H */
