/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLANNER_OPTIONS_H
#define LIGHTPATH_PLANNER_OPTIONS_H

#include "attribute-options.h"

#include "ns3/planner.h"

#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of planners: how a model is spread over the GPUs.
 */
class PlannerOptions
{
  public:
    PlannerOptions();

    /**
     * Make a planner with its defaults: of those that search, the one that decides everything by
     * itself; fixed is data parallelism alone.
     *
     * @param name its name; std::invalid_argument, which lists the known ones, for any other
     * @return the planner
     */
    static ns3::Ptr<ns3::lightpath::Planner> Create(const std::string& name);

    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse more tensor parallelism than a model of the zoo has attention heads.
     *
     * @param name the name of the model
     */
    void CheckModel(const std::string& name) const;

    /**
     * @return the planner
     */
    ns3::Ptr<ns3::lightpath::Planner> MakePlanner() const;

    /**
     * @return how tokens are spread over experts
     */
    ns3::lightpath::ExpertLoad GetExpertLoad() const;

    /**
     * @return what runs on the GPUs and their hosts
     */
    ns3::lightpath::Framework GetFramework() const;

    /**
     * @return whether updates wait for the norm of the gradients of all GPUs
     */
    bool HasGradientNorm() const;

    /**
     * @return the rule by which ranks get ports
     */
    const std::string& GetPlacement() const;

    /**
     * @return the name of the planner
     */
    const std::string& GetName() const;

    /**
     * Unless a planner is named, take the one that an option which is given belongs to.
     *
     * @param options the options of the program
     */
    void ChooseDefault(const ProgramOptions& options);

    /**
     * @return whether the planner finds a strategy that the fixed planner can take over
     */
    bool FindsStrategy() const;

    /**
     * @return whether options give the strategy, which is then the same on all fabrics
     */
    bool GivesStrategy() const;

  private:
    std::string m_planner{"search"};      //!< Name of the planner
    std::string m_placement{"automatic"}; //!< Rule by which ranks get ports
    std::string m_framework{"none"};      //!< Name of the framework
    bool m_gradientNorm{true};            //!< Whether updates wait for the norm of all gradients
    std::string m_expertLoad{"even"};     //!< Distribution of tokens over experts
    double m_loadCorrelation{0};          //!< Correlation of that in successive iterations
    double m_capacity{0};                 //!< Most tokens of an expert, 0 for no limit
    AttributeOptions m_attributes;        //!< Attributes of planners
};

#endif /* LIGHTPATH_PLANNER_OPTIONS_H */
