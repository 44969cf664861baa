/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_COST_H
#define NETWORK_COST_H

#include "bill-of-materials.h"
#include "component-table.h"
#include "cost-report.h"

#include "ns3/object.h"

#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Adds up what a network draws and costs.
 *
 * Components draw the same power whether they carry data or not: lasers shine while circuits are
 * dark, and links send idle symbols.
 */
class NetworkCost : public Object
{
  public:
    /// Optics in the ports of electrical switches.
    enum Optics
    {
        PLUGGABLE,  //!< Transceivers in front of a switch
        CO_PACKAGED //!< Optics in the package of a switch
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param table power and price of components, in place of those of the library
     */
    void SetTable(const ComponentTable& table);

    /**
     * Estimate what a network costs. std::invalid_argument refuses components without power or
     * price, and GPUs without power.
     *
     * @param bill the components of the network
     * @param accelerator the name of the GPUs
     * @param gpus the number of GPUs
     * @return the estimate
     */
    CostReport Estimate(const BillOfMaterials& bill,
                        const std::string& accelerator,
                        uint32_t gpus) const;

  private:
    ComponentTable m_table; //!< Power and price of components
    Optics m_optics;        //!< Optics in the ports of electrical switches
    double m_lifeYears;     //!< Years in which prices are paid
    double m_overhead;      //!< Power of a data centre over that of its computers and networks
    double m_tariff;        //!< Price of electricity, US dollars a kWh
    double m_idleShare;     //!< Power of a GPU that waits, over that of one that computes
};

} // namespace lightpath
} // namespace ns3

#endif /* NETWORK_COST_H */
