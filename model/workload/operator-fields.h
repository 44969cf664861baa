/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_FIELDS_H
#define OPERATOR_FIELDS_H

#include "operator-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The names that files give to the members of operators and to their values.
 */
class OperatorFields
{
  public:
    /// A cost of an operator.
    struct Cost
    {
        std::string key;           //!< Its name
        uint64_t Operator::*value; //!< The member
    };

    /**
     * @return the costs
     */
    static const std::vector<Cost>& GetCosts();

    /**
     * @return the names of OperatorKind, in its order
     */
    static const std::vector<std::string>& GetKinds();

    /**
     * @return the names of Pass, in its order
     */
    static const std::vector<std::string>& GetPasses();

    /**
     * @return the names of TensorSplit, in its order
     */
    static const std::vector<std::string>& GetSplits();

    /**
     * @return the names of Precision, in its order
     */
    static const std::vector<std::string>& GetPrecisions();

    /**
     * @return those that all operators can have: all but that of factors of 8 bits, the last one
     */
    static const std::vector<std::string>& GetModelPrecisions();
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_FIELDS_H */
