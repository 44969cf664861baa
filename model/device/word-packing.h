/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORD_PACKING_H
#define WORD_PACKING_H

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @param bits the bits of a word: 8 or 16
 * @return the bytes of a word in a packet
 */
constexpr uint32_t
GetWordBytes(uint32_t bits)
{
    return bits / 8;
}

/**
 * @ingroup lightpath
 * @param words words
 * @param count their number
 * @param bits the bits of a word: 8 or 16
 * @param [out] bytes the bytes of the words, the lower byte of each first
 */
void PackWords(const uint16_t* words, std::size_t count, uint32_t bits, uint8_t* bytes);

/**
 * @ingroup lightpath
 * @param bytes bytes from PackWords()
 * @param count the number of words
 * @param bits the bits of a word: 8 or 16
 * @param [out] words the words
 */
void UnpackWords(const uint8_t* bytes, std::size_t count, uint32_t bits, uint16_t* words);

} // namespace lightpath
} // namespace ns3

#endif /* WORD_PACKING_H */
