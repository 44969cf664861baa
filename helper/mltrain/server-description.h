/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_DESCRIPTION_H
#define SERVER_DESCRIPTION_H

#include "fabric-description.h"

#include "ns3/application-container.h"
#include "ns3/bill-of-materials.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/training-plan.h"

#include <memory>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes servers, and the interconnects between them.
 */
class ServerDescription : public DescriptionOf<ServerHelper>
{
  public:
    /**
     * @param fabric the helper of the fabric, which must outlive this object
     */
    explicit ServerDescription(const ServerHelper& fabric);

    /**
     * @param nNodes the number of GPUs
     * @return the properties of one interconnect between servers, with those of the servers
     */
    FabricLimits GetLimits(uint32_t nNodes) const override;

    /**
     * @param nNodes the number of GPUs
     * @return the components of all interconnects between servers, and the links inside
     */
    BillOfMaterials GetBill(uint32_t nNodes) const override;

    void ConfigureJob(TrainingHelper& training) const override;
    ApplicationContainer InstallJob(const TrainingHelper& training,
                                    TrainingPlan plan,
                                    const NetDeviceContainer& devices) const override;

  private:
    std::unique_ptr<FabricDescription> m_outside; //!< The interconnects between servers
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_DESCRIPTION_H */
