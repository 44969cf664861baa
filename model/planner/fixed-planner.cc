/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-planner.h"

#include "iteration-estimator.h"
#include "replica-layout.h"
#include "tensor-program.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(FixedPlanner);

TypeId
FixedPlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::FixedPlanner")
            .SetParent<Planner>()
            .SetGroupName("Lightpath")
            .AddConstructor<FixedPlanner>()
            .AddAttribute("DataParallel",
                          "Number of replicas of the model; 0 for the number of GPUs over "
                          "TensorParallel",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedPlanner::m_dataParallel),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("TensorParallel",
                          "Number of GPUs that share the operators of one replica",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_tensorParallel),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("BucketBytes",
                          "Bytes of gradients that are summed over the replicas together, at "
                          "least; 0 to sum those of each update operator apart",
                          UintegerValue(25 << 20),
                          MakeUintegerAccessor(&FixedPlanner::m_bucketBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

FixedPlanner::FixedPlanner()
    : m_dataParallel(0),
      m_tensorParallel(1),
      m_bucketBytes(25 << 20)
{
}

TrainingPlan
FixedPlanner::DoPlan(const PlanningProblem& problem) const
{
    const uint32_t dataParallel =
        m_dataParallel > 0 ? m_dataParallel : std::max(problem.gpus / m_tensorParallel, 1U);
    CheckDegrees(problem, dataParallel);
    TensorProgram program(problem.graph,
                          problem.accelerator,
                          problem.globalBatch / dataParallel,
                          m_tensorParallel);
    TrainingPlan plan;
    plan.strategy.dataParallel = dataParallel;
    plan.strategy.tensorParallel = m_tensorParallel;
    plan.memoryBytes = program.GetMemoryBytes();
    const std::vector<std::shared_ptr<const RankProgram>> programs(
        m_tensorParallel,
        program.Write(dataParallel, m_bucketBytes));
    ReplicaLayout::Apply(programs, dataParallel, plan);
    plan.predictedSeconds = IterationEstimator(programs, dataParallel, problem.fabric).Run();
    return plan;
}

void
FixedPlanner::CheckDegrees(const PlanningProblem& problem, uint32_t dataParallel) const
{
    const std::string tensorParallel = std::to_string(m_tensorParallel);
    if (uint64_t{dataParallel} * m_tensorParallel != problem.gpus)
    {
        throw std::invalid_argument(std::to_string(dataParallel) + " replicas of " +
                                    tensorParallel + " GPUs each do not make " +
                                    std::to_string(problem.gpus) +
                                    " GPUs: DataParallel times TensorParallel must be the number "
                                    "of GPUs");
    }
    if (problem.globalBatch % dataParallel != 0)
    {
        throw std::invalid_argument("A global batch of " + std::to_string(problem.globalBatch) +
                                    " cannot be shared out evenly over " +
                                    std::to_string(dataParallel) +
                                    " replicas: it must be a multiple of DataParallel");
    }
    if (m_tensorParallel == 1)
    {
        return;
    }
    bool isSplit = false;
    for (const auto& op : problem.graph.GetOperators())
    {
        const bool isRow = op.split == TensorSplit::ROW;
        if (op.pass != Pass::FORWARD || (!isRow && op.split != TensorSplit::COLUMN))
        {
            continue;
        }
        isSplit = true;
        // What lies between a COLUMN and a ROW operator is spread over the GPUs
        const uint64_t bytes = isRow ? op.inputBytes : op.outputBytes;
        if (bytes % m_tensorParallel != 0)
        {
            throw std::invalid_argument("The " + std::to_string(bytes) + " bytes of the " +
                                        (isRow ? "input" : "output") + " of operator " + op.name +
                                        " cannot be shared out evenly over " + tensorParallel +
                                        " GPUs: TensorParallel must divide them");
        }
    }
    if (!isSplit)
    {
        throw std::invalid_argument("No operator of the model \"" + problem.graph.GetName() +
                                    "\" can be split over the " + tensorParallel +
                                    " GPUs of a replica: TensorParallel must be 1");
    }
}

} // namespace lightpath
} // namespace ns3
