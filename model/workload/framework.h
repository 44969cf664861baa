/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAMEWORK_H
#define FRAMEWORK_H

#include "model-options.h"
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
 * @brief What a training program decides besides the model and its plan: which kernels are fused,
 * what hides communication, and how fast the host launches kernels.
 *
 * A name may be followed by options, like "megatron:graphs=yes". The options are
 *
 * - attention, loss, gradients: those of the model (ModelZoo), unless its name states them; "model"
 *   leaves them alone,
 * - gradientOverlap: whether sums of gradients over replicas begin before the last backward pass
 *   ends,
 * - launch: the time that the host takes to launch a kernel, in nanoseconds; 0 if it never falls
 *   behind the GPU,
 * - graphs: whether kernels are replayed as captured graphs, so that the host launches none.
 */
class Framework
{
  public:
    /// Where the value of an option of a preset is from.
    struct Origin
    {
        std::string option; //!< The option
        std::string value;  //!< Its value
        std::string source; //!< Where it is from
    };

    /// One that changes nothing.
    Framework();

    /**
     * @return the names of the presets, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name the name of a preset, with or without options; std::invalid_argument, which lists
     *        the known ones, otherwise
     * @return the framework
     */
    static Framework Create(const std::string& name);

    /**
     * @return its name, with the options that it was created with
     */
    const std::string& GetName() const;

    /**
     * @return a description in a few words
     */
    const std::string& GetDescription() const;

    /**
     * @return the options
     */
    const ModelOptions& GetOptions() const;

    /**
     * @return the options that the preset sets, with their sources
     */
    const std::vector<Origin>& GetOrigins() const;

    /**
     * @param model the name of a model of the zoo, with or without options
     * @return the name with the options that the framework sets, the model has, and the name does
     *         not state
     */
    std::string GetModel(const std::string& model) const;

    /**
     * @return whether sums of gradients over replicas begin before the last backward pass ends
     */
    bool OverlapsGradients() const;

    /**
     * @return whether the host may fall behind the GPU
     */
    bool HasHost() const;

    /**
     * The kernels of an operator are one, with experts one for each of them; data that is moved
     * before takes as many of its own.
     *
     * @param op an operator
     * @param share the share of its experts that a GPU has
     * @return the time in which the host launches it, seconds
     */
    double GetHostSeconds(const Operator& op, double share) const;

  private:
    std::string m_name;            //!< Its name, with options
    std::string m_description;     //!< Its description
    ModelOptions m_options;        //!< The options
    std::vector<Origin> m_origins; //!< The options of the preset
};

} // namespace lightpath
} // namespace ns3

#endif /* FRAMEWORK_H */
