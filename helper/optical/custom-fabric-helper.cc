/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "custom-fabric-helper.h"

#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @ingroup lightpath
 * @brief Lets a function decide on circuits.
 */
class FunctionAllocator : public CircuitAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param decision the function
     * @param nPorts the number of ports of the fabric
     */
    void Set(CustomFabricHelper::Decision decision, uint32_t nPorts)
    {
        m_decision = std::move(decision);
        m_nPorts = nPorts;
    }

    uint32_t GetNPorts() const override
    {
        return m_nPorts;
    }

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override
    {
        return Assess(m_decision(demand), demand, std::numeric_limits<double>::infinity());
    }

    CustomFabricHelper::Decision m_decision; //!< The function
    uint32_t m_nPorts{0};                    //!< Number of ports of the fabric
};

NS_OBJECT_ENSURE_REGISTERED(FunctionAllocator);

TypeId
FunctionAllocator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::FunctionAllocator")
                            .SetParent<CircuitAllocator>()
                            .SetGroupName("Lightpath")
                            .HideFromDocumentation()
                            .AddConstructor<FunctionAllocator>();
    return tid;
}

} // namespace

CustomFabricHelper::CustomFabricHelper(const std::string& channelType,
                                       DataRate bandwidth,
                                       Decision decision)
    : CircuitFabricHelper(channelType, FunctionAllocator::GetTypeId().GetName(), bandwidth),
      m_decision(std::move(decision))
{
}

void
CustomFabricHelper::SetPlanes(std::shared_ptr<const CircuitPlanes> planes)
{
    m_planes = std::move(planes);
}

void
CustomFabricHelper::ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const
{
    const auto ours = DynamicCast<FunctionAllocator>(allocator);
    if (ours)
    {
        ours->Set(m_decision, nNodes);
    }
}

void
CustomFabricHelper::Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const
{
}

std::string
CustomFabricHelper::PrepareScheduler(Ptr<CircuitScheduler> scheduler, uint32_t nNodes) const
{
    if (!m_planes)
    {
        return "A " + scheduler->GetInstanceTypeId().GetName() +
               " must know which circuits of this fabric fit at once: call "
               "CustomFabricHelper::SetPlanes()";
    }
    scheduler->SetPlanes(m_planes);
    return "";
}

uint32_t
CustomFabricHelper::GetDegree() const
{
    return GetNCircuits();
}

uint32_t
CustomFabricHelper::GetNCircuits() const
{
    return GetBandwidth().GetBitRate() / GetWavelengthRate().GetBitRate();
}

} // namespace lightpath
} // namespace ns3
