/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_PIECE_H
#define MESSAGE_PIECE_H

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A part of a message: the payload of one frame, or the remainder of a message.
 */
struct MessagePiece
{
    uint64_t tag{0};   //!< Tag of the message
    uint64_t size{0};  //!< Size of the whole message in bytes
    uint64_t bytes{0}; //!< Size of the part in bytes

    uint8_t repeats{0}; //!< Times that the part has been lost
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_PIECE_H */
