/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-search.h"

#include "search-advice.h"
#include "sip-ml-planner.h"
#include "strategy-space.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// How much longer than the best one a plan may take that is improved nevertheless.
constexpr double WORTH_IMPROVING = 1.25;

/// Pieces times the GPUs of a replica that placing them is as much work as an evaluation.
constexpr uint64_t PIECES = 4000;

/// The most plans of each sort that are named as alternatives.
constexpr std::size_t MOST_ALTERNATIVES = 20;

} // namespace

StrategySearch::StrategySearch(const PlanningProblem& problem,
                               const Options& options,
                               ChoicePricer::Check check)
    : m_problem(problem),
      m_options(options),
      m_budget(options.evaluations, options.seconds),
      m_pricer(problem, m_budget, std::move(check)),
      m_bound(problem)
{
}

const std::vector<SearchProgress>&
StrategySearch::GetProgress() const
{
    return m_budget.GetProgress();
}

TrainingPlan
StrategySearch::Run()
{
    if (m_budget.HasRoom())
    {
        m_allSeconds = m_bound.GetAllSeconds();
        FindBounds();
        TryPlanners();
        TryStrategies();
        ImproveBest();
    }
    if (m_best.empty())
    {
        Refuse();
    }
    TrainingPlan plan = m_pricer.MakePlan(m_best.front().choice);
    plan.lowerBoundSeconds = GetLowerBound();
    plan.alternatives = GetAlternatives();
    Record();
    return plan;
}

void
StrategySearch::FindBounds()
{
    for (const auto& strategy : StrategySpace(m_problem).GetStrategies())
    {
        Bounded bounded;
        bounded.strategy = strategy;
        m_hasAllBounds = m_hasAllBounds && m_budget.HasRoom();
        if (m_hasAllBounds)
        {
            try
            {
                bounded.bound = m_bound.GetSeconds(strategy);
            }
            catch (const std::invalid_argument&)
            {
                bounded.isExcluded = true;
            }
        }
        m_strategies.push_back(std::move(bounded));
    }
    std::stable_sort(m_strategies.begin(),
                     m_strategies.end(),
                     [](const Bounded& a, const Bounded& b) { return a.bound < b.bound; });
}

void
StrategySearch::TryPlanners()
{
    // A first plan is found at once
    for (std::size_t i = 0; i < m_strategies.size() && m_best.empty() && m_budget.HasRoom(); ++i)
    {
        TryStrategy(m_strategies[i]);
        ++m_nTried;
    }
    if (!m_options.otherPlanners)
    {
        return;
    }
    TypeId tid;
    if (m_budget.HasRoom() && TypeId::LookupByNameFailSafe("ns3::lightpath::MegatronPlanner", &tid))
    {
        ObjectFactory factory;
        factory.SetTypeId(tid);
        TryPlanner(*factory.Create<Planner>(), "Megatron");
    }
    TrySipMl();
}

void
StrategySearch::TrySipMl()
{
    uint32_t replicas = 1;
    while (m_problem.gpus % (2 * uint64_t{replicas}) == 0 &&
           m_problem.globalBatch % (2 * uint64_t{replicas}) == 0)
    {
        replicas *= 2;
    }
    const uint64_t most =
        m_budget.GetEvaluations() +
        (m_budget.GetMaxEvaluations() - m_budget.GetEvaluations()) / PLANNERS_PART;
    for (; replicas > 0; replicas /= 2)
    {
        const uint64_t gpus = m_problem.gpus / replicas;
        const uint64_t evaluations =
            1 + m_problem.graph.GetOperators().size() * gpus * (gpus + 4) / PIECES;
        if (m_budget.GetEvaluations() + evaluations > most || !m_budget.HasRoom(evaluations))
        {
            return;
        }
        m_budget.Charge(evaluations);
        const auto planner = CreateObject<SipMlPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(replicas));
        TryPlanner(*planner, "SiP-ML");
    }
}

void
StrategySearch::TryPlanner(const Planner& planner, const std::string& name)
{
    PlanChoice choice;
    choice.name = name;
    try
    {
        const auto plan = std::make_shared<const TrainingPlan>(planner.Plan(m_problem));
        choice.strategy = plan->strategy;
        choice.name = name + ", " + PlanChoice::GetName(plan->strategy);
        choice.base = plan;
        Note(choice, plan->cost.seconds, false);
        Offer(choice, plan->cost.seconds);
    }
    catch (const std::invalid_argument& error)
    {
        PlanAlternative alternative;
        alternative.name = name;
        alternative.refusal = error.what();
        m_alternatives.push_back(std::move(alternative));
    }
}

void
StrategySearch::TryStrategies()
{
    const uint64_t most = m_budget.GetEvaluations() +
                          (m_budget.GetMaxEvaluations() - m_budget.GetEvaluations()) * 3 / 5;
    std::vector<std::size_t> fitting; // strategies that keep all activations, and fit
    for (; m_nTried < m_strategies.size(); ++m_nTried)
    {
        Bounded& bounded = m_strategies[m_nTried];
        if (bounded.bound >= GetBest() * (1 - m_options.tolerance) || !m_budget.HasRoom() ||
            (m_budget.GetEvaluations() >= most && !m_best.empty()))
        {
            return;
        }
        // What is computed anew without need only takes longer
        const bool isNeedless =
            bounded.strategy.recomputation != Recomputation::NONE &&
            std::any_of(fitting.begin(), fitting.end(), [&](std::size_t other) {
                Strategy strategy = bounded.strategy;
                strategy.recomputation = m_strategies[other].strategy.recomputation;
                return strategy.recomputation < bounded.strategy.recomputation &&
                       PlanChoice::IsSame(strategy, m_strategies[other].strategy);
            });
        if (isNeedless || bounded.isExcluded)
        {
            continue;
        }
        TryStrategy(bounded);
        if (!bounded.isExcluded && !m_pricer.IsMemoryRefusal())
        {
            fitting.push_back(m_nTried);
        }
    }
}

void
StrategySearch::TryStrategy(Bounded& bounded)
{
    PlanChoice choice;
    choice.strategy = bounded.strategy;
    choice.name = PlanChoice::GetName(bounded.strategy);
    const double limit = GetLimit();
    double seconds = m_pricer.Price(choice, limit);
    const bool isMemory = m_pricer.IsMemoryRefusal();
    const bool canSwitch = m_problem.fabric.canSwitch && !m_problem.fabric.phaseCircuits;
    if (seconds == std::numeric_limits<double>::infinity() && !isMemory && canSwitch)
    {
        choice.phaseCircuits = true;
        seconds = m_pricer.Price(choice, limit);
    }
    if (seconds == std::numeric_limits<double>::infinity())
    {
        // With one stage there are no cuts that could change this
        bounded.isExcluded = isMemory && bounded.strategy.pipelineParallel == 1;
        m_refusal =
            isMemory || !m_refusal.empty() ? m_refusal : choice.name + ": " + m_pricer.GetRefusal();
        Note(choice, seconds, false);
        return;
    }
    const double before = GetBest();
    PlanChoice dealt = choice;
    dealt.circuits = m_problem.fabric.allocators.empty()
                         ? std::vector<uint32_t>()
                         : PlanImprover::GetCircuits(m_pricer, choice);
    if (!dealt.circuits.empty())
    {
        const double other = m_pricer.Price(dealt, std::min(limit, seconds));
        if (other < seconds)
        {
            choice = dealt;
            seconds = other;
        }
    }
    PlanChoice phased = choice;
    phased.circuits.clear();
    phased.phaseCircuits = true;
    if (canSwitch && !choice.phaseCircuits)
    {
        const double other = m_pricer.Price(phased, std::min(limit, seconds));
        if (other < seconds && m_pricer.IsCarried(phased))
        {
            choice = phased;
            seconds = other;
        }
    }
    bool isCarried = seconds > limit || Offer(choice, seconds);
    if (!isCarried && !choice.phaseCircuits && canSwitch)
    {
        choice.circuits.clear();
        choice.phaseCircuits = true;
        seconds = m_pricer.Price(choice, limit);
        isCarried = seconds > limit || Offer(choice, seconds);
    }
    Note(choice, isCarried ? seconds : std::numeric_limits<double>::infinity(), seconds > limit);
    if (GetBest() < before)
    {
        Record();
    }
}

bool
StrategySearch::Offer(const PlanChoice& choice, double seconds)
{
    if (seconds > GetLimit())
    {
        return true;
    }
    if (!choice.base && !m_pricer.IsCarried(choice))
    {
        uint32_t degree = 0;
        for (const auto& kind : m_pricer.GetTraffic(choice))
        {
            degree += kind.degree;
        }
        if (degree < m_leastDegree)
        {
            m_leastDegree = degree;
            m_refusal = choice.name + ": " + m_pricer.GetRefusal();
        }
        return false;
    }
    const auto at = std::upper_bound(
        m_best.begin(),
        m_best.end(),
        seconds,
        [](double value, const PlanImprover::Priced& other) { return value < other.seconds; });
    m_best.insert(at, {choice, seconds});
    m_best.resize(std::min<std::size_t>(m_best.size(), m_options.beam));
    return true;
}

void
StrategySearch::ImproveBest()
{
    for (std::size_t i = 0; i < m_best.size(); ++i)
    {
        const double enough = GetLowerBound() / (1 - std::min(m_options.tolerance, 0.5));
        if (!m_budget.HasRoom() || GetBest() <= enough)
        {
            break;
        }
        PlanImprover::Priced& mine = m_best[i];
        const bool isStrategy = !mine.choice.base;
        if (isStrategy && m_bound.GetSeconds(mine.choice.strategy) >= GetBest())
        {
            continue;
        }
        const uint64_t left = m_budget.GetMaxEvaluations() - m_budget.GetEvaluations();
        const double before = mine.seconds;
        PlanImprover(m_pricer, m_budget, m_options.seed + i)
            .Improve(mine, left / (m_best.size() - i), enough);
        if (mine.seconds < before)
        {
            if (isStrategy)
            {
                m_improvedBound =
                    std::min(m_improvedBound, m_bound.GetSeconds(mine.choice.strategy));
            }
            mine.choice.name += ", improved";
            Note(mine.choice, mine.seconds, false);
            Record();
        }
    }
    std::stable_sort(m_best.begin(), m_best.end(), [](const auto& a, const auto& b) {
        return a.seconds < b.seconds;
    });
}

double
StrategySearch::GetBest() const
{
    double best = std::numeric_limits<double>::infinity();
    for (const auto& priced : m_best)
    {
        best = std::min(best, priced.seconds);
    }
    return best;
}

double
StrategySearch::GetLimit() const
{
    return m_best.size() < m_options.beam
               ? WORTH_IMPROVING * GetBest()
               : std::min(WORTH_IMPROVING * GetBest(), m_best.back().seconds);
}

double
StrategySearch::GetLowerBound() const
{
    double least = m_improvedBound;
    for (const auto& bounded : m_strategies)
    {
        least = bounded.isExcluded ? least : std::min(least, bounded.bound);
    }
    least = m_options.boundAllPlans ? m_allSeconds : std::max(least, m_allSeconds);
    return std::min(least, GetBest());
}

void
StrategySearch::Note(const PlanChoice& choice, double seconds, bool isBound)
{
    PlanAlternative alternative;
    alternative.name = choice.name;
    alternative.strategy = choice.strategy;
    const bool isRefused = seconds == std::numeric_limits<double>::infinity();
    alternative.seconds = isRefused ? 0 : seconds;
    alternative.isBound = isBound && !isRefused;
    alternative.refusal = isRefused ? m_pricer.GetRefusal() : "";
    m_alternatives.push_back(std::move(alternative));
}

void
StrategySearch::Record()
{
    m_budget.Record(GetBest(), GetLowerBound());
}

std::vector<PlanAlternative>
StrategySearch::GetAlternatives() const
{
    const auto rank = [](const PlanAlternative& plan) {
        return !plan.refusal.empty() ? 2 : plan.isBound ? 1 : 0;
    };
    std::vector<PlanAlternative> sorted = m_alternatives;
    std::stable_sort(sorted.begin(),
                     sorted.end(),
                     [&rank](const PlanAlternative& a, const PlanAlternative& b) {
                         return rank(a) != rank(b) ? rank(a) < rank(b) : a.seconds < b.seconds;
                     });
    std::size_t counts[3] = {0, 0, 0};
    std::vector<PlanAlternative> some;
    const std::string& best = m_best.front().choice.name;
    for (auto& plan : sorted)
    {
        // Those of other planners are always named
        const bool isOther = plan.name.rfind("SiP-ML", 0) == 0 || plan.name.rfind("Mega", 0) == 0;
        if (counts[rank(plan)]++ < MOST_ALTERNATIVES || isOther)
        {
            const bool isBest = plan.name == best && rank(plan) == 0;
            some.insert(isBest && !some.empty() && some.front().seconds >= plan.seconds
                            ? some.begin()
                            : some.end(),
                        std::move(plan));
        }
    }
    return some;
}

void
StrategySearch::Refuse() const
{
    const bool isDone = m_nTried >= m_strategies.size() && m_budget.HasRoom();
    if (isDone)
    {
        throw std::invalid_argument(SearchAdvice(m_problem).GetRefusal(m_refusal, m_leastDegree));
    }
    const std::size_t nAll = std::max<std::size_t>(m_strategies.size(), 1);
    const double share = static_cast<double>(nAll) / static_cast<double>(m_nTried + 1);
    std::ostringstream text;
    text << "The search has found no plan before its budget of ";
    if (m_budget.GetEvaluations() < m_budget.GetMaxEvaluations() && m_options.seconds > 0)
    {
        const double enough = std::max(m_budget.GetElapsedSeconds(), 1e-2) * (1 + share);
        text << m_options.seconds << " s was used up, and has looked at " << m_nTried
             << " strategies: a TimeBudget of about " << enough << " s would do for all of them";
    }
    else
    {
        const double enough =
            std::max(static_cast<double>(m_budget.GetEvaluations()), 2.0) * (1 + share);
        text << m_budget.GetMaxEvaluations() << " evaluations was used up, and has looked at "
             << m_nTried << " strategies: MaxEvaluations of about " << static_cast<uint64_t>(enough)
             << " would do for all of them";
    }
    throw std::invalid_argument(text.str());
}

} // namespace lightpath
} // namespace ns3
