/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EARLIEST_GPU_H
#define EARLIEST_GPU_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds the GPU that is free first among neighbours on a circle, in logarithmic time.
 */
class EarliestGpu
{
  public:
    /**
     * @param gpus the number of GPUs, all free from 0 on
     */
    explicit EarliestGpu(uint32_t gpus);

    /**
     * @param gpu a GPU
     * @return when it is free, in seconds
     */
    double GetSeconds(uint32_t gpu) const;

    /**
     * @param gpu a GPU
     * @param seconds when it is free from now on, in seconds
     */
    void Set(uint32_t gpu, double seconds);

    /**
     * @param begin the first GPU considered
     * @param count the number of GPUs considered, in ascending order; GPU 0 follows the last one
     * @return the GPU that is free first; of several, the first one considered
     */
    uint32_t Find(uint32_t begin, uint32_t count) const;

  private:
    /**
     * @param first a GPU, or NONE
     * @param second a GPU behind it, or NONE
     * @return the GPU that is free first; the former if both are at once
     */
    uint32_t Choose(uint32_t first, uint32_t second) const;

    /**
     * @param begin the first GPU considered
     * @param end the GPU behind the last one considered, from begin + 1 to the number of GPUs
     * @return the GPU that is free first
     */
    uint32_t FindInRange(uint32_t begin, uint32_t end) const;

    static constexpr uint32_t NONE = UINT32_MAX; //!< No GPU

    uint32_t m_leaves;             //!< Number of leaves of the tree: a power of two
    std::vector<double> m_seconds; //!< When each GPU is free, seconds
    std::vector<uint32_t> m_best;  //!< The GPU free first below each node; node 1 is the root
};

} // namespace lightpath
} // namespace ns3

#endif /* EARLIEST_GPU_H */
