/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROCESS_MAIL_H
#define PROCESS_MAIL_H

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sends what arrives at devices that another process carries out.
 *
 * ns-3 sends packets between processes, of less than 2000 bytes with all headers. Mail of any size
 * goes in as many of them as it takes. Zeros, such as the payload of packets that holds no data,
 * are counted and not sent.
 */
class ProcessMail
{
  public:
    /// The subject of mail.
    enum Kind : uint8_t
    {
        PACKET, //!< A packet on a link
        FRAME,  //!< A frame on a fabric
        LETTER, //!< A message on its way between servers
    };

    /// Takes mail.
    using Reader = Callback<void, const std::string&>;

    /**
     * Have a device get mail.
     *
     * @param device the device
     * @param kind the kind of mail
     * @param reader takes it, when it arrives
     */
    static void Listen(const Ptr<NetDevice>& device, Kind kind, const Reader& reader);

    /**
     * Send mail.
     *
     * @param device the device, of another process, that listens to this kind
     * @param kind the kind of mail
     * @param delay the time from now until it arrives, at least the delay of the links between the
     *        processes
     * @param mail the mail
     */
    static void Send(const Ptr<NetDevice>& device,
                     Kind kind,
                     const Time& delay,
                     const std::string& mail);

    /**
     * @param packet a packet
     * @return its bytes, headers and tags
     */
    static std::string Write(const Packet& packet);

    /**
     * @param bytes what Write() returned
     * @return the packet
     */
    static Ptr<Packet> Read(const std::string& bytes);

    /**
     * @param bytes bytes
     * @return the same, with the number of zeros in place of each run of them
     */
    static std::string Pack(const std::string& bytes);

    /**
     * @param packed what Pack() returned
     * @return the bytes
     */
    static std::string Unpack(const std::string& packed);
};

} // namespace lightpath
} // namespace ns3

#endif /* PROCESS_MAIL_H */
