/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACCELERATOR_H
#define ACCELERATOR_H

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
 * @brief A GPU as a roofline whose efficiency depends on the size of the operator.
 *
 * An operator takes the longer of its arithmetic and its memory traffic, each at the peak rate
 * times an efficiency that grows with the size, and then the time to launch it.
 */
class Accelerator
{
  public:
    /**
     * @return the names that Create() knows, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name the name of a preset; std::invalid_argument, which lists the known names, if
     * there is no such preset
     * @return the preset
     */
    static Accelerator Create(const std::string& name);

    /**
     * @param op an operator
     * @param samples the number of samples of its batch
     * @param share the share of the operator's arithmetic, activations and parameters that this GPU
     *        takes, from 0 (exclusive) to 1
     * @return the time that it takes, in seconds
     */
    double GetSeconds(const Operator& op, double samples, double share = 1) const;

    std::string name;          //!< Name of the preset
    double matrixFlops{0};     //!< Peak of matrix products in half precision, FLOP/s
    double vectorFlops{0};     //!< Peak of all other arithmetic, FLOP/s
    double memoryBandwidth{0}; //!< Peak of the memory, bytes/s
    uint64_t memoryBytes{0};   //!< Size of the memory, bytes
    double launchSeconds{0};   //!< Time to launch an operator, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* ACCELERATOR_H */
