/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-search.h"

#include "model/planner/planning-deadline.h"
#include "plan-chooser.h"
#include "planner-starts.h"
#include "search-refusal.h"
#include "strategy-space.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

namespace ns3
{
namespace lightpath
{

namespace
{

/// How much longer than the best one a plan may take that is improved nevertheless.
constexpr double WORTH_IMPROVING = 1.25;

/// The end of the name of an improved plan.
const std::string IMPROVED = ", improved";

/// How much longer than the best one a plan may take whose bound is far below the best one.
constexpr double WORTH_A_LOOK = 2;

/// Numbers of stages that the search tries interleaved from the start.
constexpr std::size_t MOST_INTERLEAVED = 3;

/// Bound of a strategy over the best plan below which it is far below.
constexpr double FAR_BELOW = 0.9;

} // namespace

StrategySearch::StrategySearch(const PlanningProblem& problem,
                               const Options& options,
                               ChoicePricer::Check check)
    : m_problem(problem),
      m_options(options),
      m_budget(options.evaluations, PlanningDeadline::SHARE * options.seconds),
      m_pricer(problem, m_budget, std::move(check)),
      m_variants(problem),
      m_strategyPricer(m_pricer, m_variants),
      m_bound(problem)
{
    m_budget.SetListener(options.listener);
}

const std::vector<SearchProgress>&
StrategySearch::GetProgress() const
{
    return m_budget.GetProgress();
}

bool
StrategySearch::IsCut() const
{
    return m_isCut;
}

TrainingPlan
StrategySearch::Run()
{
    try
    {
        Seek();
    }
    catch (const PlanningTimeout&)
    {
        // The best plan so far is taken
        m_isCut = true;
    }
    if (m_best.empty())
    {
        Refuse();
    }
    // The plan carries the record of the search
    m_isCut = m_isCut && GetBest() > GetEnough();
    PlanningProblem untimed = m_problem;
    untimed.fabric.deadline = nullptr;
    TrainingPlan plan =
        ChoicePricer(untimed, m_budget, [](const auto&) {}).MakePlan(m_best.front().choice);
    // Stands for its price if there is no time for one in the end
    plan.predictedSeconds = m_best.front().seconds;
    plan.lowerBoundSeconds = GetLowerBound();
    for (const auto& bounded : m_strategies.GetEntries())
    {
        if (m_strategies.HasAllBounds() && !bounded.isSettled && !bounded.isExcluded)
        {
            m_record.NoteBound(bounded.strategy, bounded.bound);
        }
    }
    plan.alternatives = m_record.Get(m_best.front().choice.name);
    Record();
    return plan;
}

void
StrategySearch::Seek()
{
    m_all = StrategySpace(m_problem).GetStrategies();
    if (!m_budget.HasRoom() || m_all.empty())
    {
        return;
    }
    if (m_options.seconds > 0)
    {
        TryFirst();
    }
    PlannerStarts starts(m_problem, m_budget, [this](const PlannerStarts::Start& start) {
        m_record.Note(start.choice, start.seconds, false, start.refusal);
        if (start.choice.base && start.seconds <= GetLimit())
        {
            Insert({start.choice, start.seconds});
        }
    });
    if (m_options.otherPlanners)
    {
        // Bounds of large models take longer
        starts.TryMegatron();
        Record();
    }
    m_allSeconds = m_bound.GetAllSeconds();
    m_strategies.Fill(m_all, m_bound, m_budget);
    TryPlanners(starts);
    TryStrategies();
    ImproveShortly();
    ImproveBest();
    PlanChooser chooser(m_problem, m_pricer, m_record);
    chooser.PriceExactly(m_best, m_tried, m_strategies.GetEntries());
    chooser.PreferSimpler(m_best, m_options.leastGain);
}

void
StrategySearch::TryFirst()
{
    auto strategies = m_all;
    std::stable_sort(strategies.begin(), strategies.end(), [](const auto& a, const auto& b) {
        const auto key = [](const Strategy& strategy) {
            return std::make_tuple(strategy.virtualStages,
                                   strategy.recomputation,
                                   strategy.schedule,
                                   strategy.GetGpus() / strategy.dataParallel,
                                   strategy.tensorParallel,
                                   -int64_t{strategy.microbatches});
        };
        return key(a) < key(b);
    });
    for (std::size_t i = 0; i < strategies.size() && m_best.empty() && m_budget.HasRoom(); ++i)
    {
        StrategyList::Entry bounded{strategies[i]};
        TryStrategy(bounded);
    }
}

void
StrategySearch::TryPlanners(PlannerStarts& starts)
{
    // A first plan is found at once; data parallelism alone is what FixedPlanner does by default
    auto& entries = m_strategies.GetEntries();
    for (std::size_t i = 0; i < entries.size() && m_best.empty() && m_budget.HasRoom(); ++i)
    {
        TryStrategy(entries[i]);
    }
    for (std::size_t i = 0; i < entries.size() && m_budget.HasRoom(); ++i)
    {
        if (!entries[i].isSettled && StrategySpace::IsDataParallel(entries[i].strategy))
        {
            TryStrategy(entries[i]);
        }
    }
    if (!m_options.otherPlanners)
    {
        return;
    }
    TryInterleaved();
    starts.TrySipMl();
}

void
StrategySearch::TryInterleaved()
{
    std::set<uint32_t> stages;
    for (auto* entry : m_strategies.GetInterleaved(m_problem.fabric.servers.layout.gpus))
    {
        // One plan for each number of stages, of those that memory holds
        const uint32_t number = entry->strategy.pipelineParallel;
        if (stages.size() < MOST_INTERLEAVED && m_budget.HasRoom() && stages.count(number) == 0 &&
            (entry->isSettled || TryStrategy(*entry)))
        {
            stages.insert(number);
        }
    }
}

void
StrategySearch::TryStrategies()
{
    // Three fifths of the budget at most go to strategies; the rest is for improving the best plans
    const SearchBudget::Part part = m_budget.GetPart(3, 5);
    std::size_t nNear = 0;
    for (uint32_t turn = 0;; turn = (turn + 1) % 3)
    {
        const double limit = GetBest() * (1 - m_options.tolerance);
        StrategyList::Entry* next = m_strategies.FindOpen(limit);
        if (!next)
        {
            return;
        }
        if (!m_budget.HasRoom() || (!m_budget.IsWithin(part) && !m_best.empty()))
        {
            m_isCut = true;
            return;
        }
        // Bounds are not equally far below the times of all plans: in turn a strategy near one of
        // the best plans, one whose degrees have the fewest evaluations, and the one with the least
        // bound
        if (turn == 1)
        {
            next = m_strategies.FindFresh(limit);
        }
        else if (turn == 0 && !m_best.empty())
        {
            // By turns, as one step from the second best may lead to a better plan than the best
            const Strategy& best = m_best[nNear++ % m_best.size()].choice.strategy;
            StrategyList::Entry* near =
                m_strategies.FindOpen(limit, [&best](const Strategy& other) {
                    return StrategySpace::AreNear(best, other);
                });
            next = near ? near : next;
        }
        TryStrategy(*next);
    }
}

bool
StrategySearch::TryStrategy(StrategyList::Entry& bounded)
{
    PlanChoice choice;
    choice.strategy = bounded.strategy;
    choice.name = bounded.strategy.GetName();
    // A strategy with a low bound may improve much and is priced exactly up to a higher limit
    const double before = GetBest();
    const double limit = bounded.bound < FAR_BELOW * before ? WORTH_A_LOOK * before : GetLimit();
    const double seconds = m_strategyPricer.Price(choice, limit);
    m_strategies.Settle(bounded);
    ++m_nTried;
    if (seconds == std::numeric_limits<double>::infinity())
    {
        const bool isMemory = m_strategyPricer.IsMemoryRefusal();
        m_record.Note(choice, seconds, false, m_pricer.GetRefusal());
        // With one stage there are no cuts that could change this
        bounded.isExcluded = isMemory ? bounded.strategy.pipelineParallel == 1
                                      : m_strategyPricer.ExceedsDegree(choice);
        if (!isMemory)
        {
            NoteRefusal(choice);
        }
        if (!isMemory && !bounded.isExcluded)
        {
            m_strategies.SettleRecomputing(bounded.strategy);
        }
        return false;
    }
    m_strategies.SettleRecomputing(bounded.strategy);
    m_record.Note(choice, seconds, seconds > limit, m_pricer.GetRefusal());
    m_tried.push_back({choice, seconds});
    if (seconds <= GetLimit())
    {
        Insert({choice, seconds});
    }
    else if (seconds <= limit)
    {
        m_others.push_back({{choice, seconds}, bounded.bound});
    }
    if (GetBest() < before)
    {
        Record();
    }
    return true;
}

void
StrategySearch::NoteRefusal(const PlanChoice& choice)
{
    const std::string refusal = choice.name + ": " + m_pricer.GetRefusal();
    m_refusal = m_refusal.empty() ? refusal : m_refusal;
    const auto& traffic = m_pricer.GetTraffic(choice);
    if (traffic.empty())
    {
        // It has no plan, whatever the fabric
        return;
    }
    uint32_t degree = 0;
    for (const auto& kind : traffic)
    {
        degree += kind.degree;
    }
    if (degree < m_leastDegree)
    {
        m_leastDegree = degree;
        m_refusal = refusal;
    }
}

void
StrategySearch::Insert(PlanImprover::Priced priced)
{
    // An improved plan takes the place of the one that it was made of
    const auto same = std::find_if(m_best.begin(), m_best.end(), [&priced](const auto& other) {
        return (priced.choice.name == other.choice.name ||
                priced.choice.name == other.choice.name + IMPROVED) &&
               priced.seconds <= other.seconds;
    });
    if (same != m_best.end())
    {
        m_best.erase(same);
    }
    const auto at = std::upper_bound(
        m_best.begin(),
        m_best.end(),
        priced.seconds,
        [](double value, const PlanImprover::Priced& other) { return value < other.seconds; });
    m_best.insert(at, std::move(priced));
    if (m_best.size() > m_options.beam)
    {
        if (!m_best.back().choice.base)
        {
            const double bound = m_bound.GetSeconds(m_best.back().choice.strategy);
            m_others.push_back({std::move(m_best.back()), bound});
        }
        m_best.pop_back();
    }
}

double
StrategySearch::GetEnough() const
{
    return GetLowerBound() / (1 - std::min(m_options.tolerance, 0.5));
}

void
StrategySearch::Improve(PlanImprover::Priced& mine,
                        const SearchBudget::Part& part,
                        bool isShort,
                        uint64_t seed)
{
    const double before = mine.seconds;
    PlanImprover improver(m_pricer, m_variants, m_budget, seed);
    if (isShort)
    {
        improver.ImproveShortly(mine, part);
    }
    else
    {
        improver.Improve(mine, part, GetEnough());
    }
    if (mine.seconds < before)
    {
        // The strategies that are sought have the usual schedule
        if (!mine.choice.base && mine.choice.strategy.schedule == PipelineScheduleKind::ONE_F_ONE_B)
        {
            m_improvedBound = std::min(m_improvedBound, m_bound.GetSeconds(mine.choice.strategy));
        }
        const std::string& name = mine.choice.name;
        const bool isNamed =
            name.size() > IMPROVED.size() &&
            name.compare(name.size() - IMPROVED.size(), IMPROVED.size(), IMPROVED) == 0;
        mine.choice.name += isNamed ? "" : IMPROVED;
        m_record.Note(mine.choice, mine.seconds, false, m_pricer.GetRefusal());
        Record();
    }
}

void
StrategySearch::ImproveShortly()
{
    auto others = std::move(m_others);
    m_others.clear();
    const auto key = [](const Promising& other) { return other.bound + other.priced.seconds; };
    std::stable_sort(others.begin(), others.end(), [&key](const auto& a, const auto& b) {
        return key(a) < key(b);
    });
    others.resize(std::min<std::size_t>(others.size(), 2 * m_options.beam));
    // All are improved alike before they are compared
    std::vector<PlanImprover::Priced> plans = std::move(m_best);
    m_best = plans;
    for (const auto& other : others)
    {
        plans.push_back(other.priced);
    }
    for (std::size_t i = 0; i < plans.size(); ++i)
    {
        const bool isBelow =
            plans[i].choice.base || m_bound.GetSeconds(plans[i].choice.strategy) < GetBest();
        if (isBelow && m_budget.HasRoom() && GetBest() > GetEnough())
        {
            const auto part = m_budget.GetPart(1, 2 * (plans.size() - i));
            Improve(plans[i], part, true, m_options.seed);
            Insert(plans[i]);
        }
    }
}

void
StrategySearch::ImproveBest()
{
    for (std::size_t i = 0; i < m_best.size(); ++i)
    {
        if (!m_budget.HasRoom() || GetBest() <= GetEnough())
        {
            break;
        }
        PlanImprover::Priced& mine = m_best[i];
        if (!mine.choice.base && m_bound.GetSeconds(mine.choice.strategy) >= GetBest())
        {
            continue;
        }
        Improve(mine, m_budget.GetPart(1, m_best.size() - i), false, m_options.seed + i);
    }
    m_isCut = m_isCut || !m_budget.HasRoom();
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
    // Before the bounds are found, no strategy can be ruled out
    const double least = std::min(m_improvedBound, m_strategies.GetLeastBound());
    return std::min(std::max(least, m_allSeconds), GetBest());
}

void
StrategySearch::Record()
{
    m_budget.Record(GetBest(), GetLowerBound());
}

void
StrategySearch::Refuse()
{
    if (m_options.seconds <= 0)
    {
        // It is the deadline of others
        PlanningDeadline::Check(m_problem.fabric.deadline);
    }
    if (const bool isLate = m_problem.fabric.deadline && m_problem.fabric.deadline->IsOver();
        !isLate && (m_all.empty() || (!m_strategies.FindOpen(GetBest()) && m_budget.HasRoom())))
    {
        throw std::invalid_argument(m_refusal.empty()
                                        ? SearchRefusal::GetConstraint(m_problem)
                                        : SearchRefusal::GetDegree(m_refusal, m_leastDegree));
    }
    throw std::invalid_argument(SearchRefusal::GetBudget(m_budget,
                                                         m_options.seconds,
                                                         m_nTried,
                                                         m_strategies.GetEntries().size()));
}

} // namespace lightpath
} // namespace ns3
