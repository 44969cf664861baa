/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_SPLIT_H
#define LINK_SPLIT_H

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How a network that is made for a job splits the links of each port.
 */
struct LinkSplit
{
    /**
     * @return all links of a port
     */
    uint32_t GetTotal() const
    {
        return common + sums + others;
    }

    uint32_t common{0}; //!< Links for rings of all ports
    uint32_t sums{0};   //!< Links for rings of the groups that sum
    uint32_t others{0}; //!< Links for matchings, which serve other messages
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_SPLIT_H */
