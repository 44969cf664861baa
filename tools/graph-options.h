/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_GRAPH_OPTIONS_H
#define LIGHTPATH_GRAPH_OPTIONS_H

#include "program-options.h"

#include "ns3/link-graph-helper.h"

#include <cstdint>
#include <string>
#include <vector>

/// The fabrics that are networks of links at flow level.
extern const std::vector<std::string> FLOW_NETWORKS;

/**
 * @ingroup lightpath
 * @brief The options that only networks of links at flow level have.
 */
class GraphOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Set up a network.
     *
     * @param [out] fabric the helper that installs it
     */
    void Configure(ns3::lightpath::LinkGraphHelper& fabric) const;

    /**
     * @param usual the routing of a network, unless another is asked for
     * @return its routing
     */
    std::string GetRouting(const std::string& usual) const
    {
        return m_routing.empty() ? usual : m_routing;
    }

    /**
     * @return the rails of a network that are asked for; 0 if none are
     */
    uint32_t GetRails() const
    {
        return m_rails;
    }

  private:
    std::string m_routing; //!< How pairs choose between routes
    uint32_t m_nPaths{1};  //!< Routes of a pair by hash
    uint32_t m_rails{0};   //!< Number of rails
    uint32_t m_nPorts{0};  //!< Ports of a switch of a fat tree, 0 for the least
    std::string m_file;    //!< File with the network
};

#endif /* LIGHTPATH_GRAPH_OPTIONS_H */
