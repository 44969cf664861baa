/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COUNT_NOUN_H
#define COUNT_NOUN_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @param number a number
 * @param noun a noun in the singular
 * @param ending the ending of its plural
 * @return the number and the noun, as in "1 GPU" or "2 GPUs"
 */
inline std::string
CountNoun(uint64_t number, const std::string& noun, const std::string& ending = "s")
{
    return std::to_string(number) + " " + noun + (number == 1 ? "" : ending);
}

} // namespace lightpath
} // namespace ns3

#endif /* COUNT_NOUN_H */
