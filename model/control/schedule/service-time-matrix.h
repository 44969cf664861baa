/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVICE_TIME_MATRIX_H
#define SERVICE_TIME_MATRIX_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Circuits between different devices, at most one from and one to each, and how long they
 * carry light.
 */
struct TimedMatching
{
    std::vector<uint32_t> peers; //!< The destination by source; the source itself for no circuit
    int64_t steps{0};            //!< Time steps
};

/**
 * @ingroup lightpath
 * @brief How long a circuit must carry light, by source and destination, in time steps.
 *
 * A line is a row (all that a source sends) or a column (all that a destination receives).
 */
class ServiceTimeMatrix
{
  public:
    /**
     * @param size the number of devices
     */
    explicit ServiceTimeMatrix(uint32_t size);

    /**
     * @return the number of devices
     */
    uint32_t GetSize() const;

    /**
     * @param source the device that sends
     * @param destination the device that receives
     * @return the time steps of the pair
     */
    int64_t Get(uint32_t source, uint32_t destination) const;

    /**
     * Add to the time of a pair, which must not become negative.
     *
     * @param source the device that sends
     * @param destination the device that receives, which may be the same here
     * @param steps the time steps to add; negative to take away
     */
    void Add(uint32_t source, uint32_t destination, int64_t steps);

    /**
     * Take time from a pair, as far as it has so much.
     *
     * @param source the device that sends
     * @param destination the device that receives
     * @param steps the time steps to take away
     * @return the time steps that were taken away
     */
    int64_t Serve(uint32_t source, uint32_t destination, int64_t steps);

    /**
     * @return the largest sum of a line, in time steps
     */
    int64_t GetMaxLineSum() const;

    /**
     * @return the largest number of pairs of a line whose time is not zero
     */
    uint32_t GetDegree() const;

    /**
     * Add time until each line has the largest sum of a line: first to pairs whose time is not
     * zero, and then to any (QuickStuff of Solstice, Liu et al., 2015). In each pass the pairs are
     * taken by source and destination.
     */
    void Stuff();

  private:
    uint32_t m_size;              //!< Number of devices
    std::vector<int64_t> m_steps; //!< Time steps, row by row
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVICE_TIME_MATRIX_H */
