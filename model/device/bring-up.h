/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BRING_UP_H
#define BRING_UP_H

#include "ns3/nstime.h"

#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The steps from the end of switching to the first bit on a new circuit, one after the
 * other.
 */
struct BringUp
{
    /**
     * Create the steps of a kind of transceiver: "published" (none: the switching times that papers
     * on fabrics state include them), "research" (fast lasers and burst-mode receivers, 8.8 us) or
     * "product" (a network card with a pluggable module, 5.67 s).
     *
     * @param name a name; std::invalid_argument for any other
     * @return the steps
     */
    static BringUp Create(const std::string& name);

    /**
     * @return the time that a receiver needs from the new light to the first bit
     */
    Time GetReceiverTime() const
    {
        return receiverLock + codeAlignment + linkTraining;
    }

    /**
     * @return the time of all steps
     */
    Time GetTotal() const
    {
        return laserTuning + GetReceiverTime();
    }

    Time laserTuning;   //!< A laser is tuned to another wavelength
    Time receiverLock;  //!< A receiver locks to the clock of the new light
    Time codeAlignment; //!< A decoder finds the boundaries of codewords
    Time linkTraining;  //!< Both ends adapt their equalisers and declare the link up
};

} // namespace lightpath
} // namespace ns3

#endif /* BRING_UP_H */
