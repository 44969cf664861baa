/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_PROFILE_H
#define OPERATOR_PROFILE_H

#include "operator-graph.h"

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

class JsonValue;

/**
 * @ingroup lightpath
 * @brief Times of operators that were measured on an accelerator, from a JSON document such as
 *
 *     {"format": "lightpath-profile", "version": 1, "accelerator": "A100",
 *      "entries": [
 *        {"operator": "layer*.attention.qkv", "batch": 1, "seconds": 23e-6},
 *        {"operator": "layer*.attention.qkv", "batch": 8, "seconds": 161e-6},
 *        {"operator": "*.update", "seconds": 210e-6}]}
 *
 * A '*' stands for any characters or none. The entries with exactly the name of an operator give
 * its time, or else the entries with the first name that matches it. Between two measured batches
 * the time is interpolated linearly; outside of them it is in proportion to the nearest one.
 * Without a batch it is the same for all batches, as for an update. A faulty document is refused by
 * std::invalid_argument in one sentence that names the path of the fault.
 */
class OperatorProfile
{
  public:
    /**
     * @param input the text
     * @param name the name of the text in sentences, such as that of its file
     * @return the profile
     */
    static OperatorProfile Read(std::istream& input, const std::string& name);

    /**
     * @param name the name of a file
     * @return the profile in it
     */
    static std::shared_ptr<const OperatorProfile> ReadFile(const std::string& name);

    /**
     * @return the accelerator that the times were measured on
     */
    const std::string& GetAccelerator() const;

    /**
     * @param name the name of an operator
     * @param samples the number of samples of its batch
     * @return the time that the whole operator takes, in seconds; none if no entry matches it
     */
    std::optional<double> GetSeconds(const std::string& name, double samples) const;

    /**
     * Refuse, by std::invalid_argument, a profile with an entry that matches no operator of a
     * model.
     *
     * @param graph the model
     */
    void Check(const OperatorGraph& graph) const;

  private:
    /// The entries of one name.
    struct Curve
    {
        std::string pattern;               //!< The name, in which '*' is any characters
        std::map<uint64_t, double> points; //!< Seconds by batch; 0 for any batch
        std::size_t place{0};              //!< Index of the first entry in the document
    };

    /**
     * @param entry an entry of the document
     */
    void TakeEntry(const JsonValue& entry);

    /**
     * @param pattern a name in which '*' is any characters
     * @param name a name
     * @return true if the name matches the pattern
     */
    static bool Matches(const std::string& pattern, const std::string& name);

    /**
     * @param name the name of an operator
     * @return the index of its entries; the index behind the last if there are none
     */
    std::size_t Find(const std::string& name) const;

    std::string m_name;          //!< Name of the document
    std::size_t m_nEntries{0};   //!< Number of entries
    std::string m_accelerator;   //!< Accelerator that the times were measured on
    std::vector<Curve> m_curves; //!< The entries, by name
    std::unordered_map<std::string, std::size_t> m_exact; //!< Indices of the names
    std::vector<std::size_t> m_patterns;                  //!< Indices of the names with a '*'
    mutable std::unordered_map<std::string, std::size_t> m_found; //!< Results of Find()
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_PROFILE_H */
