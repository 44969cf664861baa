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
    // A test of the size in the loops would keep compilers from using vectors
    if (bits == 8)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            bytes[i] = static_cast<uint8_t>(words[i]);
        }
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        bytes[2 * i] = static_cast<uint8_t>(words[i]);
        bytes[2 * i + 1] = static_cast<uint8_t>(words[i] >> 8);
    }
}

void
UnpackWords(const uint8_t* bytes, std::size_t count, uint32_t bits, uint16_t* words)
{
    NS_ASSERT_MSG(bits == 8 || bits == 16, "Words of " << bits << " bits");
    if (bits == 8)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            words[i] = bytes[i];
        }
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        words[i] = static_cast<uint16_t>(bytes[2 * i] | bytes[2 * i + 1] << 8);
    }
}

} // namespace lightpath
} // namespace ns3
