/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ATTRIBUTE_OPTIONS_H
#define LIGHTPATH_ATTRIBUTE_OPTIONS_H

#include "program-options.h"

#include "ns3/attribute.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief An option that sets one attribute.
 */
struct AttributeOption
{
    std::string name;                  //!< Name of the option
    std::string attribute;             //!< Attribute, like OpticalChannel::PauseMode
    std::string fallback;              //!< Default, which leaves the attribute alone
    std::string help;                  //!< Purpose of the option
    std::vector<std::string> owners{}; //!< Fabrics, transports or planners that it belongs to
};

/**
 * @ingroup lightpath
 * @brief Options that set one attribute each. The values of an enumeration are written like
 * two-level for TwoLevel.
 *
 * An attribute whose option is not given, or is given its default, keeps its own value.
 */
class AttributeOptions
{
  public:
    /**
     * @param table the options
     */
    explicit AttributeOptions(std::vector<AttributeOption> table);

    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * @param name the name of an option
     * @param text the value that it is given
     */
    void Set(const std::string& name, const std::string& text);

    /**
     * @param name the name of an option
     * @return the text that it was given, or its default
     */
    std::string GetText(const std::string& name) const;

    /**
     * @param name the name of an option
     * @return whether it was given a value other than its default
     */
    bool IsChanged(const std::string& name) const;

    /**
     * Set the attributes whose options are given.
     *
     * @param type the type that has the attributes, without its namespace
     * @param set sets an attribute, of the name and to the value that it is called with
     */
    void Apply(
        const std::string& type,
        const std::function<void(const std::string&, const ns3::AttributeValue&)>& set) const;

  private:
    /**
     * @param name the name of an option
     * @return the option
     */
    const AttributeOption& Find(const std::string& name) const;

    /// The values that differ from the defaults: text, and value of the attribute.
    using Values = std::map<std::string, std::pair<std::string, ns3::Ptr<ns3::AttributeValue>>>;

    std::vector<AttributeOption> m_table; //!< The options
    Values m_values;                      //!< By name of the option
};

#endif /* LIGHTPATH_ATTRIBUTE_OPTIONS_H */
