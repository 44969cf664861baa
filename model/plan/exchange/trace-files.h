/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACE_FILES_H
#define TRACE_FILES_H

#include <cstdint>
#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The names of files of which each rank has one.
 */
class TraceFiles
{
  public:
    /**
     * @param pattern what all names begin with, before ".RANK.et"; or a name with an asterisk, or
     *        %d, for the number of the rank
     * @param rank a rank
     * @return the name of its file
     */
    static std::string GetName(const std::string& pattern, uint32_t rank);

    /**
     * @param pattern the pattern
     * @return the name of the file of the groups of ranks
     */
    static std::string GetGroupsName(const std::string& pattern);

    /**
     * Throws std::invalid_argument with one sentence if there is no such file, or if that of a rank
     * before the last one is missing.
     *
     * @param pattern the pattern
     * @return the name of the file of each rank
     */
    static std::vector<std::string> Find(const std::string& pattern);

    /**
     * Refuse a workload in the JSON form of Chakra, by std::invalid_argument.
     *
     * @param is the workload, of which the first words may be read
     */
    static void RefuseJson(std::istream& is);

  private:
    /**
     * @param pattern the pattern
     * @return the text before and behind the number
     */
    static std::pair<std::string, std::string> Split(const std::string& pattern);
};

} // namespace lightpath
} // namespace ns3

#endif /* TRACE_FILES_H */
