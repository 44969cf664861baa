/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_DOCUMENT_H
#define OPERATOR_DOCUMENT_H

#include "json-document.h"
#include "operator-graph.h"
#include "training-graph-builder.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What a file says of the operators of a model.
 *
 * Each piece has been checked by itself when Read() comes back, but not against the others.
 * Operators are known by the indices of their names, which follow the order in which the names
 * appear for the first time.
 */
class OperatorDocument : public JsonDocument
{
  public:
    /// The name of the format.
    static constexpr const char* FORMAT = "lightpath-operator-graph";

    /// The most operators.
    static constexpr uint32_t MAX_OPERATORS = 1000000;

    /// The most edges.
    static constexpr uint32_t MAX_EDGES = 4000000;

    /// The most experts of an operator.
    static constexpr uint32_t MAX_EXPERTS = 1000000;

    /// The most that a cost can be: all numbers up to it are exact in JSON.
    static constexpr uint64_t MAX_COST = uint64_t(1) << 53;

    /// The most bytes of a parameter, of a gradient, and of the state of the optimiser for one.
    static constexpr uint32_t MAX_NUMBER_BYTES = 64;

    /// No operator.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// What an operator states besides its costs, as bits behind those of the costs.
    enum Stated
    {
        KIND = 1 << 16,      //!< Its kind
        SPLIT = 1 << 17,     //!< How it is shared
        PRECISION = 1 << 18, //!< Its precision
        LAYER = 1 << 19,     //!< Its layer
        FLOPS = 1 << 20,     //!< The operations of its gradient
        READ = 1 << 21,      //!< The bytes that its gradient reads
        WRITTEN = 1 << 22,   //!< The bytes that its gradient writes
        EXPERTS = 1 << 23,   //!< Its number of experts
    };

    /// An operator.
    struct Entry
    {
        Operator op;                      //!< The operator; its index of forward is not set
        uint32_t id{NONE};                //!< Index of its name
        uint32_t forward{NONE};           //!< Index of the name of its forward operator
        uint32_t owner{NONE};             //!< Index of the name of the owner of its parameters
        uint32_t stated{0};               //!< What it states: bit i for cost i, and Stated
        uint64_t backwardFlops{0};        //!< Operations of its gradient
        uint64_t backwardReadBytes{0};    //!< Bytes that its gradient reads
        uint64_t backwardWrittenBytes{0}; //!< Bytes that its gradient writes
        uint64_t line{0};                 //!< Line that it begins in
    };

    /// An edge.
    struct Edge
    {
        uint32_t from{0};  //!< Index of the name of the operator that writes
        uint32_t to{0};    //!< Index of the name of the operator that reads
        uint64_t bytes{0}; //!< Bytes that are read, per sample; 0 for all
        uint64_t line{0};  //!< Line that it begins in
    };

    /**
     * @param name what the document is called in sentences
     */
    explicit OperatorDocument(const std::string& name);

    /**
     * Refuse the document if it states what does not belong to its passes.
     */
    void CheckPasses() const;

    /**
     * @return what the document is called
     */
    const JsonSource& GetSource() const;

    /**
     * @param id the index of a name
     * @return the name, in quotation marks
     */
    std::string Quote(uint32_t id) const;

    /**
     * @param name a name
     * @return its index; NONE if the document does not have it
     */
    uint32_t Find(const std::string& name) const;

    std::string name;             //!< Name of the model
    std::string sample{"sample"}; //!< What one sample is
    bool isForward{false};        //!< Whether there are operators of the forward pass only
    uint32_t parameterBytes{2};   //!< Bytes of a parameter
    uint32_t gradientBytes{2};    //!< Bytes of a gradient
    uint32_t optimizerBytes{12};  //!< Bytes of the state of the optimiser for each parameter
    TrainingOptions training;     //!< Numbers and optimiser, if the forward pass only is there
    std::vector<Entry> operators; //!< The operators
    std::vector<Edge> edges;      //!< The edges
    std::vector<uint32_t> places; //!< For each name, the index in operators, or NONE

  private:
    void TakeValue(const JsonValue& value) override;
    void TakeRecord(const std::string& key, const JsonRecord& record) override;

    /**
     * @param record an operator
     */
    void TakeOperator(const JsonRecord& record);

    /**
     * @param value what an operator states
     * @param entry the operator
     */
    void TakeMember(const JsonValue& value, Entry& entry);

    /**
     * @param record an edge
     */
    void TakeEdge(const JsonRecord& record);

    /**
     * @param value the name of an operator
     * @return its index
     */
    uint32_t GetName(const JsonValue& value);

    std::vector<std::string> m_names;                //!< The names of operators
    std::unordered_map<std::string, uint32_t> m_ids; //!< Their indices
    std::vector<std::string> m_known;                //!< The keys of an operator
    uint64_t m_bytesLine{0};                         //!< Line of the bytes of a number; 0 if none
    uint64_t m_trainingLine{0};                      //!< Line of training options; 0 if none
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_DOCUMENT_H */
