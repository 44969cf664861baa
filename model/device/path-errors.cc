/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-errors.h"

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
PathErrors::DrawLost(uint32_t hop, uint32_t bytes, uint32_t headers, uint32_t most) const
{
    const Ptr<OpticalErrorModel>* const found = m_errors.Find(hop);
    if (!found || !*found)
    {
        return 0;
    }
    OpticalErrorModel& errors = **found;
    if (bytes <= headers + most)
    {
        return errors.DrawCorrupt(1, bytes) > 0 ? bytes : 0;
    }
    const uint32_t payload = bytes - headers;
    const uint32_t frames = (payload + most - 1) / most;
    const uint32_t corrupt = errors.DrawCorrupt(frames, headers + (payload + frames - 1) / frames);
    return corrupt == frames ? bytes : static_cast<uint32_t>(uint64_t{payload} * corrupt / frames);
}

} // namespace lightpath
} // namespace ns3
