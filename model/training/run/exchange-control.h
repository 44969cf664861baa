/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXCHANGE_CONTROL_H
#define EXCHANGE_CONTROL_H

#include "ns3/phase-counter.h"
#include "ns3/ptr.h"
#include "ns3/rank-program.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CircuitController;
class TrainingJob;
struct TaskEvent;

/// The ports of a network between servers that share circuit switches.
struct CircuitRegion
{
    uint32_t rail{0};  //!< The network between servers
    uint32_t first{0}; //!< Its first port in the region
    uint32_t ports{0}; //!< Number of successive ports in the region
};

/**
 * @ingroup lightpath
 * @brief Lets the circuits of a region follow the all-to-all of experts, as in MixNet (SIGCOMM
 * 2025).
 *
 * A layer of experts has four exchanges of tokens or of their gradients in an iteration: to the
 * experts and back, forward and backward. How many tokens each expert gets is known once the gate
 * of the layer has chosen, which is when the first exchange begins; the sums of both directions,
 * which circuits serve, are the same for all four.
 *
 * As soon as an exchange has ended on all ranks, the circuits are switched for the next one if its
 * demand is known. In the forward pass this is while the experts compute, in the backward pass
 * after the exchanges of the layer behind. The first exchange of a layer waits for its circuits, or
 * takes those of the exchange before it.
 *
 * Ranks whose exchanges share ports go on together. In a region with several such sets, the
 * circuits are for the last demand of each.
 */
class ExchangeControl
{
  public:
    /**
     * Announce exchanges to a controller that decides at phases; before the job starts.
     *
     * @param job the job
     * @param controller decides on the circuits of the region
     * @param region the region
     * @param waits whether the first exchange of a layer waits for its circuits
     * @return the demand of the first exchanges if all experts get equally many tokens
     */
    static TrafficMatrix Install(TrainingJob& job,
                                 Ptr<CircuitController> controller,
                                 const CircuitRegion& region,
                                 bool waits);

  private:
    /// The tasks of a program that are exchanges, in their order.
    using Exchanges = std::vector<uint32_t>;

    /// Iteration and number of an exchange.
    using Step = std::pair<uint32_t, uint32_t>;

    /// Ranks whose exchanges share ports.
    struct Cell
    {
        std::vector<uint32_t> ranks; //!< The ranks
        PhaseCounter counter;        //!< The first exchange that has not ended on all ranks
        Step begun{0, 0};            //!< After the last exchange that a rank has begun
        TrafficMatrix demand;        //!< What the circuits are for
    };

    /**
     * @param job the job
     * @param controller decides on the circuits of the region
     * @param region the region
     * @param waits whether the first exchange of a layer waits for its circuits
     */
    ExchangeControl(TrainingJob& job,
                    Ptr<CircuitController> controller,
                    const CircuitRegion& region,
                    bool waits);

    /**
     * @param source a rank
     * @param destination another rank
     * @return the ports of messages between them, from the first of the region; nothing if they do
     *         not take its network
     */
    std::optional<std::pair<uint32_t, uint32_t>> GetPorts(uint32_t source,
                                                          uint32_t destination) const;

    /// Find the exchanges of each rank, and the ranks that go on together.
    void FindCells();

    /**
     * @param rank a rank of a cell
     * @param index the number of an exchange
     * @return its task; null if the rank has fewer
     */
    const Task* GetTask(uint32_t rank, uint32_t index) const;

    /**
     * @param cell a cell
     * @param index the number of an exchange
     * @param iteration the iteration, of which the loads are drawn; nothing for even ones
     * @return the bytes of the exchange, by port of the region
     */
    TrafficMatrix GetDemand(const Cell& cell,
                            uint32_t index,
                            std::optional<uint32_t> iteration) const;

    /**
     * @return the demands of all cells
     */
    TrafficMatrix GetTotal() const;

    /**
     * Note that an exchange begins on a rank.
     *
     * @param event the exchange
     */
    void NotifyBegin(const TaskEvent& event);

    /**
     * Note that an exchange has ended on a rank.
     *
     * @param event the exchange
     */
    void NotifyEnd(const TaskEvent& event);

    /**
     * Prepare the next exchange, if its demand is known.
     *
     * @param cell the cell
     */
    void Proceed(Cell& cell);

    /**
     * Switch circuits for an exchange.
     *
     * @param cell the cell
     * @param step the exchange
     */
    void Announce(Cell& cell, const Step& step);

    /**
     * @param event an exchange
     * @param [out] step its iteration and number
     * @return the cell of its rank; null if there is none
     */
    Cell* Find(const TaskEvent& event, Step& step);

    TrainingJob& m_job;                  //!< The job
    Ptr<CircuitController> m_controller; //!< Decides on the circuits
    CircuitRegion m_region;              //!< The region
    bool m_waits;                        //!< The first exchange of a layer waits for its circuits
    std::vector<Cell> m_cells;           //!< The ranks that go on together
    std::map<uint32_t, std::size_t> m_cellOfRank; //!< Index of the cell, by rank
    /// The exchanges of each program
    std::map<const RankProgram*, Exchanges> m_exchanges;
};

} // namespace lightpath
} // namespace ns3

#endif /* EXCHANGE_CONTROL_H */
