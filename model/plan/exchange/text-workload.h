/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEXT_WORKLOAD_H
#define TEXT_WORKLOAD_H

#include "chakra-format.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The parallelism of a text workload: which ranks communicate in each pass.
enum class TextPolicy : uint8_t
{
    DATA,
    MODEL,
    HYBRID_DATA_MODEL,
    HYBRID_MODEL_DATA,
    HYBRID_TRANSFORMER,
    HYBRID_TRANSFORMER_FWD_IN_BCKWD,
    HYBRID_DLRM,
    HYBRID_DLRM_ENHANCED,
    HYBRID_CUSTOMIZED,
    MICRO,
    DISTRIBUTED_INFERENCE,
};

/// The ranks that take part in an operation of a text workload.
enum class TextGroup : uint8_t
{
    DEFAULT,     //!< Those of the policy
    EXPERT,      //!< Those that share out experts
    EXPERT_DATA, //!< Those that hold the same experts
};

/**
 * @ingroup lightpath
 * @brief An operation of a layer: computation, and the communication that follows.
 */
struct TextPass
{
    double seconds{0};                          //!< Time of the computation, seconds
    std::optional<chakra::CommType> collective; //!< The communication, if any
    TextGroup group{TextGroup::DEFAULT};        //!< Who takes part
    uint64_t bytes{0};                          //!< Its size
};

/**
 * @ingroup lightpath
 * @brief A layer of a text workload.
 */
struct TextLayer
{
    std::string name;                    //!< Its name
    TextPass forward;                    //!< Forward pass
    TextPass inputGradient;              //!< Gradients of its input
    TextPass weightGradient;             //!< Gradients of its weights
    double updateSeconds{0};             //!< Time of the update of its weights, seconds
    TextPolicy policy{TextPolicy::DATA}; //!< Its parallelism
};

/**
 * @ingroup lightpath
 * @brief A text workload of ASTRA-sim 1.0, or in the dialect of SimAI.
 */
struct TextWorkload
{
    /**
     * @return whether there is a communication of this kind
     *
     * @param kind a kind
     */
    bool Has(chakra::CommType kind) const;

    /**
     * Throws std::invalid_argument with one sentence for text that is no workload.
     *
     * @param is the text
     * @param name its name in error messages
     * @return the workload
     */
    static TextWorkload Read(std::istream& is, const std::string& name);

    TextPolicy policy{TextPolicy::DATA}; //!< Its parallelism
    bool isSimAi{false};                 //!< Whether it is in the dialect of SimAI
    uint32_t tensor{1};                  //!< Ranks that share the operators of a layer
    uint32_t expert{1};                  //!< Ranks that share out experts
    uint32_t pipeline{1};                //!< Stages
    uint32_t virtualStages{1};           //!< Parts of the layers of a stage
    uint32_t microbatches{1};            //!< Microbatches
    uint32_t ranks{0};                   //!< Number of ranks; 0 if it is not given
    uint64_t stageBytes{0};              //!< Bytes between stages, for each microbatch
    uint32_t lastBottomLayer{0};         //!< DLRM: the last layer before the exchange is needed
    std::set<uint32_t> checkpoints;      //!< Layers whose input is kept
    std::set<uint32_t> initiators; //!< Layers before whose backward pass others are recomputed
    std::vector<TextLayer> layers; //!< The layers

  private:
    /**
     * @param line the first line
     */
    void ReadHeader(const std::string& line);

    /**
     * @param is where to read options of the first line
     * @param key the name of an option
     */
    void ReadOption(std::istream& is, const std::string& key);

    /**
     * @param is where to read a layer
     */
    void ReadLayer(std::istream& is);
};

} // namespace lightpath
} // namespace ns3

#endif /* TEXT_WORKLOAD_H */
