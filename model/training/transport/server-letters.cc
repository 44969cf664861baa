/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-transport.h"
#include "model/base/byte-archive.h"
#include "model/parallel/look-ahead.h"
#include "model/parallel/process-group.h"
#include "model/parallel/process-mail.h"
#include "server-network.h"

#include "ns3/node.h"
#include "ns3/optical-net-device.h"

#include <string>

/**
 * @file
 * @ingroup lightpath
 * The letters of a ServerNetwork, also those that go to another process.
 */

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bits of the numbers of letters in the process that gets them; the process that sent them is
/// above.
constexpr uint32_t NUMBER_BITS = 48;

} // namespace

Ptr<OpticalNetDevice>
ServerNetwork::GetInsideDevice(uint32_t place) const
{
    return DynamicCast<CircuitTransport>(m_inside[place])->GetDevice();
}

bool
ServerNetwork::IsHere(uint32_t place) const
{
    return ProcessGroup::GetSize() == 1 || ProcessGroup::IsHere(GetInsideDevice(place)->GetNode());
}

void
ServerNetwork::Close(uint64_t number)
{
    if (number >> NUMBER_BITS > 0)
    {
        m_foreign.erase(number);
        return;
    }
    m_letters[number] = Letter();
    m_free.push_back(number);
}

ServerNetwork::Letter&
ServerNetwork::Find(uint64_t number)
{
    return number >> NUMBER_BITS > 0 ? m_foreign.at(number) : m_letters[number];
}

uint64_t
ServerNetwork::Announce(const Letter& letter)
{
    uint64_t number = uint64_t{ProcessGroup::GetRank() + 1} << NUMBER_BITS | m_nAnnounced++;
    Letter own = letter;
    ByteArchive mail;
    mail.Pass(number);
    mail.Pass(own);
    // A letter sent now arrives later than that
    ProcessMail::Send(GetInsideDevice(letter.next),
                      ProcessMail::LETTER,
                      LookAhead::Get(),
                      mail.GetBytes());
    return number;
}

void
ServerNetwork::ListenToOthers()
{
    for (uint32_t place = 0; ProcessGroup::GetSize() > 1 && place < m_inside.size(); ++place)
    {
        ProcessMail::Listen(GetInsideDevice(place),
                            ProcessMail::LETTER,
                            ProcessMail::Reader([this](const std::string& bytes) {
                                ByteArchive mail(bytes);
                                uint64_t number = 0;
                                Letter letter;
                                mail.Pass(number);
                                mail.Pass(letter);
                                m_foreign.emplace(number, letter);
                            }));
    }
}

} // namespace lightpath
} // namespace ns3
