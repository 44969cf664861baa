/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMPONENT_DATA_H
#define COMPONENT_DATA_H

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @return the text of data/components.json, which the build makes part of the library
 */
const char* GetComponentData();

} // namespace lightpath
} // namespace ns3

#endif /* COMPONENT_DATA_H */
