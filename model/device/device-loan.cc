/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fields.h"
#include "fabric-channel.h"
#include "forward-queue.h"
#include "optical-net-device.h"

#include "ns3/error-model.h"
#include "ns3/log.h"

/**
 * @file
 * @ingroup lightpath
 * The lightpaths that an OpticalNetDevice lends.
 */

namespace ns3
{
namespace lightpath
{

/// The log of lightpaths that are lent
NS_LOG_COMPONENT_DEFINE("OpticalNetDeviceLoan");

OpticalNetDevice::LentLightpath
OpticalNetDevice::Lend(uint32_t destination, LightpathBorrower& borrower, uint32_t lightpath)
{
    NS_LOG_FUNCTION(this << destination << lightpath);
    OpticalTransmitter& transmitter = GetTransmitter(destination);
    if (LightpathBorrower* const former = transmitter.GetBorrower())
    {
        former->Release(transmitter.GetLentNumber());
    }
    if (transmitter.GetBorrower() || m_darkClock.HasDark() || LooksAtFrames() ||
        m_channel->GetNextHop(m_port, destination) != destination ||
        !m_channel->Lend(m_port, destination))
    {
        return {};
    }
    if (!transmitter.Lend(borrower, lightpath))
    {
        m_channel->TakeBack(m_port, destination);
        return {};
    }
    ++m_nLent;
    return {transmitter.GetBitRate(), transmitter.GetDelay(), transmitter.GetCarry()};
}

bool
OpticalNetDevice::LendShared(uint32_t destination,
                             LightpathBorrower& borrower,
                             uint32_t lightpath,
                             Time delay,
                             TransmissionClock::Work& carry)
{
    NS_LOG_FUNCTION(this << destination << lightpath << delay);
    OpticalTransmitter& transmitter = GetTransmitter(destination);
    if (LightpathBorrower* const former = transmitter.GetBorrower())
    {
        former->Release(transmitter.GetLentNumber());
    }
    if (transmitter.GetBorrower() || LooksAtFrames() ||
        m_channel->GetNextHop(m_port, destination) != destination ||
        !transmitter.LendShared(borrower, lightpath, delay))
    {
        return false;
    }
    ++m_nLent;
    carry = transmitter.GetCarry();
    return true;
}

void
OpticalNetDevice::NotifyDark(bool dark)
{
    // Whether the device has light for any frame depends on all its lightpaths
    if (dark && m_nLent > 0 && m_channel->StaysDark())
    {
        RecallLent();
    }
    m_darkClock.NoteDark(dark);
}

void
OpticalNetDevice::TakeBack(uint32_t destination, TransmissionClock::Work carry)
{
    NS_LOG_FUNCTION(this << destination);
    OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    if (transmitter && transmitter->GetBorrower())
    {
        transmitter->TakeBack(carry);
        --m_nLent;
        m_channel->TakeBack(m_port, destination);
    }
}

void
OpticalNetDevice::NoteComputed(uint32_t destination, uint64_t bytes, Time begin, Time end) const
{
    m_computedFrameTrace(destination, bytes, begin, end);
}

void
OpticalNetDevice::Recall(uint32_t destination)
{
    NS_LOG_FUNCTION(this << destination);
    const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    if (transmitter && transmitter->GetBorrower())
    {
        transmitter->GetBorrower()->GiveBack(transmitter->GetLentNumber());
    }
}

void
OpticalNetDevice::ResumeFrame(uint32_t destination,
                              const SourceFrame& frame,
                              TransmissionClock::Work unsent,
                              bool hasBegun)
{
    NS_LOG_FUNCTION(this << destination << frame.bytes);
    GetTransmitter(destination)
        .ResumeFrame({nullptr, frame, frame.bytes + ETHERNET_HEADER_BYTES}, unsent, hasBegun);
}

bool
OpticalNetDevice::LooksAtFrames() const
{
    return IsLogged() || HasErrors() || LooksAtReceived() || m_phyTxBeginTrace.NeedsEvents() ||
           m_phyTxEndTrace.NeedsEvents() || m_snifferTrace.NeedsEvents() ||
           m_promiscSnifferTrace.NeedsEvents() || m_frameBeginTrace.NeedsEvents() ||
           m_frameEndTrace.NeedsEvents() || m_backlogTrace.NeedsEvents() ||
           m_channel->TracesFrames();
}

void
OpticalNetDevice::SettleLent() const
{
    for (std::size_t i = 0; m_nLent > 0 && i < m_transmitters.GetPorts().size(); ++i)
    {
        const OpticalTransmitter& transmitter = m_transmitters.GetEntry(i);
        if (LightpathBorrower* const borrower = transmitter.GetBorrower())
        {
            borrower->Settle(transmitter.GetLentNumber());
        }
    }
}

void
OpticalNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> model)
{
    NS_LOG_FUNCTION(this << model);
    if (model)
    {
        LightpathBorrower::RecallAll();
    }
    m_errorModel = model;
}

Ptr<ErrorModel>
OpticalNetDevice::GetReceiveErrorModel() const
{
    return m_errorModel;
}

void
OpticalNetDevice::RecallLent()
{
    NS_LOG_FUNCTION(this);
    for (std::size_t i = 0; m_nLent > 0 && i < m_transmitters.GetPorts().size(); ++i)
    {
        const OpticalTransmitter& transmitter = m_transmitters.GetEntry(i);
        if (LightpathBorrower* const borrower = transmitter.GetBorrower())
        {
            borrower->GiveBack(transmitter.GetLentNumber());
        }
    }
}

} // namespace lightpath
} // namespace ns3
