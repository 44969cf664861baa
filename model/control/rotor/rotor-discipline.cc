/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-discipline.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RotorDiscipline);

TypeId
RotorDiscipline::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RotorDiscipline").SetParent<Object>().SetGroupName("Lightpath");
    return tid;
}

} // namespace lightpath
} // namespace ns3
