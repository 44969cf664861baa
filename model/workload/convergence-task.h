/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONVERGENCE_TASK_H
#define CONVERGENCE_TASK_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Published figures of the data that a training task needs to reach its target, by batch
 * size.
 *
 * The batch is counted in items (images, sequences or tokens), the data in units (epochs, or
 * items). The fit is the hyperbola N(B) = N0 (1 + B / Bc) of McCandlish et al., An empirical model
 * of large-batch training (2018), with the N0 and Bc that minimise the squared relative errors.
 */
struct ConvergenceTask
{
    /// The data reported for one batch size.
    struct Row
    {
        uint64_t batch{0}; //!< Items of a global batch
        double least{0};   //!< Least data reported, in units
        double most{0};    //!< Most data reported, in units; equals least if there is one figure
    };

    std::string name;            //!< Name of the task
    std::string target;          //!< When training ends
    std::string source;          //!< Where the figures come from
    std::string item;            //!< Unit of the batch size, in the plural
    std::string unit;            //!< Unit of the data, in the plural
    uint64_t itemsPerUnit{0};    //!< Items in unitsPerItem units; 0 if not known
    uint64_t unitsPerItem{1};    //!< Units in itemsPerUnit items
    std::vector<Row> rows;       //!< Figures by ascending batch; empty if only the fit is published
    uint64_t leastBatch{0};      //!< Least batch of the figures, in items
    uint64_t mostBatch{0};       //!< Largest batch of the figures, in items
    double fitData{0};           //!< N0 of the fit: data for very small batches, in units
    double fitBatch{0};          //!< Bc of the fit: batch that takes twice N0, in items
    double fitError{0};          //!< Largest relative error of the fit against the figures
    bool fittedElsewhere{false}; //!< Whether the fit is to other figures than the rows' middles

    /**
     * @return all tasks, in ascending order of their names
     */
    static const std::vector<ConvergenceTask>& GetAll();
};

} // namespace lightpath
} // namespace ns3

#endif /* CONVERGENCE_TASK_H */
