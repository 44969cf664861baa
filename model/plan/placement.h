/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLACEMENT_H
#define PLACEMENT_H

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The port of the fabric that each rank of a plan runs on.
 *
 * A plan knows ranks only, and a fabric ports only. By default a placement is linear: rank r runs
 * on port r.
 */
class Placement
{
  public:
    Placement() = default;

    /**
     * Throws std::invalid_argument unless each port from 0 on occurs once.
     *
     * @param ports the port of each rank
     * @param name the rule that it follows, for reports
     */
    explicit Placement(std::vector<uint32_t> ports, std::string name = "as given");

    /**
     * Read the ports of ranks 0, 1, 2, ..., separated by blanks, commas or ends of lines; a number
     * sign begins a comment. Throws std::invalid_argument for anything else.
     *
     * @param is the text
     * @param name the name of the text in error messages
     * @return the placement
     */
    static Placement Read(std::istream& is, const std::string& name);

    /**
     * Read() a file. Throws std::invalid_argument if it cannot be opened.
     *
     * @param path the name of the file
     * @return the placement
     */
    static Placement ReadFile(const std::string& path);

    /**
     * @return the rule that it follows, for reports
     */
    std::string GetName() const;

    /**
     * @return true if each rank runs on the port with its number
     */
    bool IsLinear() const;

    /**
     * @param rank a rank
     * @return its port
     */
    uint32_t GetPort(uint32_t rank) const;

    /**
     * @return the port of each rank; empty if the placement is linear
     */
    const std::vector<uint32_t>& GetPorts() const;

    /**
     * Throw std::invalid_argument with one sentence unless the placement suits a number of ranks.
     *
     * @param nRanks the number of ranks
     */
    void Check(std::size_t nRanks) const;

    /**
     * Throw std::invalid_argument with one sentence unless the ranks of each server keep together,
     * in their order.
     *
     * @param nRanks the number of ranks
     * @param gpus the number of successive ranks that share a server
     */
    void CheckServers(std::size_t nRanks, uint32_t gpus) const;

    /**
     * @param ranks some of the ranks
     * @return a placement of these, numbered from 0 on, whose ports are in the same order
     */
    Placement Select(const std::vector<uint32_t>& ranks) const;

    /**
     * @param other the placement compared with
     * @return true if both place all ranks alike
     */
    bool operator==(const Placement& other) const;

  private:
    std::vector<uint32_t> m_ports; //!< The port of each rank; empty if linear
    std::string m_name;            //!< The rule that it follows
};

} // namespace lightpath
} // namespace ns3

#endif /* PLACEMENT_H */
