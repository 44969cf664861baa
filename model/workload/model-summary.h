/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include "operator-graph.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The layers of a model with their costs, and totals.
 *
 * Successive layers whose forward operators cost the same form one row.
 */
class ModelSummary
{
  public:
    /// One layer, or several equal layers that follow one another. Costs are those of one of them.
    struct Layer
    {
        std::string name;                //!< Name, or names from the first to the last
        uint32_t count{1};               //!< Number of layers
        std::vector<uint32_t> operators; //!< Forward operators of the first of them, by index
        uint64_t parameters{0};          //!< Trainable parameters
        uint64_t multiplyAdds{0};        //!< Multiply-adds of the forward pass, per sample
        uint64_t outputBytes{0};         //!< Bytes that later layers read, per sample
        uint64_t savedBytes{0};          //!< Bytes kept for the backward pass, per sample
    };

    /// Sums over the model.
    struct Totals
    {
        uint64_t parameters{0};     //!< Trainable parameters
        uint64_t sparse{0};         //!< Those of them whose gradient is sparse
        uint64_t multiplyAdds{0};   //!< Multiply-adds of the forward pass, per sample
        uint64_t forwardFlops{0};   //!< Operations of the forward pass, per sample
        uint64_t backwardFlops{0};  //!< Operations of the backward pass, per sample
        uint64_t savedBytes{0};     //!< Bytes kept for the backward pass, per sample
        uint64_t selectiveBytes{0}; //!< The same with selective recomputation, which keeps the
                                    //!< inputs of the recomputed operators
        uint64_t fullBytes{0};      //!< The same with full recomputation, which keeps the
                                    //!< inputs of each layer but the first and the last
        uint64_t stateBytes{0};     //!< Bytes of parameters, gradients and optimiser state, sparse
                                    //!< gradients aside
    };

    /**
     * @param graph the model; it must outlive this object
     */
    explicit ModelSummary(const OperatorGraph& graph);

    /**
     * @return the layers from the input on
     */
    const std::vector<Layer>& GetLayers() const;

    /**
     * @return the sums over the model
     */
    const Totals& GetTotals() const;

    /**
     * Print a line for each row of layers.
     *
     * @param os the stream to print to
     */
    void PrintLayers(std::ostream& os) const;

    /**
     * Print a line for each operator of the first layer of each row.
     *
     * @param os the stream to print to
     */
    void PrintOperators(std::ostream& os) const;

    /**
     * Print the sums over the model.
     *
     * @param os the stream to print to
     */
    void PrintTotals(std::ostream& os) const;

    /**
     * @param number a number
     * @param unit its unit, if it has one
     * @return it with a decimal prefix, such as "25.56 M"
     */
    static std::string FormatCount(uint64_t number, const std::string& unit = "");

    /**
     * @param bytes a number of bytes
     * @return it with a binary unit, such as "1.50 MiB"
     */
    static std::string FormatBytes(uint64_t bytes);

  private:
    /// Gather the layers, each in a row of its own.
    void FindLayers();

    /// Sum up over all operators.
    void FindTotals();

    /**
     * @param recomputed whether each operator is recomputed instead of keeping its result, by index
     * @param bounded true if the recomputed operators of a layer start from the results of other
     *        layers; false if they start from all results of operators that are not recomputed
     * @return the bytes kept for the backward pass, per sample
     */
    uint64_t GetKeptBytes(const std::vector<bool>& recomputed, bool bounded) const;

    /// Join equal layers that follow one another into one row.
    void Collapse();

    /**
     * @param op the index of a forward operator
     * @return true if a forward operator of a later layer reads its output
     */
    bool LeavesLayer(uint32_t op) const;

    /**
     * @param layer a layer
     * @param op the index of one of its operators
     * @return the name of the operator without the name of the layer
     */
    std::string GetOwnName(const Layer& layer, uint32_t op) const;

    /**
     * @param a a layer
     * @param b another layer
     * @return true if their forward operators are alike
     */
    bool AreAlike(const Layer& a, const Layer& b) const;

    const OperatorGraph& m_graph; //!< The model
    std::vector<Layer> m_layers;  //!< The rows
    Totals m_totals;              //!< The sums
};

} // namespace lightpath
} // namespace ns3

#endif /* MODEL_SUMMARY_H */
