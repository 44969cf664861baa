/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLACEMENT_CONTEST_H
#define PLACEMENT_CONTEST_H

#include "model/planner/price/cost-model.h"
#include "port-arrangement.h"

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cstddef>
#include <exception>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Prices a plan in some placements, and keeps the best of them.
 *
 * The best one has the lowest price. Of those whose prices differ by less than prices are sure of,
 * it is the one with the shortest longest lightpath; then the linear one, then the first one. A
 * ring whose circuits are not decided on in advance has one price for all: there the load decides.
 */
class PlacementContest
{
  public:
    /**
     * All parameters but the last two must outlive this object.
     *
     * @param fabric the fabric
     * @param arrangement what measures loads; it changes
     * @param plan the plan; its placement changes
     * @param limit the time in seconds beyond which the exact price is not needed
     * @param isLast whether prices are as exact as they can be, and not quick
     */
    PlacementContest(const FabricLimits& fabric,
                     PortArrangement& arrangement,
                     TrainingPlan& plan,
                     double limit,
                     bool isLast);

    /**
     * Price the plan in a placement, unless that has been tried. Nothing comes of it if the fabric
     * does not carry the plan, or if another one has a price and HalvingPlaces says that this one
     * would have none, or prices have taken many events. PlanningTimeout if the time to plan is up
     * before there is any price.
     *
     * @param placement the placement
     */
    void Try(const Placement& placement);

    /**
     * @return true if no placement has a price
     */
    bool IsEmpty() const;

    /**
     * @return the number of placements in which the fabric joins all pairs
     */
    std::size_t GetNJoined() const;

    /**
     * @return the number of placements that were tried
     */
    std::size_t GetNTried() const;

    /**
     * @return the best placement, if there is a price
     */
    const Placement& GetBest() const;

    /**
     * Put the plan into the best placement; std::invalid_argument if there is no price.
     *
     * @return its price, seconds
     */
    double Settle();

  private:
    /// A placement with its price.
    struct Entry
    {
        Placement placement;        //!< The placement
        double seconds{0};          //!< Time of an iteration, s
        double tolerance{0};        //!< Share of the time by which it may be wrong
        PortArrangement::Load load; //!< How it loads the links
    };

    /// The order of placements: the least is the best.
    using Rank = std::tuple<bool, PortArrangement::Load, uint32_t, bool>;

    /**
     * @param entry a placement
     * @return its rank
     */
    Rank GetRank(const Entry& entry) const;

    /**
     * @return the best one, if there is a price
     */
    const Entry& FindBest() const;

    /**
     * @param placement the placement that the plan gets
     */
    void Place(const Placement& placement);

    const FabricLimits& m_fabric;   //!< The fabric
    PortArrangement& m_arrangement; //!< What measures loads
    TrainingPlan& m_plan;           //!< The plan
    double m_limit;                 //!< The time beyond which the exact price is not needed, s
    bool m_isLast;                  //!< Whether prices are as exact as they can be
    bool m_doLoadsDecide;           //!< Whether prices say little
    std::set<uint32_t> m_halving;   //!< Kinds of groups that sum by halving and doubling on servers
    CostModel m_model;              //!< What prices
    std::vector<Placement> m_tried; //!< All that were tried
    std::vector<Entry> m_entries;   //!< Those that have a price
    double m_least{std::numeric_limits<double>::infinity()}; //!< The lowest price, s
    uint64_t m_nEvents{0};        //!< Events of all prices (PlanCost::events)
    std::size_t m_nJoined{0};     //!< Number of those in which all pairs are joined
    std::exception_ptr m_refusal; //!< Why the last one that is refused is so
};

} // namespace lightpath
} // namespace ns3

#endif /* PLACEMENT_CONTEST_H */
