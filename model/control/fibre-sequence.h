/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIBRE_SEQUENCE_H
#define FIBRE_SEQUENCE_H

#include "ns3/circuit-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The order in which fibres take over the lanes of another plan, one after the other.
 *
 * Plans on the way have the new lanes on the fibres that have had their turn, and the present ones
 * on those that have not. Fibres come in ascending order.
 */
class FibreSequence
{
  public:
    /// No fibres: all lanes are taken over at once.
    FibreSequence() = default;

    /**
     * @param present the plan that is carried
     * @param target the plan switched to
     */
    FibreSequence(const CircuitPlan& present, const CircuitPlan& target);

    /**
     * Give the next fibre its turn; nothing if all have had theirs.
     */
    void Advance();

    /**
     * @return true if all fibres have had their turn
     */
    bool IsOver() const;

    /**
     * @param present the plan that is carried
     * @param target the plan switched to
     * @return the lanes of the target on the fibres that have had their turn and on all that the
     *         sequence does not know, and the present ones on the rest
     */
    CircuitPlan Mix(const CircuitPlan& present, const CircuitPlan& target) const;

  private:
    /**
     * @param fibre the index of a fibre
     * @return true if the fibre has not had its turn
     */
    bool IsWaiting(uint32_t fibre) const;

    std::vector<uint32_t> m_fibres; //!< The fibres that have not had their turn, the first one last
};

} // namespace lightpath
} // namespace ns3

#endif /* FIBRE_SEQUENCE_H */
