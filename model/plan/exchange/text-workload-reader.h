/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEXT_WORKLOAD_READER_H
#define TEXT_WORKLOAD_READER_H

#include "text-parts.h"
#include "text-workload.h"
#include "trace-collective.h"

#include "ns3/collective-schedule.h"
#include "ns3/rank-program.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The meaning of the size of an all-gather.
enum class GatherSize : uint8_t
{
    DIALECT, //!< TOTAL in the dialect of SimAI, otherwise PART
    TOTAL,   //!< What each rank ends with
    PART,    //!< What each rank has before
};

/**
 * @ingroup lightpath
 * @brief The ranks that carry out a text workload, and the meaning of what it leaves open.
 */
struct TextSettings
{
    uint32_t ranks{0};                //!< Their number; 0 for that of the file or the dimensions
    std::vector<uint32_t> dimensions; //!< Sizes of their dimensions, the innermost first
    CollectiveAlgorithm algorithm{
        CollectiveAlgorithm::AUTOMATIC};        //!< Of all-reduce, reduce-scatter and all-gather
    GatherSize gatherSize{GatherSize::DIALECT}; //!< Meaning of its size
};

/**
 * @ingroup lightpath
 * @brief Reads text workloads of ASTRA-sim 1.0 and of SimAI as plans.
 *
 * Layers run forward and then backward. What follows a forward pass, or an input gradient, waits
 * for its communication; that of weight gradients goes on while earlier layers compute, and the
 * iteration ends once it is over. The backward pass of a layer begins with its weight gradient.
 */
class TextWorkloadReader
{
  public:
    /**
     * Throws std::invalid_argument with one sentence for text that is no workload, or does not suit
     * the ranks.
     *
     * @param is the text
     * @param name its name in error messages
     * @param settings the ranks
     * @return the plan
     */
    static TrainingPlan Read(std::istream& is,
                             const std::string& name,
                             const TextSettings& settings);

  private:
    /// Parts of the number of a rank that differ within a group: the distance and the number of
    /// members.
    using Digits = std::vector<std::pair<uint32_t, uint32_t>>;

    using Piece = TextParts::Piece; //!< Successive layers, whole or in equal pieces

    /**
     * @param workload the workload
     * @param settings the ranks
     */
    TextWorkloadReader(const TextWorkload& workload, const TextSettings& settings);

    /**
     * @return the plan
     */
    TrainingPlan MakePlan();

    /**
     * Refuse ranks that the policy cannot be carried out on.
     */
    void CheckRanks() const;

    /**
     * Refuse layers that do not exist, and more work than is possible.
     */
    void CheckWork() const;

    /**
     * @param layer the index of a layer
     * @return the last checkpoint up to it; the layer itself without any
     */
    uint32_t GetCheckpoint(uint32_t layer) const;

    /**
     * @param layer a layer
     * @param pass an operation of it
     * @param isWeights whether that is about its weights
     * @return the groups that carry out its communication
     */
    Digits GetDigits(const TextLayer& layer, const TextPass& pass, bool isWeights) const;

    /**
     * @param from the first dimension
     * @param to the one behind the last
     * @return the groups of ranks that differ in these dimensions
     */
    Digits GetDimensions(std::size_t from, std::size_t to) const;

    /**
     * @param digits groups of ranks
     * @param kind the kind that they get, or N_GROUP_KINDS for one of their own
     * @return the kind
     */
    uint32_t FindKind(const Digits& digits, uint32_t kind);

    /**
     * @param stage a stage of the pipeline
     * @return the program of its ranks
     */
    std::shared_ptr<const RankProgram> MakeProgram(uint32_t stage);

    /**
     * @param part a part of the batch
     * @param stage the stage
     */
    void WriteForward(uint32_t part, uint32_t stage);

    /// @copydoc WriteForward
    void WriteBackward(uint32_t part, uint32_t stage);

    /**
     * Add the forward pass of layers.
     *
     * @param piece the layers
     */
    void WriteForward(const Piece& piece);

    /**
     * Add the backward pass of layers.
     *
     * @param piece the layers
     */
    void WriteBackward(const Piece& piece);

    /**
     * Compute again what the backward pass of a layer needs.
     *
     * @param layer the index of the layer
     * @param piece the piece of it
     */
    void Recompute(uint32_t layer, const Piece& piece);

    /**
     * @param layer the index of a layer
     * @param piece the piece of it
     */
    void WriteWeights(uint32_t layer, const Piece& piece);

    /**
     * Add a computation, for which later ones wait.
     *
     * @param name its name
     * @param pass the part of the iteration
     * @param seconds its time, seconds
     */
    void AddCompute(const std::string& name, Pass pass, double seconds);

    /**
     * Add a collective operation that waits for all before, and for which nothing waits yet.
     *
     * @param layer its layer
     * @param pass the operation of the layer that it follows
     * @param isWeights whether that is about its weights
     * @param piece the piece of it
     * @return its index; NOTHING if there is nothing to communicate
     */
    uint32_t AddCollective(const TextLayer& layer,
                           const TextPass& pass,
                           bool isWeights,
                           const Piece& piece);

    /**
     * Add a message to, or from, the next stage or the one before.
     *
     * @param kind SEND or RECEIVE
     * @param stage the other stage
     * @param part the part of the batch
     */
    void AddMessage(TaskKind kind, uint32_t stage, uint32_t part);

    /**
     * Let what follows wait for a task.
     *
     * @param task its index, or NOTHING
     */
    void WaitFor(uint32_t task);

    static constexpr uint32_t NOTHING = UINT32_MAX; //!< No task

    const TextWorkload& m_workload; //!< The workload
    TextSettings m_settings;        //!< The ranks
    bool m_isDlrm;                  //!< Whether the policy is one of DLRM
    uint32_t m_data;                //!< Ranks of a stage with the same part of a layer
    TextParts m_parts;              //!< Parts of the batch
    TraceCollective m_rooted;       //!< Operations with a root
    bool m_isGatherPart{false};     //!< Whether all-gathers state what a rank has before
    std::map<std::pair<uint32_t, Digits>, uint32_t> m_kinds; //!< The kind of groups, as asked for
    TrainingPlan m_plan;                                     //!< The plan
    std::shared_ptr<RankProgram> m_program;                  //!< The program so far
    std::vector<uint32_t> m_last;                            //!< What the next task waits for
    std::vector<uint32_t> m_exchanges;                       //!< DLRM: exchanges that are under way
    std::map<uint32_t, uint32_t> m_operations;               //!< Operations of the program, by kind
};

} // namespace lightpath
} // namespace ns3

#endif /* TEXT_WORKLOAD_READER_H */
