/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_DATA_H
#define TRANSFORMER_DATA_H

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @return the text of data/transformers.txt, which the build makes part of the library
 */
const char* GetTransformerData();

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_DATA_H */
