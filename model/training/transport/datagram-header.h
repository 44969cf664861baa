/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATAGRAM_HEADER_H
#define DATAGRAM_HEADER_H

#include "ns3/header.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The header of 21 bytes that makes datagrams reliable, for data and for acknowledgements.
 *
 * A datagram keeps its sequence number when it is sent again, but gets a new transmission number.
 * An acknowledgement repeats the transmission number; its sequence number is the lowest one that
 * has not arrived.
 */
class DatagramHeader : public Header
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    DatagramHeader() = default;

    /**
     * @param isAcknowledgement whether this is an acknowledgement
     * @param rank the rank that sends it
     * @param sequence the sequence number
     * @param transmission the transmission number
     */
    DatagramHeader(bool isAcknowledgement, uint32_t rank, uint64_t sequence, uint64_t transmission);

    /**
     * @return whether this is an acknowledgement
     */
    bool IsAcknowledgement() const;

    /**
     * @return the rank that sends it
     */
    uint32_t GetRank() const;

    /**
     * @return the sequence number
     */
    uint64_t GetSequence() const;

    /**
     * @return the transmission number
     */
    uint64_t GetTransmission() const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    /// Size of the header in bytes.
    static constexpr uint32_t SIZE = 21;

  private:
    bool m_isAcknowledgement{false}; //!< Whether this is an acknowledgement
    uint32_t m_rank{0};              //!< Rank that sends it
    uint64_t m_sequence{0};          //!< Sequence number
    uint64_t m_transmission{0};      //!< Transmission number
};

} // namespace lightpath
} // namespace ns3

#endif /* DATAGRAM_HEADER_H */
