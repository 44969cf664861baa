/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-mail.h"

#include "process-group.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#ifdef LIGHTPATH_MPI
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#endif

namespace ns3
{
namespace lightpath
{

namespace
{

/// The header of the bytes of mail in a packet.
struct PartHeader
{
    uint32_t process; //!< The process that sends it
    uint8_t kind;     //!< Kind of the mail
    uint8_t isLast;   //!< Whether it is the last part of the mail
};

/**
 * @ingroup lightpath
 * @brief Puts the mail for a device together, and hands it over.
 */
class MailBox : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::MailBox")
                                .SetParent<Object>()
                                .SetGroupName("Lightpath")
                                .AddConstructor<MailBox>();
        return tid;
    }

    /**
     * @param kind a kind of mail
     * @param reader takes it
     */
    void SetReader(uint8_t kind, const ProcessMail::Reader& reader)
    {
        m_readers[kind] = reader;
    }

    /**
     * Take a part of mail.
     *
     * @param packet the part
     */
    void Receive(Ptr<Packet> packet)
    {
        std::string part(packet->GetSize(), '\0');
        packet->CopyData(reinterpret_cast<uint8_t*>(part.data()), part.size());
        PartHeader header;
        std::memcpy(&header, part.data(), sizeof(header));
        // Those of a process come in their order
        std::string& mail = m_parts[header.process];
        mail.append(part, sizeof(header));
        if (header.isLast)
        {
            const std::string whole = std::move(mail);
            mail.clear();
            m_readers.at(header.kind)(ProcessMail::Unpack(whole));
        }
    }

  protected:
    void DoDispose() override
    {
        m_readers.clear();
        Object::DoDispose();
    }

  private:
    std::map<uint8_t, ProcessMail::Reader> m_readers; //!< What takes mail, by kind
    std::map<uint32_t, std::string> m_parts;          //!< Mail that is not whole, by process
};

NS_OBJECT_ENSURE_REGISTERED(MailBox);

/**
 * Append a number.
 *
 * @param [in,out] bytes where to
 * @param number the number
 */
void
AppendNumber(std::string& bytes, std::size_t number)
{
    for (; number >= 0x80; number >>= 7)
    {
        bytes.push_back(static_cast<char>(number | 0x80));
    }
    bytes.push_back(static_cast<char>(number));
}

/**
 * @param bytes what numbers were appended to
 * @param [in,out] at where the number begins, and later where it ends
 * @return the number
 */
std::size_t
ReadNumber(const std::string& bytes, std::size_t& at)
{
    std::size_t number = 0;
    for (uint32_t shift = 0;; shift += 7)
    {
        const auto byte = static_cast<uint8_t>(bytes.at(at++));
        number |= std::size_t{byte & 0x7fU} << shift;
        if (byte < 0x80)
        {
            return number;
        }
    }
}

} // namespace

std::string
ProcessMail::Pack(const std::string& bytes)
{
    // Pairs of bytes as they are and zeros; a few zeros are not worth a pair
    const std::string run(8, '\0');
    std::string packed;
    for (std::size_t begin = 0; begin < bytes.size();)
    {
        const std::size_t zeros = std::min(bytes.find(run, begin), bytes.size());
        const std::size_t end = std::min(bytes.find_first_not_of('\0', zeros), bytes.size());
        AppendNumber(packed, zeros - begin);
        packed.append(bytes, begin, zeros - begin);
        AppendNumber(packed, end - zeros);
        begin = end;
    }
    return packed;
}

std::string
ProcessMail::Unpack(const std::string& packed)
{
    std::string bytes;
    for (std::size_t at = 0; at < packed.size();)
    {
        const std::size_t size = ReadNumber(packed, at);
        bytes.append(packed, at, size);
        at += size;
        bytes.append(ReadNumber(packed, at), '\0');
    }
    return bytes;
}

std::string
ProcessMail::Write(const Packet& packet)
{
    std::string bytes(packet.GetSerializedSize(), '\0');
    packet.Serialize(reinterpret_cast<uint8_t*>(bytes.data()), bytes.size());
    return bytes;
}

Ptr<Packet>
ProcessMail::Read(const std::string& bytes)
{
    // Types are known once they are used, but another process may have used those of tags first
    [[maybe_unused]] static const TypeId tags[] = {SocketIpTosTag::GetTypeId(),
                                                   SocketIpTtlTag::GetTypeId(),
                                                   SocketIpv6HopLimitTag::GetTypeId(),
                                                   SocketIpv6TclassTag::GetTypeId(),
                                                   SocketPriorityTag::GetTypeId(),
                                                   SocketSetDontFragmentTag::GetTypeId()};
    return Create<Packet>(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), true);
}

void
ProcessMail::Listen(const Ptr<NetDevice>& device, Kind kind, const Reader& reader)
{
#ifdef LIGHTPATH_MPI
    auto box = device->GetObject<MailBox>();
    if (!box)
    {
        box = CreateObject<MailBox>();
        device->AggregateObject(box);
        const auto receiver = CreateObject<MpiReceiver>();
        receiver->SetReceiveCallback(MakeCallback(&MailBox::Receive, PeekPointer(box)));
        device->AggregateObject(receiver);
    }
    box->SetReader(kind, reader);
#endif
}

void
ProcessMail::Send(const Ptr<NetDevice>& device,
                  Kind kind,
                  const Time& delay,
                  const std::string& mail)
{
#ifdef LIGHTPATH_MPI
    // A packet has 2000 bytes with the headers of ns-3
    constexpr std::size_t PART_BYTES = 1800;
    const std::string packed = Pack(mail);
    const Time arrival = Simulator::Now() + delay;
    std::size_t begin = 0;
    do
    {
        const std::size_t end = std::min(begin + PART_BYTES, packed.size());
        PartHeader header{};
        header.process = ProcessGroup::GetRank();
        header.kind = kind;
        header.isLast = end == packed.size();
        std::string part(reinterpret_cast<const char*>(&header), sizeof(header));
        part.append(packed, begin, end - begin);
        MpiInterface::SendPacket(
            Create<Packet>(reinterpret_cast<const uint8_t*>(part.data()), part.size()),
            arrival,
            device->GetNode()->GetId(),
            device->GetIfIndex());
        begin = end;
    } while (begin < packed.size());
#else
    NS_ABORT_MSG("Without MPI there is no other process to send to");
#endif
}

} // namespace lightpath
} // namespace ns3
