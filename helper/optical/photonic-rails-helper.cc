/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-helper.h"

#include "ns3/circuit-controller.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/string.h"

namespace ns3
{
namespace lightpath
{

PhotonicRailsHelper::PhotonicRailsHelper()
{
    SetNSwitches(1);
    SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(25)));
    SetChannelAttribute("SwitchKind", StringValue("piezo"));
    SetControllerAttribute("Trigger", EnumValue(CircuitController::OPERATION));
}

Attach
PhotonicRailsHelper::GetUsualAttach(uint32_t /* gpus */, uint32_t /* cards */) const
{
    return Attach::RAIL;
}

} // namespace lightpath
} // namespace ns3
