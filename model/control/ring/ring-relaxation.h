/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_RELAXATION_H
#define RING_RELAXATION_H

#include "ring-problem.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The linear program that splits the lanes of each pair between its two arcs, in fractions.
 *
 * It minimises the relative load t of the fullest segment: lanes used over lanes available. Its
 * dual values are prices for the lanes of each segment; at the optimum, the least that all pairs
 * must pay is as large as possible relative to the price of all lanes.
 *
 * The program, for pairs p that can choose and rows r (runs of segments that the same pairs use):
 *
 *     minimise t,  subject to  sum of +-x_p over the pairs that use r  +  s_r  =  room_r t -
 * base_r, 0 <= x_p <= needs_p,  s_r >= 0
 *
 * where x_p are the clockwise lanes of p (what it takes counterclockwise falls as x_p rises: -1),
 * s_r the slack of the row, and base_r the lanes used at x = 0. It is solved by the simplex method
 * with bounded variables on a dense tableau (Dantzig 1955), in these steps:
 *
 * 1. Start() puts each pair on its shorter arc, so that each x_p is at one of its bounds and
 *    therefore out of the basis, and finds the row that is the fullest. In this row t replaces the
 *    slack in the basis; all other slacks are basic. So no first phase is needed.
 * 2. FindColumn() picks the variable whose change lowers t fastest. The row of t in the tableau is
 *    the objective, which is why it is never left.
 * 3. Change() moves this variable until it reaches its other bound, or until a basic variable
 *    reaches one of its bounds and leaves the basis in exchange (Exchange() is the pivot).
 *
 * Loads are shifted by tiny amounts, different for each row, so that no two slacks become zero at
 * once: without ties the method cannot cycle. The prices are the entries of the row of t in the
 * columns of slacks.
 */
class RingRelaxation
{
  public:
    /// Prices, or loads, by direction and segment.
    using Prices = std::array<std::vector<double>, 2>;

    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingRelaxation(const RingProblem& problem);

    /**
     * Solve the program, or do as much of it as the effort allows.
     *
     * @param needs the lanes wanted by pair
     * @param effort the entries of tableaus that may be computed; lowered by those that were
     * @param prices where to put the dual values, none of which is negative
     * @return false if the program is too large, or nothing works
     */
    bool FindPrices(const std::vector<uint64_t>& needs, uint64_t& effort, Prices& prices);

    /**
     * @return true if the last call of FindPrices() has solved the program
     */
    bool IsOptimal() const;

    /**
     * @return the clockwise lanes of each pair that can choose, as the last call of FindPrices()
     *         has split them; 0 for the other pairs
     */
    std::vector<double> GetSplit() const;

  private:
    /// Stands for the relative load of the fullest segment among the variables.
    static constexpr uint32_t FULLEST = UINT32_MAX;

    /**
     * @brief A limit on the lanes of several pairs together, or on those of one pair.
     *
     * Between two nodes at which an arc of a pair that can choose begins or ends, all segments are
     * used by the same of these pairs. The segment with the largest load of other pairs then stands
     * for all of them.
     */
    struct Row
    {
        uint32_t direction{0}; //!< The direction of the lanes
        uint32_t first{0};     //!< The first segment, or their number for a pair's own lanes
        uint32_t end{0};       //!< The segment after the last one
        uint32_t pair{0};      //!< The pair that alone has these lanes, if it is one
        double room{0};        //!< The number of lanes on each segment
        uint32_t segment{0};   //!< The segment with the largest load
    };

    /// Find the pairs that can choose, and the limits of their lanes.
    void SetUp();

    /**
     * Add a row for each run of working segments that the same pairs use.
     *
     * @param direction the direction
     */
    void AddSegments(uint32_t direction);

    /**
     * @param row a row
     * @param pair index of a pair
     * @param direction a direction
     * @return true if the pair uses the lanes of the row in this direction
     */
    bool Uses(const Row& row, uint32_t pair, uint32_t direction) const;

    /**
     * Put all pairs on their shorter arcs, and write down the tableau.
     *
     * @param needs the lanes wanted by pair
     */
    void Start(const std::vector<uint64_t>& needs);

    /**
     * @param used the lanes of each pair by direction
     * @return the lanes used by direction and segment
     */
    Prices GetLoads(const std::vector<std::array<double, 2>>& used) const;

    /// Write down the tableau for the row that is the fullest.
    void Fill();

    /**
     * @param column where to put the variable that lowers the relative load fastest
     * @return true if there is one
     */
    bool FindColumn(std::size_t& column) const;

    /**
     * Change a variable until another one reaches a limit, or it itself does.
     *
     * @param column the column of the variable
     * @param effort lowered by the number of entries computed
     */
    void Change(std::size_t column, uint64_t& effort);

    /**
     * Exchange a variable of a row and one of a column.
     *
     * @param row the row
     * @param column the column
     * @return the number of entries computed
     */
    uint64_t Exchange(std::size_t row, std::size_t column);

    /**
     * @param variable a variable
     * @return its largest value
     */
    double GetUpper(uint32_t variable) const;

    /**
     * @param row a row of the tableau
     * @return its entries
     */
    double* GetEntries(std::size_t row);

    const RingProblem& m_problem;     //!< The pairs and the ring
    std::vector<uint32_t> m_flexible; //!< The pairs with both arcs usable
    std::vector<Row> m_rows;          //!< The limits of lanes
    std::vector<double> m_uppers;     //!< Lanes wanted by the flexible pairs
    std::vector<char> m_isUpper;      //!< Whether a variable out of the rows has its largest value
    std::vector<uint32_t> m_basis;  //!< The variable of each row: first the pairs', then the rows'
    std::vector<uint32_t> m_others; //!< The variable of each column
    std::vector<double> m_values;   //!< The values of the variables of the rows
    std::vector<double> m_entries;  //!< The tableau, row by row
    bool m_isOptimal{false};        //!< Whether the program was solved
    std::size_t m_fullest{0};       //!< The row of the fullest segment
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_RELAXATION_H */
