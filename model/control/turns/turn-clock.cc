/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-clock.h"

#include "ns3/transmission-clock.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param problem the operation and the fabric
 * @param chunks the chunks of a message
 * @return its bytes on the wire
 */
uint64_t
GetWireBytes(const TurnProblem& problem, uint64_t chunks)
{
    return chunks * problem.GetChunkBytes() + problem.headers;
}

/// The messages from each port to the one that is a shift further on. As in an OpticalTransmitter,
/// those that follow each other without a pause are rounded up to a tick together.
struct Stream
{
    /**
     * @param begin when a message is handed over
     * @param bytes its bytes on the wire
     * @param rate the rate of a plane, bit/s
     * @param lit when each of its planes carries light, in ascending order
     * @return when the last byte is sent
     */
    Time Send(Time begin, uint64_t bytes, uint64_t rate, const std::vector<Time>& lit)
    {
        begin = std::max(begin, lit.front());
        if (begin != end)
        {
            clock.Restart(begin);
        }
        clock.Append(bytes, begin);
        for (std::size_t lanes = 1; lanes <= lit.size(); ++lanes)
        {
            clock.SetBitRate(rate * lanes, std::max(begin, lit[lanes - 1]));
            end = clock.GetEnd();
            if (lanes < lit.size() && end <= lit[lanes])
            {
                break;
            }
        }
        return end;
    }

    TransmissionClock clock; //!< Adds up bytes
    Time end;                //!< When the last message was sent
};

/// The planes while a sequence goes on.
class Planes
{
  public:
    /**
     * @param problem the operation and the fabric
     */
    explicit Planes(const TurnProblem& problem)
        : m_problem(problem),
          m_shifts(problem.planes, 0),
          m_free(problem.planes),
          m_lit(problem.planes)
    {
    }

    /**
     * Turn planes for the next phase.
     *
     * @param phase the phase
     * @param now when the phase before has ended
     * @return when the phase begins
     */
    Time Turn(const TurnPhase& phase, Time now)
    {
        bool isChanged = false;
        for (uint32_t plane = 0; plane < m_problem.planes; ++plane)
        {
            const uint32_t shift = phase.shifts[plane];
            const bool isNew = shift != 0 && shift != m_shifts[plane];
            if (isNew && m_shifts[plane] != 0)
            {
                isChanged = true;
                m_lit[plane] = m_free[plane] + m_problem.delay;
            }
            m_shifts[plane] = shift != 0 ? shift : m_shifts[plane];
        }
        if (isChanged && m_problem.pausesAll)
        {
            now += m_problem.delay;
            std::fill(m_lit.begin(), m_lit.end(), now);
        }
        return now;
    }

    /**
     * @param phase the phase
     * @param now when it begins
     * @return when it ends
     */
    Time Carry(const TurnPhase& phase, Time now)
    {
        for (const TurnRound& round : *phase.rounds)
        {
            Time next = now;
            for (const TurnMove& move : round)
            {
                m_ofMove.clear();
                for (uint32_t plane = 0; plane < m_problem.planes; ++plane)
                {
                    if (phase.shifts[plane] == move.shift)
                    {
                        m_ofMove.push_back(m_lit[plane]);
                    }
                }
                std::sort(m_ofMove.begin(), m_ofMove.end());
                const Time arrival =
                    m_streams[move.shift].Send(now,
                                               GetWireBytes(m_problem, move.chunks),
                                               m_problem.laneRate,
                                               m_ofMove) +
                    m_problem.latency;
                next = std::max(next, arrival);
            }
            now = next;
        }
        for (uint32_t plane = 0; plane < m_problem.planes; ++plane)
        {
            m_free[plane] = phase.shifts[plane] != 0 ? now : m_free[plane];
        }
        return now;
    }

  private:
    const TurnProblem& m_problem;         //!< The operation and the fabric
    std::map<uint32_t, Stream> m_streams; //!< By shift
    std::vector<uint32_t> m_shifts;       //!< The shift of each plane; 0 before its first one
    std::vector<Time> m_free;             //!< When its last phase has ended
    std::vector<Time> m_lit;              //!< Since when it carries light
    std::vector<Time> m_ofMove;           //!< The same, of the planes of a message
};

} // namespace

Time
TurnClock::GetTime(const TurnProblem& problem, const TurnSequence& sequence)
{
    Planes planes(problem);
    Time now;
    for (const TurnPhase& phase : sequence.phases)
    {
        now = planes.Turn(phase, now);
        now = planes.Carry(phase, now);
    }
    return now;
}

Time
TurnClock::GetRoundsTime(const TurnProblem& problem,
                         const std::vector<uint32_t>& shifts,
                         const std::vector<TurnRound>& rounds)
{
    TransmissionClock clock;
    Time now;
    for (const TurnRound& round : rounds)
    {
        Time next;
        for (const TurnMove& move : round)
        {
            const auto lanes = std::count(shifts.begin(), shifts.end(), move.shift);
            clock.Restart(now);
            clock.Append(GetWireBytes(problem, move.chunks), now);
            clock.SetBitRate(problem.laneRate * lanes, now);
            next = std::max(next, clock.GetEnd() + problem.latency);
        }
        now = next;
    }
    return now;
}

Time
TurnClock::GetIdealTime(const TurnProblem& problem)
{
    TransmissionClock clock;
    clock.Append((problem.ports - 1) * problem.GetChunkBytes(), Time(0));
    clock.SetBitRate(problem.laneRate * problem.planes, Time(0));
    const Time time = clock.GetEnd() + problem.latency;
    return problem.kind == TurnKind::ALL_REDUCE ? time + time : time;
}

} // namespace lightpath
} // namespace ns3
