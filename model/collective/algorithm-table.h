/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ALGORITHM_TABLE_H
#define ALGORITHM_TABLE_H

#include "collective-schedule.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The only list of the algorithms for collective operations: their names, the operations
 * they carry out, what they need and how their schedules are made.
 *
 * A new algorithm is a value of CollectiveAlgorithm, a row of this table and a child class of
 * CollectiveSchedule. Options, attributes, reports and CollectiveChooser read the table.
 */
class AlgorithmTable
{
  public:
    /// Requirements of an algorithm besides links between all ranks of the group.
    enum class Needs : uint8_t
    {
        NOTHING,   //!< Nothing
        SERVERS,   //!< Several servers with several ranks each
        GRID,      //!< Ranks in rows and columns
        AVERAGING, //!< A network that averages the data it carries
        LINE,      //!< Links between neighbours alone; worth it where ranks are part of a ring
        TORUS,     //!< Links between neighbours on the axes of a torus
    };

    /// The operation that a schedule is made for.
    struct Request
    {
        CollectiveKind kind;       //!< The operation
        uint32_t ranks;            //!< Number of ranks, at least 1
        uint64_t bytes;            //!< Size of the buffer in bytes
        CollectiveOptions options; //!< How it is carried out
    };

    /// One algorithm.
    struct Row
    {
        CollectiveAlgorithm value;         //!< The algorithm
        std::string name;                  //!< Its name in options and JSON
        std::string words;                 //!< Its name in reports
        std::vector<CollectiveKind> kinds; //!< The operations that it carries out
        Needs needs;                       //!< Its requirement

        /// Makes its schedule; null for AUTOMATIC, which stands for another algorithm
        std::shared_ptr<CollectiveSchedule> (*make)(const Request& request);
    };

    /**
     * @return all algorithms, in the order of CollectiveAlgorithm
     */
    static const std::vector<Row>& GetRows();

    /**
     * @return the algorithms among which a strategy may choose to sum over its ranks: those for
     *         all-reduce on any network, but not TORUS, whose axes follow from the network, and not
     *         LINE, as a ring of the ranks of a line, whose last message goes back over all links,
     *         takes as many steps at the same rate
     */
    static std::vector<Row> GetChoices();

    /**
     * @param algorithm an algorithm; std::invalid_argument if there is none of this number
     * @return its row
     */
    static const Row& GetRow(CollectiveAlgorithm algorithm);

    /**
     * @param name the name of an algorithm; std::invalid_argument, which lists the known names, for
     *        any other
     * @return the algorithm
     */
    static CollectiveAlgorithm GetAlgorithm(const std::string& name);

    /**
     * @param name the name of an operation; std::invalid_argument, which lists the known names, for
     *        any other
     * @return the operation
     */
    static CollectiveKind GetKind(const std::string& name);

    /**
     * @param algorithm an algorithm
     * @param rings its number of rings, which MULTI_RING names
     * @return the algorithm in words, such as "2 rings"; empty for AUTOMATIC
     */
    static std::string Describe(CollectiveAlgorithm algorithm, uint32_t rings);

    /**
     * @param algorithm an algorithm
     * @param kind an operation
     * @return true if the algorithm carries it out
     */
    static bool IsFor(CollectiveAlgorithm algorithm, CollectiveKind kind);

    /**
     * @param kind an operation
     * @param isAcross true across servers, false inside them
     * @return the algorithms that TWO_LEVEL may use for it at this level, besides AUTOMATIC
     */
    static std::vector<CollectiveAlgorithm> GetLevelChoices(CollectiveKind kind, bool isAcross);

    /**
     * @param request the operation and its options, whose ranks of a server divide the group;
     *        std::invalid_argument if the algorithm cannot carry it out
     * @return the schedule
     */
    static std::shared_ptr<CollectiveSchedule> Make(const Request& request);

    /**
     * @return the names of all operations, in the order of CollectiveKind
     */
    static const std::vector<std::string>& GetKindNames();

    /**
     * @param request the operation
     * @return its options, with the algorithm that AUTOMATIC stands for in place of it
     */
    static CollectiveOptions Resolve(const Request& request);

  private:
    /**
     * Refuse options that do not fit the operation or the group.
     *
     * @param request the operation and its options
     */
    static void Check(const Request& request);

    /**
     * Refuse levels that do not fit the operation or the group.
     *
     * @param request the operation and its options
     */
    static void CheckLevels(const Request& request);
};

} // namespace lightpath
} // namespace ns3

#endif /* ALGORITHM_TABLE_H */
