/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_COMPONENTS_H
#define CLUSTER_COMPONENTS_H

#include "model/cluster/cluster-run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class InterconnectHelper;

/**
 * @ingroup lightpath
 * @brief How often the components of a cluster fail: mean times between failures in years, 0 for
 * components that do not fail.
 */
struct ClusterReliability
{
    /**
     * Throws std::invalid_argument for an unknown name.
     *
     * @param name none; llama-3: 419 unexpected interruptions of a training of Llama 3 405B on
     *        16384 GPUs in 54 days, by their causes (Grattafiori et al., The Llama 3 Herd of
     *        Models, 2024); or rsc-1: 6.50 failures in 1000 days of a server (Kokolis et al.,
     *        Revisiting Reliability in Large-Scale Machine Learning Research Clusters, HPCA 2025)
     * @return the times
     */
    static ClusterReliability Create(const std::string& name);

    double gpuYears{0};     //!< Of a GPU with its memory
    double serverYears{0};  //!< Of a server besides its GPUs
    double linkYears{0};    //!< Of a link: fibres or cables with their ports and transceivers
    double switchYears{0};  //!< Of a switch
    uint32_t serverGpus{8}; //!< Successive GPUs of a server
};

/**
 * @ingroup lightpath
 * @brief List the components of a cluster.
 *
 * Links are one for each port of the electrical switch or a network of links, the fibres to each
 * switch of SiP-OCS, and the fibres of each direction of each segment of SiP-Ring. Switches are the
 * leaves of a network of links and those of SiP-OCS; the electrical switch is ideal. Circuits
 * bypass links and switches; in an electrical fabric the ports that need them wait for their
 * repair. Throws std::invalid_argument if links or switches fail in a fabric of circuits that is
 * not known, or that decides on circuits again and again.
 *
 * @param fabric installs the fabric
 * @param ports the number of its ports
 * @param isBypassing whether circuits are switched past components that have failed
 * @param reliability how often components fail
 * @return the components
 */
std::vector<ClusterComponent> ListClusterComponents(const InterconnectHelper& fabric,
                                                    uint32_t ports,
                                                    bool isBypassing,
                                                    const ClusterReliability& reliability);

} // namespace lightpath
} // namespace ns3

#endif /* CLUSTER_COMPONENTS_H */
