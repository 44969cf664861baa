/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_METHODS_H
#define TURN_METHODS_H

#include "turn-method.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The only list of the methods that find topologies for a collective operation.
 *
 * A new method is a child class of TurnMethod and a row of this table. Those that are special cases
 * of another one are there for their closed forms and for the map.
 */
class TurnMethods
{
  public:
    /// One method.
    struct Row
    {
        std::string name;                   //!< Its name in options
        std::string source;                 //!< The work that it comes from
        std::shared_ptr<TurnMethod> method; //!< The method
        bool isPart{false}; //!< Another method tries all that it does: programs do not offer it
    };

    /// A solution.
    struct Answer
    {
        const Row* row{nullptr}; //!< The method
        TurnSequence sequence;   //!< What it finds
        Time time;               //!< How long it takes
    };

    /**
     * @return all methods
     */
    static const std::vector<Row>& GetRows();

    /**
     * @return the names that Solve() knows, in a list
     */
    static std::string ListNames();

    /**
     * @param name the name of a method, or "best" for the one that takes the least time, by
     *        TurnClock; of several the first in the table
     * @param problem the operation and the fabric; std::invalid_argument, with a sentence, for an
     *        unknown method and for one that is not for this problem
     * @param carrier carries steps; the same one for problems that differ in bytes or delay saves
     *        time
     * @return what it finds
     */
    static Answer Solve(const std::string& name, const TurnProblem& problem, TurnCarrier& carrier);
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_METHODS_H */
