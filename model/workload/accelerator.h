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
 * @brief The best share of the peak that arithmetic reaches, by kind of operator.
 *
 * It may exceed 1 where an algorithm needs fewer operations than are counted, such as Winograd's
 * for convolutions in single precision.
 */
struct ArithmeticEfficiency
{
    double matmul{1};      //!< Matrix products with parameters
    double convolution{1}; //!< Convolutions
    double attention{1};   //!< Products of activations
};

/**
 * @ingroup lightpath
 * @brief A GPU as a roofline whose efficiency depends on the kind and the size of the operator.
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
 * The products of experts, one for each, take the sum of their arithmetic, their memory traffic and
 * a ramp for each expert: a product of few tokens has few tiles, so that nothing hides the load of
 * its parameters before the first tile and the store of its results after the last one. Kernels
 * that move data for an operator come before it and have a launch and a ramp of their own.
 *
 * Matrix products and convolutions run on the matrix units in the precision of the operator, and
 * are refused by std::invalid_argument if there is no peak in it; all other arithmetic runs on the
 * vector units.
 *
 * An operator that a profile names takes the measured time, and a share of it takes that share of
 * the time. With linearShares the same holds for all operators: pieces are as efficient as the
 * whole, and launched at no cost of their own, as in the released simulator of SiP-ML (Khani et
 * al., SIGCOMM 2021).
 */
class Accelerator
{
  public:
    /**
     * @return the names of the presets, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name the name of a preset, or of a file, which ends in ".json"; std::invalid_argument,
     *        which lists the known names or states the fault of the file, otherwise
     * @return the accelerator
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

    /**
     * @param precision a precision
     * @return the peak of matrix products in it, FLOP/s; 0 if there are none
     */
    double GetPeak(Precision precision) const;

    std::string name;                      //!< Its name
    double matrixFlops{0};                 //!< Peak of matrix products in half precision, FLOP/s
    double singleMatrixFlops{0};           //!< Peak of those in single precision, with TF32 if the
                                           //!< matrix units have it, FLOP/s
    double fp32MatrixFlops{0};             //!< Peak of those in single precision throughout, FLOP/s
    double fp8MatrixFlops{0};              //!< Peak of those with factors of 8 bits, FLOP/s
    double nvfp4MatrixFlops{0};            //!< Peak of those with factors of 4 bits, FLOP/s
    double vectorFlops{0};                 //!< Peak of all other arithmetic, FLOP/s
    double memoryBandwidth{0};             //!< Peak of the memory, bytes/s
    uint64_t memoryBytes{0};               //!< Size of the memory, bytes
    double launchSeconds{0};               //!< Time to launch an operator, seconds
    bool linearShares{false};              //!< Whether a share takes that share of the time
    ArithmeticEfficiency halfEfficiency;   //!< Of matrix products in half precision
    ArithmeticEfficiency singleEfficiency; //!< Of matrix products in single precision
    ArithmeticEfficiency fp8Efficiency;    //!< Of matrix products with factors of 8 bits
    ArithmeticEfficiency nvfp4Efficiency;  //!< Of matrix products with factors of 4 bits
    double vectorEfficiency{1};            //!< Best share of the peak that other arithmetic reaches
    double memoryEfficiency{1};            //!< Best share of the peak that memory traffic reaches
    double gatherEfficiency{0};            //!< Best share of it that rows copied in another order
                                           //!< reach; 0: memoryEfficiency
    double productRamp{0};                 //!< Time until matrix products are at their best, s
    double expertRamp{0};                  //!< The same for the product of each expert, seconds
    bool boundedRamp{false};               //!< Whether the ramp of a product is at most as long as
                                           //!< its arithmetic, as with kernels made for few rows
    double convolutionRamp{0};             //!< Time until convolutions are at their best, seconds
    double memoryRamp{0};                  //!< The same of memory traffic and other arithmetic, s
    uint32_t serverGpus{1};                //!< GPUs of a server; 1 without links inside it
    double serverBitRate{0};     //!< Rate of a GPU inside its server, bit/s; 0 if none is known
    double serverLatency{0};     //!< Time of a message inside a server besides its bytes, seconds
    double networkLatency{0};    //!< Time of a message between servers besides its bytes, seconds
    double collectiveLatency{0}; //!< Time to launch a collective operation, seconds
    std::shared_ptr<const OperatorProfile> profile; //!< Times that were measured, or null

  private:
    /**
     * @param op an operator with arithmetic
     * @return the time until its arithmetic is at its best, seconds
     */
    double GetRamp(const Operator& op) const;

    /**
     * @param op an operator
     * @param flops its arithmetic, FLOP
     * @param bytes its memory traffic, bytes
     * @param share the share of its experts, if it has some, that this GPU has
     * @return the time that it takes without its launch, in seconds
     */
    double GetKernelSeconds(const Operator& op, double flops, double bytes, double share) const;

    /**
     * @param op an operator with arithmetic
     * @return the best rate of its arithmetic, FLOP/s
     */
    double GetBestRate(const Operator& op) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* ACCELERATOR_H */
