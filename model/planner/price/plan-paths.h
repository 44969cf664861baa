/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_PATHS_H
#define PLAN_PATHS_H

#include "flow-network.h"
#include "grid-ways.h"
#include "model/plan/rank-classes.h"
#include "pair-bundles.h"
#include "plan-circuits.h"
#include "server-links.h"

#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The paths between the representatives of the classes of a plan, on a fabric.
 *
 * A path has the rate of the slowest pair of ranks that it represents. With circuits it is a link
 * of its own. At a switch it goes through the link of its source into the switch and that of its
 * destination out of it. Without either, the rate of a GPU is split evenly into as many channels as
 * it has peers, but no more than the fabric has circuits; its peers, in ascending order, are dealt
 * out to the channels in turn. Where GPUs stand in servers, or on a grid, a path takes ServerLinks,
 * each of which carries the messages of all GPUs that share it.
 */
class PlanPaths
{
  public:
    /// A path with its latency and rate.
    struct Path
    {
        uint32_t index{0};      //!< The path in the network
        double latency{0};      //!< Time that a message takes besides its bytes, seconds
        double rate{0};         //!< Least rate of its circuits, or that of its GPU, bytes/s
        double pauseBytes{0};   //!< On a grid: bytes that a message loses while its flow is set up
        double relaySeconds{0}; //!< Of relays, for each byte of a frame, seconds
        bool isInside{false};   //!< Whether it stays inside a server
        GridWays::Way way;      //!< On a grid: its way
    };

    /// How the steps of a collective use the paths of a class.
    struct Pattern
    {
        std::vector<uint32_t> sends; //!< Peers that are sent to, by position
        std::vector<Path> paths;     //!< Path to each of them
    };

    /**
     * @param plan the plan
     * @param classes the classes of its ranks
     * @param fabric the fabric
     * @param [in,out] network the network that gets the links and paths; all must outlive this
     *        object
     */
    PlanPaths(const TrainingPlan& plan,
              const RankClasses& classes,
              const FabricLimits& fabric,
              FlowNetwork& network);

    /**
     * @return the circuits
     */
    const PlanCircuits& GetCircuits() const;

    /**
     * @return the links of servers, or of other shared networks; null if there are none
     */
    ServerLinks* GetServers();

    /**
     * @return which GPUs share a server
     */
    const ServerLayout& GetLayout() const
    {
        return m_fabric.servers.layout;
    }

    /// Throw PlanningTimeout if the time to plan is up.
    void CheckTime() const;

    /**
     * @param setting the setting of the circuits from now on
     * @param isLit whether they carry light already
     */
    void Light(uint32_t setting, bool isLit);

    /**
     * @return whether messages take circuits or the network beside them by the setting of the
     *         circuits
     */
    bool ChangesSides() const;

    /**
     * @return the setting of the circuits if ChangesSides(), which paths are for; otherwise 0
     */
    uint32_t GetSideSetting() const;

    /**
     * @param number a class
     * @param kind the kind of group
     * @param peer the position of a peer
     * @return the path to it
     */
    const Path& GetPath(uint32_t number, uint32_t kind, uint32_t peer);

    /**
     * @param rank a rank
     * @param destination another rank
     * @return the path from the first rank to the second
     */
    Path GetPathOf(uint32_t rank, uint32_t destination);

    /**
     * @param rank a rank
     * @param destination another rank
     * @return the path from the first rank to the second that takes no circuit, where a hybrid has
     *         another network for that
     */
    Path GetPathBeside(uint32_t rank, uint32_t destination);

    /**
     * @param rank a rank
     * @param destination another rank
     * @return the least rate of the circuits from the one to the other, or the rate that the first
     *         one sends with, in bytes/s
     */
    double GetPairRate(uint32_t rank, uint32_t destination) const;

    /**
     * @param number a class
     * @param kind the kind of group
     * @param schedule a collective operation of the group
     * @param step a step of it
     * @return the use that the step makes of the paths
     */
    Pattern GetPattern(uint32_t number,
                       uint32_t kind,
                       const CollectiveSchedule& schedule,
                       uint32_t step);

    /**
     * @param number a class
     * @param receives whether the direction to the rank is meant
     * @return the link of its ranks at the switch, or at that for pairs without a circuit
     */
    uint32_t GetSide(uint32_t number, bool receives);

    /**
     * @param path a path
     * @param bytes the size of a message
     * @return the bytes for which it keeps its links busy
     */
    double GetBusyBytes(const Path& path, double bytes) const;

    /**
     * @param path a path
     * @param bytes the size of a message
     * @return the time from its last bit at the sender to its last bit at the receiver, seconds
     */
    double GetLatency(const Path& path, double bytes) const;

    /**
     * @param way a way between places in servers
     * @param bytes the size of a message
     * @return the time that it takes besides its bytes on links, seconds
     */
    double GetServerLatency(const ServerLinks::Way& way, double bytes) const;

    /**
     * Messages of a fabric whose lanes or sharing are known carry headers. A fabric of which only a
     * rate is known is an ideal one without.
     *
     * @param bytes the size of a message
     * @return the bytes of its frames in bursts, with their headers
     */
    double GetFrameBytes(double bytes) const;

    /**
     * @return true if the links out of a switch count
     */
    bool HasSides() const;

    /**
     * @param path a path
     * @return the link that it has for itself or shares with those of the same rank; only if there
     *         are no sides
     */
    uint32_t GetLink(const Path& path) const;

    /**
     * @param number a class
     * @param destination a rank that the representative of the class sends to
     * @return the rate of the path to it, the slower one of two, in bytes/s; 0 if there is none yet
     */
    double FindRate(uint32_t number, uint32_t destination) const;

  private:
    /**
     * @param seconds the time that relays take for each byte of a frame, seconds
     * @param bytes the size of a message
     * @return the time for which they hold its last frame, seconds
     */
    double GetRelayLag(double seconds, double bytes) const;

    /**
     * @return true if the fabric is a grid
     */
    bool HasGrid() const;

    /**
     * Get the path to a rank, made at the first call and narrowed by later calls.
     *
     * @param number a class
     * @param destination the rank that the representative of the class sends to
     * @param pairs all pairs that the path represents
     * @return the path
     */
    Path Reach(uint32_t number, uint32_t destination, const std::vector<PortPair>& pairs);

    /**
     * Get the path to a rank where GPUs stand in servers: that of the pair that takes longest if
     * all pairs send the same at the same time.
     *
     * @param number a class
     * @param destination the rank that the representative of the class sends to
     * @param pairs all pairs that the path represents
     * @return the path
     */
    Path ReachOverServers(uint32_t number,
                          uint32_t destination,
                          const std::vector<PortPair>& pairs);

    /**
     * @param pairs pairs of ranks
     * @return the rate of the slowest circuit of these pairs, by setting, in bytes/s; empty if
     *         there are no circuits
     */
    std::vector<double> GetCircuitRates(const std::vector<PortPair>& pairs) const;

    /**
     * Make a path as slow as further pairs that it represents.
     *
     * @param rates the rate of their slowest circuit, by setting, in bytes/s
     * @param latency their longest latency, in seconds
     * @param [in,out] path the path
     */
    void Narrow(std::vector<double> rates, double latency, Path& path);

    /**
     * Add a new path to the network.
     *
     * @param number the class of its source
     * @param destination the rank that the representative of the class sends to
     * @param rates the rate of its slowest circuit, by setting, in bytes/s
     * @param [in,out] path the path, which gets its index and rate
     */
    void AddToNetwork(uint32_t number,
                      uint32_t destination,
                      const std::vector<double>& rates,
                      Path& path);

    /**
     * @param number a class
     * @param destination the rank that the representative of the class sends to
     * @return the link if the fabric has neither circuits nor a switch
     */
    uint32_t GetChannel(uint32_t number, uint32_t destination);

    const TrainingPlan& m_plan;   //!< The plan
    const RankClasses& m_classes; //!< The classes of its ranks
    const FabricLimits& m_fabric; //!< The fabric
    FlowNetwork& m_network;       //!< The network
    PlanCircuits m_circuits;      //!< The circuits
    GridWays m_grid;              //!< The ways through the grid
    /// Pairs of the paths of circuits, by class and rank that its representative sends to
    std::map<std::pair<uint32_t, uint32_t>, PairBundles> m_bundles;
    std::optional<ServerLinks> m_servers; //!< The links of servers, if there are any
    uint32_t m_setting{0};                //!< The setting of the circuits
    bool m_isLit{true};                   //!< Whether they carry light
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_channels; //!< Link by class and channel
    /// Paths by class, rank, and with servers their links and what these carry for a byte
    std::map<std::tuple<uint32_t, uint32_t, std::vector<std::pair<uint32_t, double>>>, Path>
        m_paths;
    /// By class, kind, peer and GetSideSetting()
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, Path> m_known;
    std::map<std::pair<uint32_t, bool>, uint32_t> m_sides; //!< Links at a switch
    std::vector<uint32_t> m_links;                         //!< First link by path
    std::vector<std::vector<double>> m_rates;   //!< With circuits: rate by path and setting
    std::vector<std::vector<uint32_t>> m_peers; //!< Ranks sent to, by class, if channels are dealt
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_PATHS_H */
