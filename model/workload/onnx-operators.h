/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ONNX_OPERATORS_H
#define ONNX_OPERATORS_H

#include "onnx-call.h"
#include "operator-formulas.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An operator of ONNX: how to work out the shapes that it writes, and its costs.
 *
 * Costs are those of all samples of a batch. Operators that only name elements in another way, such
 * as a reshape, a transposition or a slice, cost nothing: who reads them reads the elements where
 * they are.
 */
struct OnnxOperator
{
    /**
     * @param call a node with its inputs; it is refused unless its operator is known
     * @return the operator
     */
    static const OnnxOperator& Find(const OnnxCall& call);

    /// Adds the outputs
    void (*infer)(OnnxCall& call);

    /// Gives the costs; nothing for operators that cost nothing
    std::optional<OperatorCosts> (*cost)(const OnnxCall& call, const OperatorFormulas& formulas);

    /// The inputs from the first on that may be parameters
    std::size_t nTrained{SIZE_MAX};
};

} // namespace lightpath
} // namespace ns3

#endif /* ONNX_OPERATORS_H */
