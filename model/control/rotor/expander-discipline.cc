/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expander-discipline.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(ExpanderDiscipline);

TypeId
ExpanderDiscipline::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::ExpanderDiscipline")
            .SetParent<BalancedDiscipline>()
            .SetGroupName("Lightpath")
            .AddConstructor<ExpanderDiscipline>()
            .AddAttribute("ShortMessage",
                          "Messages of fewer bytes go at once, over several hops; 0 for none.",
                          UintegerValue(15000000),
                          MakeUintegerAccessor(&ExpanderDiscipline::m_shortMessage),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

} // namespace lightpath
} // namespace ns3
