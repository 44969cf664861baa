/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "solstice-scheduler.h"

#include "matching-slicer.h"

#include "ns3/boolean.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Holds products of time steps, lanes and rates
__extension__ using Wide = unsigned __int128;

/// The part of a demand that is not served yet, by device.
class Rest
{
  public:
    /**
     * @param times the service times
     */
    explicit Rest(const ServiceTimeMatrix& times)
        : m_left(times),
          m_sent(times.GetSize(), 0),
          m_received(times.GetSize(), 0)
    {
    }

    /**
     * Count the work of a pair.
     *
     * @param source the device that sends
     * @param destination the device that receives
     * @param lanes the number of lanes of the pair
     * @param steps the time steps that are added to the rest; negative if they have been served
     */
    void Count(uint32_t source, uint32_t destination, int64_t lanes, int64_t steps)
    {
        m_sent[source] += steps * lanes;
        m_received[destination] += steps * lanes;
    }

    /**
     * Take time from a pair, as far as it has so much.
     *
     * @param source the device that sends
     * @param destination the device that receives
     * @param lanes the number of lanes of the pair
     * @param steps the time steps
     */
    void Serve(uint32_t source, uint32_t destination, int64_t lanes, int64_t steps)
    {
        Count(source, destination, lanes, -m_left.Serve(source, destination, steps));
    }

    /**
     * @return the largest rest of a device, in time steps of one lane
     */
    int64_t GetMax() const
    {
        return std::max(*std::max_element(m_sent.begin(), m_sent.end()),
                        *std::max_element(m_received.begin(), m_received.end()));
    }

  private:
    ServiceTimeMatrix m_left;        //!< Time that is left by pair
    std::vector<int64_t> m_sent;     //!< Time steps of one lane that are left, by source
    std::vector<int64_t> m_received; //!< The same by destination
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(SolsticeScheduler);

TypeId
SolsticeScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::SolsticeScheduler")
            .SetParent<MatchingScheduler>()
            .SetGroupName("Lightpath")
            .AddConstructor<SolsticeScheduler>()
            .AddAttribute("ServeRest",
                          "Whether further configurations serve the rest, which a packet switch "
                          "could carry, instead of leaving it unserved.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SolsticeScheduler::m_serveRest),
                          MakeBooleanChecker())
            .AddAttribute("PacketRate",
                          "The rate of a port of the packet switch that carries the rest; no "
                          "effect if ServeRest is true.",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&SolsticeScheduler::m_packetRate),
                          MakeDataRateChecker());
    return tid;
}

std::vector<TimedMatching>
SolsticeScheduler::FindMatchings(const ServiceTimeMatrix& times) const
{
    Rest rest(times);
    for (uint32_t source = 0; source < times.GetSize(); ++source)
    {
        for (uint32_t destination = 0; destination < times.GetSize(); ++destination)
        {
            const int64_t steps = times.Get(source, destination);
            rest.Count(source, destination, GetNLanes(source, destination), steps);
        }
    }
    MatchingSlicer slicer(times);
    // Begin with the largest power of two up to the line sum, and halve it whenever no permutation
    // of pairs above it is left
    int64_t threshold = 1;
    while (threshold <= slicer.GetLineSum() / 2)
    {
        threshold *= 2;
    }
    slicer.SetThreshold(threshold);
    std::vector<TimedMatching> matchings;
    int64_t elapsed = 0;
    // By packets in the time so far: PacketRate x elapsed >= lane rate x rest
    while (slicer.GetLineSum() > 0 &&
           (m_serveRest || static_cast<Wide>(rest.GetMax()) * GetLaneRate().GetBitRate() >
                               static_cast<Wide>(elapsed) * m_packetRate.GetBitRate()))
    {
        if (auto slice = slicer.Slice())
        {
            for (uint32_t source = 0; source < times.GetSize(); ++source)
            {
                const uint32_t destination = slice->peers[source];
                const uint32_t lanes = GetNLanes(source, destination);
                rest.Serve(source, destination, lanes, slice->steps);
            }
            elapsed += slice->steps + GetSwitchingDelay().GetTimeStep();
            matchings.push_back(std::move(*slice));
        }
        else
        {
            threshold /= 2;
            slicer.SetThreshold(threshold);
        }
    }
    // The longest slots first, so that large demands are served early
    std::stable_sort(matchings.begin(), matchings.end(), [](const auto& a, const auto& b) {
        return a.steps > b.steps;
    });
    return matchings;
}

} // namespace lightpath
} // namespace ns3
