/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-discipline.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(DirectDiscipline);

TypeId
DirectDiscipline::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::DirectDiscipline")
                            .SetParent<RotorDiscipline>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<DirectDiscipline>();
    return tid;
}

void
DirectDiscipline::Decide(uint32_t /* slot */,
                         const std::vector<Contact>& /* contacts */,
                         uint64_t /* capacity */,
                         const RotorQueues& /* queues */,
                         std::vector<Grant>& grants)
{
    grants.clear();
}

} // namespace lightpath
} // namespace ns3
