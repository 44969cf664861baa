/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-carrier.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// No number of hops.
constexpr uint32_t UNREACHED = UINT32_MAX;

/// Carries some steps over a topology.
class Carriage
{
  public:
    /**
     * @param steps the algorithm
     * @param first the first step
     * @param last the last step
     * @param shifts the topology
     * @param listsItems whether to list what is in each message
     */
    Carriage(const TurnSteps& steps,
             uint32_t first,
             uint32_t last,
             const std::vector<uint32_t>& shifts,
             bool listsItems)
        : m_steps(steps),
          m_first(first),
          m_last(last),
          m_n(steps.GetNPorts()),
          m_listsItems(listsItems)
    {
        for (const uint32_t shift : shifts)
        {
            const auto found = std::find(m_shifts.begin(), m_shifts.end(), shift);
            if (shift != 0 && found == m_shifts.end())
            {
                m_shifts.push_back(shift);
                m_lanes.push_back(1);
            }
            else if (shift != 0)
            {
                ++m_lanes[found - m_shifts.begin()];
            }
        }
    }

    /**
     * @return what an all-to-all sends; nothing if it cannot
     */
    std::optional<std::vector<TurnRound>> Exchange()
    {
        std::map<uint32_t, std::vector<uint32_t>> byWay;
        for (uint32_t t = 0; t < m_n; ++t)
        {
            const uint32_t way = Subtract(m_steps.GetPlace(t, m_last + 1), Begin(t));
            if (way != 0)
            {
                byWay[way].push_back(t);
            }
        }
        const auto hops = FindHops();
        std::vector<uint64_t> load(m_shifts.size(), 0);
        for (const auto& [way, chunks] : byWay)
        {
            if (hops[way] == UNREACHED)
            {
                return std::nullopt;
            }
            std::vector<uint32_t> left(m_shifts.size(), 0);
            for (uint32_t place = way; place != 0;)
            {
                const uint32_t best = GetLeast(load, [&](uint32_t each) {
                    const uint32_t before = hops[Subtract(place, m_shifts[each])];
                    return before != UNREACHED && before + 1 == hops[place];
                });
                ++left[best];
                load[best] += chunks.size();
                place = Subtract(place, m_shifts[best]);
            }
            Send(chunks, left, hops[way]);
        }
        return Finish();
    }

    /**
     * @return what an all-gather sends; nothing if it cannot
     */
    std::optional<std::vector<TurnRound>> Gather()
    {
        std::vector<bool> has(m_n);
        std::vector<uint32_t> wants;
        for (uint32_t t = 0; t < m_n; ++t)
        {
            has[t] = Begin(t) == t;
            if (!has[t] && m_steps.GetPlace(t, m_last + 1) == t)
            {
                wants.push_back(t);
            }
        }
        for (uint32_t round = 0; !wants.empty(); ++round)
        {
            std::vector<uint32_t> reached;
            std::vector<uint32_t> others;
            for (const uint32_t t : wants)
            {
                const uint32_t best = GetLeast(GetLoads(round), [&](uint32_t each) {
                    return has[Subtract(t, m_shifts[each])];
                });
                if (best == UNREACHED)
                {
                    others.push_back(t);
                    continue;
                }
                Add(round, best, {Subtract(t, m_shifts[best]), 0});
                reached.push_back(t);
            }
            if (reached.empty())
            {
                return std::nullopt;
            }
            for (const uint32_t t : reached)
            {
                has[t] = true;
            }
            wants = std::move(others);
        }
        return Finish();
    }

  private:
    /**
     * @param some a number below n
     * @param other another one
     * @return their difference (mod n)
     */
    uint32_t Subtract(uint32_t some, uint32_t other) const
    {
        return some >= other ? some - other : some + m_n - other;
    }

    /**
     * @param t how far a chunk goes in all
     * @return how far it is at the beginning
     */
    uint32_t Begin(uint32_t t) const
    {
        return m_steps.GetPlace(t, m_first);
    }

    /**
     * @return the fewest hops to each distance, or UNREACHED
     */
    std::vector<uint32_t> FindHops() const
    {
        std::vector<uint32_t> hops(m_n, UNREACHED);
        std::vector<uint32_t> order{0};
        hops[0] = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            for (const uint32_t shift : m_shifts)
            {
                const uint32_t next = (order[i] + shift) % m_n;
                if (hops[next] == UNREACHED)
                {
                    hops[next] = hops[order[i]] + 1;
                    order.push_back(next);
                }
            }
        }
        return hops;
    }

    /**
     * @tparam F a function of a shift
     * @param load the chunks of each shift
     * @param isOpen tells whether a shift may be taken
     * @return the shift whose planes have the least to carry, or UNREACHED
     */
    template <typename F>
    uint32_t GetLeast(const std::vector<uint64_t>& load, const F& isOpen) const
    {
        uint32_t best = UNREACHED;
        for (uint32_t each = 0; each < m_shifts.size(); ++each)
        {
            if (isOpen(each) &&
                (best == UNREACHED || load[each] * m_lanes[best] < load[best] * m_lanes[each]))
            {
                best = each;
            }
        }
        return best;
    }

    /**
     * @param round a round
     * @return its chunks by shift
     */
    std::vector<uint64_t>& GetLoads(uint32_t round)
    {
        if (round >= m_loads.size())
        {
            m_loads.resize(round + 1, std::vector<uint64_t>(m_shifts.size(), 0));
            m_items.resize(round + 1, std::vector<std::vector<TurnItem>>(m_shifts.size()));
        }
        return m_loads[round];
    }

    /**
     * @param round a round
     * @param shift the number of a shift
     * @param item a chunk that is sent
     */
    void Add(uint32_t round, uint32_t shift, const TurnItem& item)
    {
        ++GetLoads(round)[shift];
        if (m_listsItems)
        {
            m_items[round][shift].push_back(item);
        }
    }

    /**
     * Send chunks on one way.
     *
     * @param chunks how far each goes in all
     * @param left the hops of each shift
     * @param hops their sum
     */
    void Send(const std::vector<uint32_t>& chunks, std::vector<uint32_t>& left, uint32_t hops)
    {
        uint32_t gone = 0;
        for (uint32_t round = 0; round < hops; ++round)
        {
            const uint32_t best =
                GetLeast(GetLoads(round), [&left](uint32_t each) { return left[each] > 0; });
            if (!m_listsItems)
            {
                m_loads[round][best] += chunks.size();
            }
            for (std::size_t i = 0; m_listsItems && i < chunks.size(); ++i)
            {
                const uint32_t back = (Begin(chunks[i]) + gone) % m_n;
                Add(round, best, {back, Subtract(chunks[i], back)});
            }
            --left[best];
            gone = (gone + m_shifts[best]) % m_n;
        }
    }

    /**
     * @return the rounds
     */
    std::vector<TurnRound> Finish()
    {
        std::vector<TurnRound> rounds(m_loads.size());
        for (std::size_t round = 0; round < rounds.size(); ++round)
        {
            for (std::size_t each = 0; each < m_shifts.size(); ++each)
            {
                if (m_loads[round][each] > 0)
                {
                    rounds[round].push_back(
                        {m_shifts[each], m_loads[round][each], std::move(m_items[round][each])});
                }
            }
        }
        return rounds;
    }

    const TurnSteps& m_steps;                                //!< The algorithm
    uint32_t m_first;                                        //!< The first step
    uint32_t m_last;                                         //!< The last step
    uint32_t m_n;                                            //!< Number of ports
    bool m_listsItems;                                       //!< Whether to list chunks
    std::vector<uint32_t> m_shifts;                          //!< The shifts
    std::vector<uint64_t> m_lanes;                           //!< Planes of each shift
    std::vector<std::vector<uint64_t>> m_loads;              //!< Chunks by round and shift
    std::vector<std::vector<std::vector<TurnItem>>> m_items; //!< The same one by one
};

} // namespace

std::shared_ptr<const std::vector<TurnRound>>
TurnCarrier::Carry(const TurnSteps& steps,
                   bool isGather,
                   uint32_t first,
                   uint32_t last,
                   const std::vector<uint32_t>& shifts,
                   bool listsItems)
{
    const Key key{steps.GetNPorts(), steps.GetName(), isGather, first, last, shifts, listsItems};
    const auto [entry, isNew] = m_known.try_emplace(key);
    if (isNew)
    {
        Carriage carriage(steps, first, last, shifts, listsItems);
        if (auto rounds = isGather ? carriage.Gather() : carriage.Exchange())
        {
            entry->second = std::make_shared<const std::vector<TurnRound>>(std::move(*rounds));
        }
    }
    return entry->second;
}

} // namespace lightpath
} // namespace ns3
