/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HYBRID_DESCRIPTION_H
#define HYBRID_DESCRIPTION_H

#include "fabric-description.h"

#include "ns3/application-container.h"
#include "ns3/bill-of-materials.h"
#include "ns3/hybrid-helper.h"
#include "ns3/mixnet-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <memory>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes an optical fabric and an electrical network beside it.
 */
class HybridDescription : public DescriptionOf<HybridHelper>
{
  public:
    /**
     * @param fabric the helper of the fabric, which must outlive this object
     */
    explicit HybridDescription(const HybridHelper& fabric);

    FabricLimits GetLimits(uint32_t nNodes) const override;
    BillOfMaterials GetBill(uint32_t nNodes) const override;
    void ConfigureJob(TrainingHelper& training) const override;
    ApplicationContainer InstallJob(const TrainingHelper& training,
                                    TrainingPlan plan,
                                    const NetDeviceContainer& devices) const override;

  protected:
    /**
     * @return the description of the optical fabric
     */
    const FabricDescription& GetOptical() const
    {
        return *m_optical;
    }

  private:
    std::unique_ptr<FabricDescription> m_optical;    //!< The optical fabric
    std::unique_ptr<FabricDescription> m_electrical; //!< The network beside it
};

/**
 * @ingroup lightpath
 * @brief Describes the regions of MixNet, with their circuit switches, and its network.
 */
class MixNetDescription : public DescriptionOf<MixNetHelper, HybridDescription>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;
    BillOfMaterials GetBill(uint32_t nNodes) const override;
    ApplicationContainer InstallJob(const TrainingHelper& training,
                                    TrainingPlan plan,
                                    const NetDeviceContainer& devices) const override;
    void FollowJob(const ApplicationContainer& applications,
                   const NetDeviceContainer& devices,
                   uint32_t rail) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* HYBRID_DESCRIPTION_H */
