/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_LINEAR_PROGRAM_H
#define LIGHTPATH_LINEAR_PROGRAM_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief A linear or mixed integer program that the solver GLPK solves, as a process of its own.
 */
class LinearProgram
{
  public:
    /// A sum of variables, each by its index, with a factor each; a variable stands in it once.
    using Terms = std::vector<std::pair<uint32_t, double>>;

    /**
     * Tell whether programs can be solved; prints a line the first time if they cannot.
     *
     * @return true if the program glpsol is installed
     */
    static bool HasSolver();

    /**
     * @param profit what one unit of the variable adds to the objective
     * @param upper the largest value of the variable, whose smallest is 0; may be infinite
     * @param integer whether its value must be an integer
     * @return the index of the variable
     */
    uint32_t AddVariable(double profit, double upper, bool integer);

    /**
     * State that a sum is at most a limit.
     *
     * @param terms the sum
     * @param limit the limit
     */
    void AddAtMost(const Terms& terms, double limit);

    /**
     * State that a sum has a value.
     *
     * @param terms the sum
     * @param value the value
     */
    void AddEqual(const Terms& terms, double value);

    /**
     * Find values that make the objective largest.
     *
     * @return the objective; not a number if no values meet all that was stated
     */
    double Maximise();

    /**
     * @param variable the index of a variable
     * @return its value in the last solution
     */
    double GetValue(uint32_t variable) const;

  private:
    /// A variable.
    struct Variable
    {
        double profit; //!< What one unit adds to the objective
        double upper;  //!< The largest value
        bool integer;  //!< Whether its value must be an integer
    };

    /// A row of the program.
    struct Row
    {
        Terms terms;      //!< The sum
        std::string sign; //!< How it compares
        double limit;     //!< With what
    };

    /**
     * Write the program in the format of CPLEX.
     *
     * @param path the name of the file
     */
    void Write(const std::string& path) const;

    /**
     * Read the values of a solution in GLPK's own format.
     *
     * @param path the name of the file
     * @return the objective; not a number if there is no optimal solution
     */
    double Read(const std::string& path);

    std::vector<Variable> m_variables; //!< The variables
    std::vector<Row> m_rows;           //!< The rows
    std::vector<double> m_values;      //!< The values of the last solution
};

#endif /* LIGHTPATH_LINEAR_PROGRAM_H */
