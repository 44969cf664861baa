/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "torus-options.h"

#include "ns3/torus-helper.h"

using namespace ns3;
using namespace ns3::lightpath;

void
TorusOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: torus of cubes", {"torus"});
    options.AddValue("shape",
                     "GPUs along each axis, like 4x4x8; default: as close to a cube as the GPUs "
                     "allow",
                     m_shape);
    options.AddValue("twisted",
                     "Twist a torus of n x n x 2n or n x 2n x 2n, which shortens its routes",
                     m_isTwisted);
}

void
TorusOptions::Configure(InterconnectHelper& fabric) const
{
    if (auto* const torus = dynamic_cast<TorusHelper*>(&fabric))
    {
        torus->SetShape(m_shape);
        torus->SetTwisted(m_isTwisted);
    }
}
