/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXCHANGE_LIGHT_H
#define EXCHANGE_LIGHT_H

#include "model/plan/rank-classes.h"
#include "task-partners.h"

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief When there is light for the all-to-alls of experts, where circuits change for those of the
 * next layer (MixNetHelper).
 *
 * After an all-to-all circuits change at once if the next one is of another layer than they are
 * for, and its tokens have been spread. They are then dark, so that the next one waits.
 */
class ExchangeLight
{
  public:
    /**
     * @param partners the tasks of all classes
     * @param plan the plan; both must outlive this object
     * @param classes the classes of its ranks
     * @param fabric the fabric
     */
    ExchangeLight(const TaskPartners& partners,
                  const TrainingPlan& plan,
                  const RankClasses& classes,
                  const FabricLimits& fabric);

    /**
     * @param operation a collective operation that ends
     * @param now the time, seconds
     */
    void End(const TaskPartners::Operation& operation, double now);

    /**
     * @param operation a collective operation
     * @return the time from which on there is light for it, seconds
     */
    double GetBegin(const TaskPartners::Operation& operation) const;

  private:
    /// The layer of no circuits.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// The circuits of a class.
    struct Circuits
    {
        const RankProgram* program{nullptr}; //!< Its program
        std::vector<uint32_t> exchanges; //!< Its all-to-alls of experts that circuits change for
        uint32_t layer{NONE};            //!< The layer that the circuits are for
        double begin{0};                 //!< Since when they have light, seconds
    };

    /**
     * @param fabric the fabric
     * @param rank a rank
     * @param members the members of its group
     * @return the number of ports of other members in the regions of its ports
     */
    static uint32_t CountPeers(const FabricLimits& fabric,
                               uint32_t rank,
                               const std::vector<uint32_t>& members);

    const TaskPartners& m_partners;   //!< The tasks
    double m_seconds;                 //!< The time for which circuits are dark
    std::vector<Circuits> m_circuits; //!< By class
};

} // namespace lightpath
} // namespace ns3

#endif /* EXCHANGE_LIGHT_H */
