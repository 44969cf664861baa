/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_HEADERS_H
#define RDMA_HEADERS_H

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/// The UDP port of RoCEv2 (InfiniBand Architecture Specification 1.2.1, annex A17).
constexpr uint16_t ROCE_PORT = 4791;

/**
 * @ingroup lightpath
 * @brief The base transport header of InfiniBand (BTH, 12 bytes), behind UDP in a frame of RoCEv2,
 * and that of acknowledgements behind it (AETH, 4 bytes).
 */
class BthHeader : public Header
{
  public:
    /// Opcodes: those of a reliable connection, and that of RoCEv2 for congestion.
    enum Opcode : uint8_t
    {
        SEND_FIRST = 0x00,
        SEND_MIDDLE = 0x01,
        SEND_LAST = 0x02,
        SEND_ONLY = 0x04,
        ACKNOWLEDGE = 0x11,
        CONGESTION_NOTIFICATION = 0x81
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    Opcode opcode{SEND_ONLY}; //!< What the frame is
    uint32_t queuePair{0};    //!< Number of the queue pair that it is for, 24 bits
    uint32_t number{0};       //!< Packet sequence number, 24 bits
    bool asksForAck{false};   //!< The receiver shall acknowledge
    uint8_t padding{0};       //!< Bytes that fill the payload to a multiple of 4
    bool isNegative{false};   //!< AETH: a packet is missing (NAK, sequence error)
};

/**
 * @ingroup lightpath
 * @brief The content of a frame of priority flow control (IEEE 802.1Qbb, 802.3 annex 31D), with
 * EtherType 0x8808 and opcode 0x0101; 46 bytes, so that the frame has the least size.
 */
class PauseHeader : public Header
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    uint8_t classes{0}; //!< The classes that it is about, a bit each
    bool pauses{true};  //!< They stop; false to let them go on
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_HEADERS_H */
