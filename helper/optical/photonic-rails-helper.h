/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PHOTONIC_RAILS_HELPER_H
#define PHOTONIC_RAILS_HELPER_H

#include "sip-ocs-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a rail of photonic rails: one optical circuit switch, whose circuits follow the
 * operations of a job (Opus, "photonic rails").
 *
 * Below servers that are attached by rails (ServerHelper), each rail has a switch of its own. It is
 * a SipOcsHelper with other defaults: one switch of the piezo kind, a SwitchingDelay of 25 ms, and
 * the Trigger Operation. With SetNSwitches() a rail has several planes, which can turn while others
 * send.
 */
class PhotonicRailsHelper : public SipOcsHelper
{
  public:
    PhotonicRailsHelper();

    /**
     * @param gpus the GPUs of a server
     * @param cards its cards
     * @return by rails
     */
    Attach GetUsualAttach(uint32_t gpus, uint32_t cards) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* PHOTONIC_RAILS_HELPER_H */
