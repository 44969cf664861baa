/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_DOCUMENT_H
#define OPERATOR_DOCUMENT_H

#include "model/base/json-value.h"
#include "operator-graph.h"
#include "training-graph-builder.h"

#include <bitset>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The operators and edges of a model, as a file states them.
 *
 * The constructor checks each operator and each edge by itself; the reader checks references
 * between them. An operator is known by the index of its name; indices follow the order in which
 * the names appear for the first time.
 */
class OperatorDocument
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

    /// The largest cost: all numbers up to it are exact in JSON.
    static constexpr uint64_t MAX_COST = uint64_t(1) << 53;

    static constexpr uint64_t MAX_TOKENS = 1000000000; //!< The most tokens of a sample

    /// The most bytes of a parameter, of a gradient, and of the state of the optimiser for one.
    static constexpr uint32_t MAX_NUMBER_BYTES = 64;

    /// No operator.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// An operator.
    struct Entry
    {
        Operator op;                      //!< The operator; its index of forward is not set
        uint32_t id{NONE};                //!< Index of its name
        uint32_t forward{NONE};           //!< Index of the name of its forward operator
        std::vector<uint32_t> owners;     //!< Indices of the names of owners of its parameters
        std::bitset<32> stated;           //!< The members that it states; see States()
        uint64_t tiedParameters{0};       //!< Parameters that the owners have
        uint64_t backwardFlops{0};        //!< Operations of its gradient
        uint64_t backwardReadBytes{0};    //!< Bytes that its gradient reads
        uint64_t backwardWrittenBytes{0}; //!< Bytes that its gradient writes
    };

    /// An edge.
    struct Edge
    {
        uint32_t from{0};  //!< Index of the name of the operator that writes
        uint32_t to{0};    //!< Index of the name of the operator that reads
        uint64_t bytes{0}; //!< Bytes that are read, per sample; 0 for all
        uint32_t place{0}; //!< Index in the document
    };

    /**
     * @param input the text
     * @param name the name of the document in sentences
     */
    OperatorDocument(std::istream& input, const std::string& name);

    /**
     * Refuse an operator.
     *
     * @param entry one of the operators
     * @param sentence the fault, and its remedy
     */
    [[noreturn]] void Fail(const Entry& entry, const std::string& sentence) const;

    /**
     * Refuse an edge.
     *
     * @param edge one of the edges
     * @param sentence the fault, and its remedy
     */
    [[noreturn]] void Fail(const Edge& edge, const std::string& sentence) const;

    /**
     * @param entry an operator
     * @param key the key of a member of operators
     * @return true if the document states this member of the operator
     */
    static bool States(const Entry& entry, const std::string& key);

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
    std::string sample{"sample"}; //!< Name of one sample
    uint64_t sampleTokens{0};     //!< Tokens of a sample, or 0
    bool isForward{false};        //!< Whether there are operators of the forward pass only
    uint32_t parameterBytes{2};   //!< Bytes of a parameter
    uint32_t gradientBytes{2};    //!< Bytes of a gradient
    uint32_t optimizerBytes{12};  //!< Bytes of the state of the optimiser for each parameter
    TrainingOptions training;     //!< Numbers and optimiser, if the forward pass only is there
    std::vector<Entry> operators; //!< The operators
    std::vector<Edge> edges;      //!< The edges
    std::vector<uint32_t> places; //!< For each name, the index in operators, or NONE

  private:
    /// A member of operators.
    struct Member
    {
        std::string key; //!< Its key

        /// Takes its value.
        std::function<void(OperatorDocument& document, Entry& entry, const JsonValue& value)> take;
    };

    /**
     * @return the members of operators; bit i of Entry::stated is for member i
     */
    static const std::vector<Member>& GetMembers();

    /**
     * @param [in,out] members the list to which the costs are added
     */
    static void AddCosts(std::vector<Member>& members);

    /**
     * @param key a key
     * @return the index of the member; the number of members if there is none
     */
    static std::size_t FindMember(const std::string& key);

    /**
     * @param value an operator
     */
    void TakeOperator(const JsonValue& value);

    /**
     * @param value an edge
     */
    void TakeEdge(const JsonValue& value);

    /**
     * @param root the document, without operators and edges
     */
    void TakeModel(const JsonValue& root);

    /// Refuse operators and edges that do not suit the passes.
    void CheckPasses() const;

    /**
     * @param value the name of an operator
     * @return the index of the name
     */
    uint32_t GetId(const JsonValue& value);

    std::string m_document;                          //!< Name of the document
    std::vector<std::string> m_names;                //!< The names of operators
    std::unordered_map<std::string, uint32_t> m_ids; //!< Their indices
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_DOCUMENT_H */
