/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIP_ML_PLANNER_H
#define SIP_ML_PLANNER_H

#include "operator-pieces.h"

#include "ns3/nstime.h"
#include "ns3/planner.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

class GradientMap;
class PiecePlacement;

/**
 * @ingroup lightpath
 * @brief Splits operators over the GPUs of a replica so that no GPU has more peers than the fabric
 * gives it circuits, and searches for the best number of replicas.
 *
 * This is the heuristic of SiP-ML (Khani et al., SIGCOMM 2021). For D replicas of K GPUs each:
 *
 * - Operators are split into pieces by their time (OperatorPieces). A piece has its share of the
 *   arithmetic, the activations and the parameters.
 * - The pieces are placed so that each GPU sends to at most as many others as the fabric has
 *   circuits, less one for the ring over the replicas if there are several (PiecePlacement).
 * - The result of a piece is sent to the other GPUs of its replica that read it, to each once
 *   (ReplicaWriter). On a ring it may go from neighbour to neighbour: of the ways
 *   of PieceRoutes, that with the shortest predicted iteration is taken.
 * - Gradients are summed over the replicas by ring all-reduces while the backward pass goes on.
 *   Each piece holds its own share of the parameters, so that nothing is to be summed within a
 *   replica. With SumGradients false, each GPU sends its gradients to the next replica once, as in
 *   the simulator of its authors; this is for comparison, as it leaves the sums incomplete.
 *
 * D is tried for all common divisors of the number of GPUs and the global batch, or, as in the
 * simulator of its authors, for the powers of two among these (Divisors). Of the plans that fit
 * into the GPUs' memory and the fabric's degree, the one with the shortest predicted iteration is
 * taken, and of several the one with the smallest K. A plan that an allocator of the fabric cannot
 * give all its lightpaths is left out. Ranks are numbered as by ReplicaLayout.
 *
 * Unlike in the simulator of its authors, where every piece reads only the pieces whose part of the
 * result overlaps with its own, the pieces of a matrix product or convolution read all of its
 * input: without that, operators that are split alike would send nothing at all. Parameters,
 * gradients and optimiser state are held where the gradients are completed; the parameters that
 * pieces on other GPUs use are not sent to them.
 */
class SipMlPlanner : public Planner
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    // From Planner
    TrainingPlan DoPlan(const PlanningProblem& problem) const override;

    /// Ways of the results of pieces, as PieceRoutes knows them.
    using Routes = std::vector<CollectiveAlgorithm>;

    /// Best plan so far and the reasons why others were rejected.
    struct Search
    {
        TrainingPlan plan;       //!< The best plan; it has no programs if there is none yet
        uint64_t leastMemory{0}; //!< Least memory of a plan that does not fit, bytes; 0 if none
        std::string refusal;     //!< Why the last plan that fits into memory was rejected
        std::vector<PlanAlternative> refused; //!< The plans that the fabric cannot carry
    };

    /**
     * @param problem the problem
     * @return the numbers of replicas to try, in descending order: powers of two, or all divisors
     */
    std::vector<uint32_t> GetReplicas(const PlanningProblem& problem) const;

    /**
     * Refuse, by std::invalid_argument, GPUs whose number does not divide the batch and whose
     * memory is too small.
     *
     * @param problem the problem
     * @param bytes the memory of a GPU that a plan needs at least
     */
    void CheckReplicas(const PlanningProblem& problem, uint64_t bytes) const;

    /**
     * Try one number of replicas.
     *
     * @param problem the problem
     * @param gradients the gradients of its graph
     * @param replicas the number of replicas
     * @param [in,out] search the best plan so far
     */
    void Try(const PlanningProblem& problem,
             const GradientMap& gradients,
             uint32_t replicas,
             Search& search) const;

    /**
     * Place the pieces of a replica.
     *
     * @param [in,out] placement the placement
     * @param most the memory of a GPU, bytes
     * @param [in,out] search the best plan so far, and why others were rejected
     * @return true if a plan with this placement fits into the memory and may be the best one
     */
    static bool Place(PiecePlacement& placement, uint64_t most, Search& search);

    /**
     * @param problem the problem
     * @param gpus the number of GPUs of a replica
     * @return the ways of results to try, the direct one first
     */
    Routes GetRoutes(const PlanningProblem& problem, uint32_t gpus) const;

    /**
     * @param search the best plan so far
     * @return the time in seconds that a better plan takes at most
     */
    static double GetBound(const Search& search);

    /**
     * Take a plan that is better than the best one so far, if the fabric can carry it.
     *
     * @param problem the problem
     * @param plan the plan
     * @param [in,out] search the best plan so far
     */
    static void Offer(const PlanningProblem& problem, TrainingPlan plan, Search& search);

    Time m_timeQuantum;      //!< The time quantum that pieces take at least; 0 for none
    uint32_t m_dataParallel; //!< Number of replicas; 0 to search
    bool m_divisors;         //!< Whether to try all divisors, not only powers of two
    OperatorPieces::SplitMode m_splitMode; //!< The quantity that pieces share out
    int m_route;            //!< The CollectiveAlgorithm that is the way of results, or AUTOMATIC
    bool m_sumGradients;    //!< Whether all-reduces sum gradients over the replicas
    uint64_t m_bucketBytes; //!< Size at which a bucket of gradients is complete, bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* SIP_ML_PLANNER_H */
