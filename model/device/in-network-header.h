/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IN_NETWORK_HEADER_H
#define IN_NETWORK_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes the words of a burst to or from an averaging network: 20 bytes, and one byte for
 * each scale.
 *
 * A tensor is sent in bursts, one a slot. Bits is 0 for a tensor without values, which has no
 * scales.
 */
class InNetworkHeader : public Header
{
  public:
    /// Bytes of a header without scales.
    static constexpr uint32_t SIZE = 20;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    uint16_t job{0};             //!< The job
    uint64_t tag{0};             //!< The tensor
    uint32_t block{0};           //!< The burst, counted from 0 in its tensor
    uint8_t sequence{0};         //!< How often the slot of the burst was spoilt before
    uint8_t bits{0};             //!< Bits of a word; 0 if there are no real words
    std::vector<uint8_t> scales; //!< The scales of the blocks of the words, which all servers share
};

} // namespace lightpath
} // namespace ns3

#endif /* IN_NETWORK_HEADER_H */
