/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-errors.h"

#include "model/base/wire-format.h"

namespace ns3
{
namespace lightpath
{

void
PathErrors::Set(uint32_t hop, Ptr<OpticalErrorModel> errors)
{
    m_errors.Get(hop) = errors;
}

uint32_t
PathErrors::DrawLost(uint32_t hop, uint32_t bytes, uint32_t mtu) const
{
    const Ptr<OpticalErrorModel>* const found = m_errors.Find(hop);
    if (!found || !*found)
    {
        return 0;
    }
    OpticalErrorModel& errors = **found;
    const uint32_t payload = bytes - ETHERNET_HEADER_BYTES;
    if (payload <= mtu)
    {
        return errors.DrawCorrupt(1, bytes) > 0 ? bytes : 0;
    }
    const uint32_t frames = (payload + mtu - 1) / mtu;
    const uint32_t size = ETHERNET_HEADER_BYTES + (payload + frames - 1) / frames;
    const uint32_t corrupt = errors.DrawCorrupt(frames, size);
    return corrupt == frames ? bytes : static_cast<uint32_t>(uint64_t{payload} * corrupt / frames);
}

} // namespace lightpath
} // namespace ns3
