/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PROTOCOL_OPTION_H
#define LIGHTPATH_PROTOCOL_OPTION_H

#include "ns3/collective-protocols.h"

#include <string>

/**
 * @ingroup lightpath
 * @param text the protocols of collective operations, as NAME:WIRE/DATA:LATENCY:LARGEST with commas
 *        in between; the last one without LARGEST, and WIRE alone for DATA of 1. Text that is none
 *        ends in std::invalid_argument, which says how to write it.
 * @return the protocols
 */
ns3::lightpath::CollectiveProtocols ParseProtocols(const std::string& text);

#endif /* LIGHTPATH_PROTOCOL_OPTION_H */
