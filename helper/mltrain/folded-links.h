/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FOLDED_LINKS_H
#define FOLDED_LINKS_H

#include "ns3/link-graph-helper.h"
#include "ns3/link-graph.h"
#include "ns3/plan-folder.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class LeafRoutes;

/**
 * @ingroup lightpath
 * @brief Whether the ranks of a folded plan (PlanFolder) have the ways and the shares of links of
 * those that they stand for, over a network of switches that spread all flows over all shortest
 * routes.
 *
 * The folded ranks keep their places in the network (LinkGraph::Keep()). Their messages take as
 * long if two conditions hold. Each message of the full plan has the delay of the one that stands
 * for it. And no link between switches can hold back a flow, whatever is under way: it has the sum
 * of what each sender, or each receiver, can put on it with all of its rate towards the peer that
 * uses it most. Then the links of ports alone decide on max-min fair shares, as they do on one
 * switch, and these carry what they carry there.
 */
class FoldedLinks
{
  public:
    /**
     * Fold a plan. If the servers are not all alike, those of two leaves or pods are kept. Throws
     * std::invalid_argument, with one sentence, if few ranks do not stand for all.
     *
     * @param plan the plan
     * @param layout its servers; each rank has a port of its own
     * @param network the network between its ranks, whose routes are spread
     * @return the folded plan
     */
    static PlanFolder Fold(const TrainingPlan& plan,
                           const ServerLayout& layout,
                           const LinkGraphHelper& network);

  private:
    /// A message: the rank that sends it and the one that receives it.
    using Pair = std::pair<uint32_t, uint32_t>;

    /**
     * Throw std::invalid_argument, with one sentence, if the folded ranks do not stand for all.
     *
     * @param plan the full plan
     * @param layout its servers
     * @param graph the network between its ranks
     * @param folder the folded plan
     */
    static void Check(const TrainingPlan& plan,
                      const ServerLayout& layout,
                      const LinkGraph& graph,
                      const PlanFolder& folder);

    /**
     * Refuse messages that take longer or shorter ways than those that stand for them.
     *
     * @param plan the full plan
     * @param layout its servers
     * @param folder the folded plan
     * @param [in,out] routes the ways between ports
     * @return the pairs of ranks with messages between servers
     */
    static std::vector<Pair> CheckDelays(const TrainingPlan& plan,
                                         const ServerLayout& layout,
                                         const PlanFolder& folder,
                                         LeafRoutes& routes);

    /**
     * Refuse links between switches that may hold back what ports send.
     *
     * @param graph the network
     * @param [in,out] routes the ways between ports
     * @param pairs the pairs of ranks with messages
     */
    static void CheckRates(const LinkGraph& graph, LeafRoutes& routes, std::vector<Pair> pairs);
};

} // namespace lightpath
} // namespace ns3

#endif /* FOLDED_LINKS_H */
