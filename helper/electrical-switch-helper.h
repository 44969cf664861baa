/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ELECTRICAL_SWITCH_HELPER_H
#define ELECTRICAL_SWITCH_HELPER_H

#include "fabric-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs an ideal electrical switch (CrossbarChannel).
 */
class ElectricalSwitchHelper : public FabricHelper
{
  public:
    /**
     * A switch with 2 Tb/s a node.
     */
    ElectricalSwitchHelper();
    ~ElectricalSwitchHelper() override;

    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;
    FabricLimits GetLimits(uint32_t nNodes) const override;

  private:
    void ConfigureChannel(ObjectFactory& factory) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* ELECTRICAL_SWITCH_HELPER_H */
