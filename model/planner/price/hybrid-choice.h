/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HYBRID_CHOICE_H
#define HYBRID_CHOICE_H

#include "lightpath-queue.h"

#include "ns3/agenda.h"
#include "ns3/message-carrier.h"
#include "ns3/planning-problem.h"

#include <cstdint>
#include <functional>
#include <set>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Chooses between circuits and the network beside them, if there is one, as a
 * HybridTransport does.
 */
class HybridChoice
{
  public:
    /// The ports at the ends of a lightpath: source, destination.
    using Ends = std::pair<uint32_t, uint32_t>;

    /// Tells whether there is a lightpath, dark or not.
    using HasLightpath = std::function<bool(const Ends&)>;

    /// Takes a message, or what is left of it, that waited for a lightpath in vain.
    using Rest = std::function<void(const MessageCarrier::Message&, const LightpathQueue::Piece&)>;

    /**
     * @param agenda the time
     * @param fabric the fabric; both must outlive this object
     * @param hasLightpath tells whether there is a lightpath
     * @param rest called for what goes over the network beside the circuits after it has waited
     */
    HybridChoice(Agenda& agenda, const FabricLimits& fabric, HasLightpath hasLightpath, Rest rest);

    /**
     * @param message a message
     * @return true if it takes a lightpath, or waits for one; false if it goes over the network
     *         beside the circuits at once
     */
    bool TakesCircuits(const MessageCarrier::Message& message) const;

    /**
     * Note that a message has been sent to a lightpath, and may have to wait for it.
     *
     * @param message the message
     * @param queue the messages of the lightpath; it must outlive this object
     */
    void NotifySent(const MessageCarrier::Message& message, LightpathQueue& queue);

    /**
     * Let messages wait for a lightpath, if there is none, and take the network beside the circuits
     * afterwards.
     *
     * @param ends the ends of the lightpath
     * @param queue its messages; it must outlive this object
     */
    void Wait(const Ends& ends, LightpathQueue& queue);

  private:
    /**
     * @param message a message
     * @return true if it waits for a lightpath however long that takes
     */
    bool IsBulk(const MessageCarrier::Message& message) const;

    Agenda& m_agenda;                  //!< The time
    const FabricLimits& m_fabric;      //!< The fabric
    const HasLightpath m_hasLightpath; //!< Tells whether there is a lightpath
    const Rest m_rest;                 //!< Called for what has waited
    const int64_t m_limit;             //!< Time that messages wait for a lightpath, ticks
    std::set<Ends> m_waits;            //!< Lightpaths that messages wait for
};

} // namespace lightpath
} // namespace ns3

#endif /* HYBRID_CHOICE_H */
