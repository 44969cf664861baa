/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "word-packing.h"

#include "ns3/assert.h"

namespace ns3
{
namespace lightpath
{

void
PackWords(const uint16_t* words, std::size_t count, uint32_t bits, uint8_t* bytes)
{
    NS_ASSERT_MSG(bits == 8 || bits == 16, "Words of " << bits << " bits");
    for (std::size_t i = 0; i < count; ++i)
    {
        *bytes++ = static_cast<uint8_t>(words[i]);
        if (bits == 16)
        {
            *bytes++ = static_cast<uint8_t>(words[i] >> 8);
        }
    }
}

void
UnpackWords(const uint8_t* bytes, std::size_t count, uint32_t bits, uint16_t* words)
{
    NS_ASSERT_MSG(bits == 8 || bits == 16, "Words of " << bits << " bits");
    const uint32_t size = GetWordBytes(bits);
    for (std::size_t i = 0; i < count; ++i, bytes += size)
    {
        words[i] = static_cast<uint16_t>(bytes[0] | (size > 1 ? bytes[1] << 8 : 0));
    }
}

} // namespace lightpath
} // namespace ns3
