/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_GRAPH_H
#define OPERATOR_GRAPH_H

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// Kinds of operators that differ in speed.
enum class OperatorKind : uint8_t
{
    MATMUL,        //!< Dense matrix product
    CONVOLUTION,   //!< Convolution
    ATTENTION,     //!< Batched products of queries, keys and values
    NORMALIZATION, //!< Batch or layer normalisation
    ELEMENTWISE,   //!< Activation functions, sums, dropout
    SOFTMAX,       //!< Softmax
    POOLING,       //!< Maximum or average pooling
    EMBEDDING,     //!< Table lookup
    LOSS,          //!< Loss function
    OPTIMIZER,     //!< Update of parameters from their gradients
};

/// Width of the numbers that an operator works on.
enum class Precision : uint8_t
{
    HALF,   //!< 16 bits (BF16 or FP16), summed up in 32
    SINGLE, //!< 32 bits; matrix units may round factors to 19 (TF32)
    FP32,   //!< 32 bits; matrix units keep all bits of the factors
    FP8,    //!< 8 bits for the factors of matrix products with parameters, 16 for all others
    NVFP4,  //!< 4 bits for these factors, 16 for all others
};

/// The part of a training iteration in which an operator runs.
enum class Pass : uint8_t
{
    FORWARD,  //!< From the samples to the loss
    BACKWARD, //!< From the loss to the gradients
    UPDATE,   //!< From the gradients to the new parameters
};

/**
 * How an operator is spread over the GPUs of a tensor-parallel group. The forward pass sums the
 * output of a ROW operator over the group; the backward pass sums the gradient of the input of a
 * COLUMN operator. Everything else needs no communication.
 */
enum class TensorSplit : uint8_t
{
    REPLICATED, //!< Each GPU computes the whole operator
    COLUMN,     //!< Parameters split by output: whole input, share of the output
    ROW,        //!< Parameters split by input: share of the input, whole output after the sum
    SHARDED,    //!< Works on the share that a COLUMN operator left, without communication
    SEQUENCE,   //!< Works on each token apart: REPLICATED, or a share of the tokens each with
                //!< sequence parallelism
};

/// How a router chooses the experts of a token.
struct ExpertChoice
{
    uint32_t perToken{0};  //!< Experts of a token; 0 if it is not known
    uint32_t groups{1};    //!< Groups of successive experts
    uint32_t topGroups{1}; //!< Groups that the experts of a token are in, at most
};

/**
 * @ingroup lightpath
 * @brief One operator of a training iteration, with its cost.
 *
 * Costs "per sample" are multiplied by the number of samples of a batch. Parameters are moved once
 * in a batch, whatever its size. Each expert of an operator works on the same number of tokens,
 * which a router has picked among the tokens of all samples; the costs and parameters of the
 * operator are those of all experts together.
 */
struct Operator
{
    std::string name;                             //!< Unique within its graph
    OperatorKind kind{OperatorKind::ELEMENTWISE}; //!< Kind of its computation
    Pass pass{Pass::FORWARD};                     //!< When it runs
    TensorSplit split{TensorSplit::REPLICATED};   //!< How a tensor-parallel group shares it
    Precision precision{Precision::HALF};         //!< Width of the numbers it works on
    bool selective{false};    //!< Selective recomputation computes its saved data anew
    bool sparse{false};       //!< Only the parameters that a batch looks up have a gradient
    uint32_t layer{0};        //!< Layer of the model, from the input on
    uint32_t forward{0};      //!< Index of the forward operator that it belongs to (or itself)
    uint32_t experts{0};      //!< Experts with parameters and tokens of their own; 0 if it has none
    ExpertChoice choice;      //!< How tokens choose these experts
    uint64_t multiplyAdds{0}; //!< Multiply-adds of matrix products and convolutions, per sample
    uint64_t flops{0};        //!< Floating-point operations per sample, 2 for a multiply-add
    uint64_t readBytes{0};    //!< Bytes of activations read, per sample
    uint64_t writtenBytes{0}; //!< Bytes of activations written, per sample
    uint64_t movedBytes{0};   //!< Bytes that kernels before it read and write to cast, transpose or
                              //!< sort its input, or its result, per sample
    uint64_t inputBytes{0};   //!< Bytes of the input activation, per sample
    uint64_t outputBytes{0};  //!< Bytes of the result that successors read, per sample
    uint64_t savedBytes{0};   //!< Bytes kept for the backward pass, per sample
    uint64_t parameters{0};   //!< Parameters used (forward), or whose gradient or update it makes
    uint64_t parameterBytes{0}; //!< Bytes of parameters, gradients and state moved, per batch
    uint64_t contextBytes{0};   //!< Bytes of keys and values per sample that the queries of all
                                //!< tokens need; 0 for operators that need no other tokens
    uint64_t indivisible{0};    //!< Parts that no two GPUs of a tensor-parallel group can share,
                                //!< such as attention heads; 0 for no limit
};

/**
 * @ingroup lightpath
 * @brief The operators of one training iteration and the order that their data impose on them.
 *
 * Operators are held in a topological order: an edge leads from a lower to a higher index.
 */
class OperatorGraph
{
  public:
    /**
     * @param name the name of the model
     * @param sample the name of one sample, in the singular: "image", "sequence"
     */
    explicit OperatorGraph(std::string name = "", std::string sample = "sample");

    /**
     * @return the name of the model
     */
    const std::string& GetName() const;

    /**
     * @return the name of one sample, in the singular
     */
    const std::string& GetSample() const;

    /**
     * Add an operator behind all others. Refused by std::invalid_argument if another operator has
     * its name, or if it names a forward operator that does not come before it.
     *
     * @param op the operator
     * @return its index
     */
    uint32_t AddOperator(Operator op);

    /**
     * State that one operator reads the output of another. Refused by std::invalid_argument unless
     * the edge leads from a lower index to a higher one that exists. Stating it again changes
     * nothing.
     *
     * @param from the index of the operator that writes
     * @param to the index of the operator that reads
     */
    void AddEdge(uint32_t from, uint32_t to);

    /**
     * @return the operators in topological order
     */
    const std::vector<Operator>& GetOperators() const;

    /**
     * @param index the index of an operator
     * @return the indices of the operators whose output it reads, in ascending order
     */
    const std::vector<uint32_t>& GetPredecessors(uint32_t index) const;

    /**
     * @param index the index of an operator
     * @return the indices of the operators that read its output, in ascending order
     */
    const std::vector<uint32_t>& GetSuccessors(uint32_t index) const;

    /**
     * @return the number of trainable parameters
     */
    uint64_t GetParameters() const;

    /**
     * @return the multiply-adds of matrix products and convolutions of the forward pass of one
     * sample
     */
    uint64_t GetForwardMultiplyAdds() const;

    /**
     * @return the number of layers, which is one more than the highest layer of an operator
     */
    uint32_t GetNLayers() const;

    /**
     * @return the bytes of parameter, gradient and optimiser state that a GPU holds for each
     *         parameter
     */
    uint32_t GetStateBytes() const;

    uint64_t sampleTokens{0};    //!< Tokens of a sample; 0 if a sample is no sequence
    uint32_t parameterBytes{2};  //!< Bytes of a parameter as operators read it
    uint32_t gradientBytes{2};   //!< Bytes of a gradient, also as it is summed over replicas
    uint32_t optimizerBytes{12}; //!< Bytes of master copy and moments for each parameter

  private:
    std::string m_name;                                //!< Name of the model
    std::string m_sample;                              //!< Name of one sample
    std::unordered_set<std::string> m_names;           //!< Names of the operators
    std::vector<Operator> m_operators;                 //!< The operators in topological order
    uint32_t m_nLayers{0};                             //!< 1 more than the largest layer
    std::vector<std::vector<uint32_t>> m_predecessors; //!< Operators read from, by operator
    std::vector<std::vector<uint32_t>> m_successors;   //!< Operators that read, by operator
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_GRAPH_H */
