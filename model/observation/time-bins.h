/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIME_BINS_H
#define TIME_BINS_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Bytes over time, in rows of equal bins that begin with the simulation.
 *
 * The number of bins is fixed, and so is the memory of a row. Whenever the time outgrows them, the
 * bins of all rows become twice as wide: between half of them and all of them are in use.
 */
class TimeBins
{
  public:
    /**
     * @param bins the number of bins of a row, even and positive
     */
    explicit TimeBins(uint32_t bins);

    /**
     * @return the number of a new row
     */
    std::size_t AddRow();

    /**
     * Add bytes to a row, spread evenly over a time. Their sum over the bins is exact.
     *
     * @param row the row
     * @param begin the begin of the time
     * @param end its end, not before the begin
     * @param bytes the number of bytes
     */
    void Add(std::size_t row, Time begin, Time end, uint64_t bytes);

    /**
     * @return the width of a bin
     */
    Time GetWidth() const;

    /**
     * @return the number of bins from the begin of the simulation to the last byte
     */
    std::size_t GetNUsed() const;

    /**
     * @param row the row
     * @return its bytes by bin
     */
    const std::vector<uint64_t>& GetRow(std::size_t row) const;

  private:
    /// Make all bins twice as wide.
    void Widen();

    uint32_t m_nBins;                          //!< Bins of a row
    int64_t m_width{1};                        //!< Width of a bin in ticks
    int64_t m_end{0};                          //!< The last byte, in ticks
    std::vector<std::vector<uint64_t>> m_rows; //!< Bytes by row and bin
};

} // namespace lightpath
} // namespace ns3

#endif /* TIME_BINS_H */
