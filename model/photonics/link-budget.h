/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_BUDGET_H
#define LINK_BUDGET_H

#include "optical-element.h"

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The elements of a path between modulator and photodiode, each with its number in a row.
using OpticalPath = std::vector<std::pair<Ptr<OpticalElement>, uint32_t>>;

/**
 * @ingroup lightpath
 * @brief The power of light along a path, element by element.
 */
class LinkBudget
{
  public:
    /// Light behind equal elements of the path.
    struct Row
    {
        std::string element; //!< Name of the element
        uint32_t count;      //!< Number of them, one behind the other
        double loss;         //!< Loss of all of them, dB; below 0 if they amplify
        double power;        //!< Average power behind them, dBm
        double osnr;         //!< Optical signal-to-noise ratio behind them in 12.5 GHz, dB
    };

    /**
     * @param source the light at the begin of the path
     */
    explicit LinkBudget(const OpticalSignal& source);

    /**
     * Let light pass.
     *
     * @param element the element
     * @param count the number of such elements, one behind the other
     */
    void Add(const OpticalElement& element, uint32_t count = 1);

    /**
     * Let light pass the elements of a path.
     *
     * @param path the elements
     */
    void Add(const OpticalPath& path);

    /**
     * @return the light at the end of the path
     */
    const OpticalSignal& GetSignal() const;

    /**
     * @return the elements in the order of the path
     */
    const std::vector<Row>& GetRows() const;

    /**
     * @return the loss of the path, dB
     */
    double GetLoss() const;

    /**
     * Print a table with a row for the source and for each element.
     *
     * @param os the stream
     */
    void Print(std::ostream& os) const;

  private:
    double m_sourcePower;    //!< Power at the begin, W
    OpticalSignal m_signal;  //!< The light at the end
    std::vector<Row> m_rows; //!< The elements
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_BUDGET_H */
