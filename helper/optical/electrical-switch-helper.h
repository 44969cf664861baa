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
 *
 * The bandwidth of a node is the LinkRate of the channel.
 */
class ElectricalSwitchHelper : public FabricHelper
{
  public:
    /**
     * A switch with the defaults of its channel: 2 Tb/s a node.
     */
    ElectricalSwitchHelper();

    /**
     * @param delay the time from the last bit sent to the last received: the attribute Delay of
     *        the channel
     */
    void SetDelay(Time delay);

    std::string Check(uint32_t nNodes) const override;
  private:
    std::vector<DerivedAttribute> GetDerived() const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* ELECTRICAL_SWITCH_HELPER_H */
