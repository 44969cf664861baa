/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_DESCRIPTION_H
#define FABRIC_DESCRIPTION_H

#include "ns3/application-container.h"
#include "ns3/bill-of-materials.h"
#include "ns3/interconnect-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace lightpath
{

class TrainingHelper;

/**
 * @ingroup lightpath
 * @brief What an interconnect is to a training job: its limits for planners, its components, and
 * the way in which a job is installed on it.
 *
 * An abstract base class with a child class for each family of interconnects.
 */
class FabricDescription
{
  public:
    /// Makes the description of an interconnect, or null if it is of another family.
    using Maker = std::unique_ptr<FabricDescription> (*)(const InterconnectHelper& fabric);

    /**
     * Describe an interconnect. One of an unknown family ends the program.
     *
     * @param fabric the helper of the interconnect, which must outlive the result
     * @return its description
     */
    static std::unique_ptr<FabricDescription> Create(const InterconnectHelper& fabric);

    /**
     * Add a family of interconnects, which is asked before those that are known.
     *
     * @param maker makes its descriptions
     */
    static void Register(Maker maker);

    virtual ~FabricDescription() = default;

    /**
     * @param nNodes the number of nodes
     * @return the properties of the interconnect over these nodes that a planner needs. An
     *         interconnect that cannot be installed over them ends the program with the sentence
     *         of InterconnectHelper::Check().
     */
    virtual FabricLimits GetLimits(uint32_t nNodes) const = 0;

    /**
     * @param nNodes the number of nodes
     * @return the components of the interconnect over these nodes. An interconnect whose components
     *         are not known, as is the default, refuses by std::invalid_argument.
     */
    virtual BillOfMaterials GetBill(uint32_t nNodes) const;

    /**
     * Set up what carries the messages of a job, before it is installed; nothing by default.
     *
     * @param [in,out] training the helper that installs the job
     */
    virtual void ConfigureJob(TrainingHelper& training) const
    {
    }

    /**
     * Install a job, and the control of its circuits, in the way that suits the interconnect.
     *
     * @param training the helper that installs it
     * @param plan the plan, with a rank for each node
     * @param devices devices that InterconnectHelper::Install() returned
     * @return the applications, in the order of the ranks
     */
    virtual ApplicationContainer InstallJob(const TrainingHelper& training,
                                            TrainingPlan plan,
                                            const NetDeviceContainer& devices) const;

    /**
     * Let circuits follow a job that has been installed without their controller; nothing by
     * default, where the controller is that of the job.
     *
     * @param applications the applications of the job
     * @param devices devices that InterconnectHelper::Install() returned
     * @param rail the number of this interconnect among those between servers
     */
    virtual void FollowJob(const ApplicationContainer& applications,
                           const NetDeviceContainer& devices,
                           uint32_t rail) const
    {
    }

  protected:
    /**
     * @param fabric the helper of the interconnect
     */
    explicit FabricDescription(const InterconnectHelper& fabric)
        : m_interconnect(fabric)
    {
    }

    /**
     * End the program if the interconnect cannot be installed.
     *
     * @param nNodes the number of nodes
     */
    void RequireValid(uint32_t nNodes) const
    {
        m_interconnect.RequireValid(nNodes);
    }

  private:
    const InterconnectHelper& m_interconnect; //!< The interconnect
};

/**
 * @ingroup lightpath
 * @brief A description that knows the class of the helper.
 *
 * @tparam Helper the class of the helper
 * @tparam Base what describes all interconnects of its family
 */
template <typename Helper, typename Base = FabricDescription>
class DescriptionOf : public Base
{
  public:
    /**
     * @param fabric the helper of the interconnect, which must outlive this object
     */
    explicit DescriptionOf(const Helper& fabric)
        : Base(fabric),
          m_fabric(fabric)
    {
    }

  protected:
    const Helper& m_fabric; //!< The helper of the interconnect
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_DESCRIPTION_H */
