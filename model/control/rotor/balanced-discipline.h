/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BALANCED_DISCIPLINE_H
#define BALANCED_DISCIPLINE_H

#include "rotor-discipline.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The load balancing of RotorNet, RotorLB (Mellette et al., SIGCOMM 2017): what a slot has
 * room for beside direct data goes through the port that is met.
 *
 * At the beginning of a slot two ports that meet first set room aside for what is stored for the
 * peer, then for direct data. The sender offers what is left of its own data for other ports. The
 * peer accepts, for each of them, at most what it can send there itself the next time: the bytes
 * of a slot, less what waits there already. The rest of the slot is shared out over the accepted
 * offers max-min fairly. The exchange of offers takes no time.
 */
class BalancedDiscipline : public RotorDiscipline
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Decide(uint32_t slot,
                const std::vector<Contact>& contacts,
                uint64_t capacity,
                const RotorQueues& queues,
                std::vector<Grant>& grants) override;

  private:
    /**
     * Share out what is left of a slot.
     *
     * @param contact the pair that meets
     * @param left the bytes that are left
     * @param capacity the bytes of the slot
     * @param queues what waits
     * @param [in,out] grants the grants so far
     */
    void Share(const Contact& contact,
               uint64_t left,
               uint64_t capacity,
               const RotorQueues& queues,
               std::vector<Grant>& grants);

    std::vector<uint64_t> m_left;                  //!< Bytes left of the slot of each contact
    std::vector<std::vector<uint64_t>> m_sent;     //!< Own bytes that get sent, as in RotorQueues
    std::vector<std::vector<uint64_t>> m_accepted; //!< Bytes that a port accepts for another
    std::vector<Grant> m_offers;                   //!< Offers of one contact
};

} // namespace lightpath
} // namespace ns3

#endif /* BALANCED_DISCIPLINE_H */
