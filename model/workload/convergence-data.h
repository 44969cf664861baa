/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONVERGENCE_DATA_H
#define CONVERGENCE_DATA_H

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @return the text of data/convergence.json, which the build makes part of the library
 */
const char* GetConvergenceData();

} // namespace lightpath
} // namespace ns3

#endif /* CONVERGENCE_DATA_H */
