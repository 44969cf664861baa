/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALIDATION_DATA_H
#define VALIDATION_DATA_H

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @return the text of data/accuracy.json
 */
const char* GetValidationData();

} // namespace lightpath
} // namespace ns3

#endif /* VALIDATION_DATA_H */
