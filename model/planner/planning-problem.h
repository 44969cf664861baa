/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANNING_PROBLEM_H
#define PLANNING_PROBLEM_H

#include "ns3/accelerator.h"
#include "ns3/circuit-allocator.h"
#include "ns3/collective-protocols.h"
#include "ns3/expert-load.h"
#include "ns3/framework.h"
#include "ns3/link-split.h"
#include "ns3/message-carrier.h"
#include "ns3/oddl-settings.h"
#include "ns3/operator-graph.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class PlanningDeadline;
class TrainingPlan;
class TurnCollectives;
struct FabricLimits;

/**
 * @ingroup lightpath
 * @brief A grid of GPUs that tune a laser for each flow to another GPU of their row or column, as
 * planners know it.
 *
 * GPU g is in row g / columns and column g % columns. Between GPUs in different rows and columns
 * the GPU at one corner stores and forwards the data.
 */
struct GridLimits
{
    uint32_t rows{0};         //!< Rows; 0 without a grid
    uint32_t columns{0};      //!< Columns
    uint32_t gpus{0};         //!< GPUs, which may leave the last places free
    uint32_t transceivers{1}; //!< Transceivers of a GPU at its row, and at its column
    double rowBitRate{0};     //!< Rate of a transceiver at the switch of the row, bit/s
    double columnBitRate{0};  //!< Rate of a transceiver at the switch of the column, bit/s

    // Times in ticks
    int64_t tuning{0};                   //!< To tune a laser
    int64_t lock{0};                     //!< From light to bits
    int64_t delay{0};                    //!< From one GPU to another
    int64_t cardDelay{0};                //!< Of a message at its destination besides that
    OddlSettings unit{};                 //!< The settings of control units
    uint64_t controlBitRate{UINT64_MAX}; //!< Rate of the links for control messages, bit/s
    int64_t controlDelay{0};             //!< Delay of such a link
    bool isSet{true};                    //!< Whether switches are set from the start
    int64_t setting{0};                  //!< To set them otherwise
    int64_t arbiterTime{0};              //!< From the request to set them until then
};

/**
 * @ingroup lightpath
 * @brief Groups of GPUs that share what leads out of the group, as planners know them: the leaves
 * of a network of switches with fewer links up than down.
 *
 * GPU n is on rail n % rails. Each leaf has successive GPUs of one rail.
 */
struct LeafLimits
{
    /**
     * @param gpu a GPU
     * @return the number of its leaf
     */
    uint32_t GetLeaf(uint32_t gpu) const
    {
        return gpu / rails / gpus * rails + gpu % rails;
    }

    uint32_t gpus{0};  //!< GPUs of a leaf; 0 without leaves
    uint32_t rails{1}; //!< Number of rails
    double bitRate{0}; //!< Rate of all that leaves a leaf, and of all that enters it, bit/s
};

/**
 * @ingroup lightpath
 * @brief A network of links whose routes are known, as planners know it.
 */
struct LinkLimits
{
    /// The links that a message takes.
    struct Way
    {
        std::vector<std::pair<uint32_t, double>> parts; //!< Links, with their parts of the bytes
        double delay{0};                                //!< Delay of the longest route, s
    };

    std::vector<double> bitRates; //!< Rate of each link, bit/s
    bool isTorus{false};          //!< Whether groups sum along axes of neighbours
    bool isMesh{false};           //!< Whether groups sum by messages of all ranks to all others
    bool isInOrder{false};        //!< Whether messages between two ports wait for earlier ones
    bool isHashed{false};         //!< Whether hashes choose routes, of which no plan may make use

    /// The way from one port to another; an empty function if routes are not known. The result
    /// lasts as long as the function.
    std::function<const Way&(uint32_t source, uint32_t destination)> getWay;

    /// The delay of the longest route from one port to another, seconds, where getWay is empty; an
    /// empty function if all have that of the fabric
    std::function<double(uint32_t source, uint32_t destination)> getDelay;
    double leastDelay{0}; //!< The least of these delays, seconds

    /// Makes a carrier of messages, for which the links are free at the time 0, on an agenda; an
    /// empty function if messages cannot be followed one by one
    MessageCarrier::Maker carry;
};

/**
 * @ingroup lightpath
 * @brief A network that can be made for a plan, as planners know it.
 */
struct LinkChoice
{
    LinkSplit split;  //!< How it splits the links of a port
    LinkLimits links; //!< Its links
};

/**
 * @ingroup lightpath
 * @brief The servers above a fabric, as planners know them: how GPUs share its ports, and the
 * scale-up network inside each server.
 */
struct ServerLimits
{
    /**
     * @return true unless GPUs have links to each other, without a switch inside the server
     */
    bool HasSwitch() const
    {
        return pairBitRate == 0 && !isRing;
    }

    ServerLayout layout;   //!< Which GPUs share a server, and a port of a fabric between servers
    double bitRate{0};     //!< Rate of one GPU to all other GPUs of its server, bit/s
    double pairBitRate{0}; //!< Rate of one GPU to one other GPU that it has a link to, bit/s; 0 for
                           //!< a switch, where that is the whole rate
    double latency{0};     //!< Latency of a message inside a server, or of a link of it, s
    bool isRing{false};    //!< Whether a GPU has links to its two neighbours only
    bool reduces{false};   //!< Whether a switch inside the server sums what its GPUs send
    uint32_t relayedParts{64}; //!< Most parts of a message that crosses rails (ServerNetwork)
};

/**
 * @ingroup lightpath
 * @brief The network beside circuits, and the messages that take it (HybridTransport).
 */
struct BesideLimits
{
    std::shared_ptr<const FabricLimits> network; //!< Of as many ports; null if there is none
    uint64_t smallBytes{0};                      //!< Largest message that takes it in any case
    uint64_t bulkBytes{0}; //!< Smallest message that always waits for a lightpath; 0 for none
    double waitSeconds{0}; //!< Time that other messages wait for a lightpath, s
};

/**
 * @ingroup lightpath
 * @brief Limits of a fabric, as planners know them.
 *
 * The helper of a fabric fills them in (InterconnectHelper::GetLimits()). Where GPUs stand in
 * servers, all limits but ServerLimits are those of one fabric between servers, and hold for its
 * ports.
 */
struct FabricLimits
{
    /**
     * Let a plan have more pairs of GPUs with traffic than the fabric has circuits at a time. This
     * suits a fabric whose controller serves the pairs in turn; planners then neither count the
     * peers of a GPU nor ask the allocators.
     */
    void ServeInTurn();

    /**
     * Let circuits follow operations: each one has the whole rate of its GPUs once it is its turn,
     * so that nothing limits the number of peers.
     */
    void TurnCircuits();

    /**
     * Refuse, by std::invalid_argument, traffic between GPUs that have no path to each other.
     *
     * @param traffic the bytes by source and destination GPU
     */
    void CheckPaths(const TrafficMatrix& traffic) const;

    /**
     * Throws std::invalid_argument for messages that would have to cross rails, but may not.
     *
     * @param ofGpus bytes by source and destination GPU
     * @return the bytes that leave servers by source and destination port, for each of the fabrics
     *         between servers; without servers, those of GPUs
     */
    std::vector<TrafficMatrix> GetPortTraffic(const TrafficMatrix& ofGpus) const;

    /**
     * @param plan a plan, placed
     * @return these limits with the links of the network that is made for the plan, of the first
     *         one if the plan has no split of links
     */
    FabricLimits GetFor(const TrainingPlan& plan) const;

    /**
     * @param rows the rows that a plan asks for; 0 for any
     * @param columns the columns
     * @return the grid that the plan gets, which has no rows on a fabric without a grid
     */
    const GridLimits& GetGrid(uint32_t rows, uint32_t columns) const;

    /**
     * @return true if some GPUs share a server
     */
    bool HasServers() const;

    /**
     * @return true if it does not matter which ports a plan takes: GPUs differ at most in the
     *         servers that they share
     */
    bool HasLikePorts() const;

    /**
     * @return true if only prices that follow each message tell plans apart: on grids, where
     *         circuits follow operations, and on fabrics that carry messages themselves
     */
    bool FollowsMessages() const;

    /**
     * @return true if few ranks can stand for all (PlanFolder) in what the plan takes: ports are
     *         alike, nothing but rates limits what they send, and no ports or links are shared
     */
    bool IsFoldable() const;

    /// The reason why no light leads from one port to another, for a plan that is refused; unset if
    /// none but the number of circuits
    std::function<std::string(uint32_t source, uint32_t destination)> obstacle;

    ServerLimits servers;  //!< The servers of the GPUs
    double bitRate{0};     //!< Rate of one port into the fabric, bit/s
    double peerBitRate{0}; //!< Rate that all GPUs can have to one peer each, bit/s; 0 for all
    uint32_t degree{0};    //!< Most peers that a GPU can send to or receive from; 0 for no limit
    uint32_t circuits{1};  //!< Circuits that the rate of one GPU is split into
    double latency{0};     //!< Least time that a message takes besides its own bytes, s
    double collectiveLatency{0}; //!< Time that a collective takes to begin once it is ready, s
    bool isShared{false};        //!< Whether GPUs share rates max-min fair, as at a packet switch
    LeafLimits leaf;             //!< What leads out of leaves, if that is less than into them
    LinkLimits links;            //!< The links between GPUs, if their routes are known
    double laneRate{0};          //!< Rate of a lane of a lightpath, bit/s; 0 without circuits
    double switchingSeconds{0};  //!< Time that circuits are dark while they are switched, s
    double decisionSeconds{0};   //!< Time of a decision before they are, s
    double initialSeconds{0};    //!< Time until circuits that stay carry light, s
    bool keepsLightpaths{false}; //!< Whether those that do not change stay lit meanwhile
    double indirectBitRate{0}; //!< Rate between GPUs without a circuit, by relays or electrically,
                               //!< bit/s; 0 if they cannot reach each other
    /// Most bytes of a message in a frame where GPUs without a circuit take lightpaths of others,
    /// one after the other, which store and forward it; 0 elsewhere
    uint64_t relayFrameBytes{0};
    BesideLimits beside;          //!< The network beside the circuits, if there is one
    bool followsExchanges{false}; //!< Whether circuits are decided on for the all-to-alls of
                                  //!< experts alone
    double exchangeSeconds{0};    //!< Time that circuits are dark when they change for drawn loads
                                  //!< of experts, s; 0 if they stay
    uint32_t regionPorts{0};      //!< Ports that these circuits can join
    bool decidesAgain{false};     //!< Whether circuits are decided on again for other reasons than
                                  //!< phases, exchanges and operations; prices leave that out
    bool phaseCircuits{false};    //!< Whether circuits are decided on for each phase, for any plan
    bool canSwitch{false};        //!< Whether a plan may ask for circuits for each phase
    bool turnCircuits{false};     //!< Whether circuits follow operations, for any plan
    bool canTurn{false};          //!< Whether a plan may ask for circuits that follow operations
    /// How circuits turn inside operations; null if they do not
    std::shared_ptr<TurnCollectives> turns;
    GridLimits grid;    //!< The grid between GPUs that do not all reach each other
    bool isRing{false}; //!< Whether GPUs stand on a ring, in the order of their ports
    uint32_t reach{0};  //!< Most segments of the ring that a lightpath covers; 0 for any
    /// Bits that a gradient takes, with its share of the scales, where the fabric averages the
    /// gradients of all GPUs and carries nothing else; 0 for a fabric that carries messages
    double averagedBits{0};

    /// Time in seconds that a message takes besides its own bytes on a lightpath from one GPU to
    /// another with these lanes; empty if it is the latency for all
    std::function<double(uint32_t, uint32_t, const std::vector<Lane>&)> pathLatency;

    /// The networks that can be made for a plan: the one that has its split of links or, if it has
    /// none, one for each split. Their links replace those of this one; an empty function if the
    /// network is not made for a plan
    std::function<std::vector<LinkChoice>(const TrainingPlan&)> linksFor;

    /// The grids that a plan may ask for in place of this one, which is the first of them; empty if
    /// rows or columns are set, or for a fabric without a grid
    std::vector<GridLimits> grids;

    /// The sentence that says why one GPU cannot send to another, empty if it can; an empty
    /// function if all can
    std::function<std::string(uint32_t, uint32_t)> pathRefusal;

    /// When planning on this fabric ends, by the wall clock; null for no limit
    std::shared_ptr<const PlanningDeadline> deadline;

    /// The allocators that decide on the circuits. Each one must be able to give each pair of GPUs
    /// with traffic a lightpath, all at the same time; see ServeInTurn()
    std::vector<Ptr<const CircuitAllocator>> allocators;
};

/**
 * @ingroup lightpath
 * @brief The task of a planner: one model, a number of GPUs, one fabric.
 */
struct PlanningProblem
{
    OperatorGraph graph;     //!< The model
    Accelerator accelerator; //!< The GPUs
    FabricLimits fabric;     //!< The fabric between them
    uint32_t gpus{0};        //!< Number of GPUs
    uint64_t globalBatch{0}; //!< Samples of one iteration, over all GPUs
    ExpertLoad expertLoad{}; //!< How the tokens of a layer are spread over its experts

    /// The protocols of collectives, which planners hand on to their plans
    CollectiveProtocols protocols{};

    /// Whether updates wait for the norm of the gradients of all ranks, as gradient clipping and
    /// the check for infinite values do; false for optimisers that check afterwards (Qi et al.,
    /// 2024). Those of convolutional models and of models with sparse embeddings never wait
    bool gradientNorm{true};

    /// Which port each rank of the plan gets: a rule or a file, as PlanPlacer knows them
    std::string placement{"automatic"};

    /// The training program: its kernels, the communication that it hides, and its hosts
    Framework framework{};

    /// Whether a price that follows no messages will do, as for plans that a search starts from
    bool isQuick{false};
};

} // namespace lightpath
} // namespace ns3

#endif /* PLANNING_PROBLEM_H */
