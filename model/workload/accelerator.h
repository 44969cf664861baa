/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACCELERATOR_H
#define ACCELERATOR_H

#include "operator-graph.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OperatorProfile;

/**
 * @ingroup lightpath
 * @brief A GPU as a roofline whose efficiency depends on the size of the operator.
 *
 * An operator takes the longer of its arithmetic and its memory traffic, and then the time to
 * launch it. Either runs at the peak rate times an efficiency that grows with its size x as
 *
 *     best * x / (x + half), with half = peak * best * ramp,
 *
 * so that it takes x / (peak * best) + ramp. A share of an operator is as efficient as an operator
 * of that size, and therefore slower than in proportion. An operator without arithmetic and without
 * memory traffic launches nothing and takes no time.
 *
 * An operator that a profile names takes the time that was measured, and a share of it that share
 * of the time.
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
     * @param samples the number of samples of its batch; std::invalid_argument if negative
     * @param share the share of the operator's arithmetic, activations and parameters that this GPU
     *        takes, from 0 (exclusive) to 1; otherwise std::invalid_argument
     * @return the time that it takes, in seconds
     */
    double GetSeconds(const Operator& op, double samples, double share = 1) const;

    std::string name;               //!< Name of the preset
    double matrixFlops{0};          //!< Peak of matrix products in half precision, FLOP/s
    double vectorFlops{0};          //!< Peak of all other arithmetic, FLOP/s
    double memoryBandwidth{0};      //!< Peak of the memory, bytes/s
    uint64_t memoryBytes{0};        //!< Size of the memory, bytes
    uint32_t serverGpus{1};         //!< GPUs of a server; 1 if it has no links to others
    double serverBitRate{0};        //!< Rate of a GPU to the others of its server, bit/s
    double serverLatency{0};        //!< Time of a message inside a server besides its bytes, s
    double networkLatency{0};       //!< Time of a message between servers besides its bytes, s
    double collectiveLatency{0};    //!< Time to launch a collective operation, s
    double launchSeconds{0};        //!< Time to launch an operator, seconds
    double arithmeticEfficiency{1}; //!< Best share of the peak that arithmetic reaches
    double memoryEfficiency{1};     //!< Best share of the peak that memory traffic reaches
    double arithmeticRamp{0};       //!< Time until arithmetic is at its best, seconds
    double memoryRamp{0};           //!< Time until memory traffic is at its best, seconds

    std::shared_ptr<const OperatorProfile> profile{}; //!< Times that were measured, or null
};

} // namespace lightpath
} // namespace ns3

#endif /* ACCELERATOR_H */
