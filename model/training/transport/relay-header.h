/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELAY_HEADER_H
#define RELAY_HEADER_H

#include "model/base/wire-format.h"

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The header of 4 bytes, before the MessageHeader, that names the destination of a frame
 * that other ranks may forward.
 */
class RelayHeader : public Header
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RelayHeader() = default;

    /**
     * @param destination the rank that the frame is for
     */
    explicit RelayHeader(uint32_t destination);

    /**
     * @return the rank that the frame is for
     */
    uint32_t GetDestination() const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    /// Size of the header in bytes.
    static constexpr uint32_t SIZE = RELAY_HEADER_BYTES;

  private:
    uint32_t m_destination{0}; //!< Rank that the frame is for
};

} // namespace lightpath
} // namespace ns3

#endif /* RELAY_HEADER_H */
