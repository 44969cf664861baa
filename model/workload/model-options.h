/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MODEL_OPTIONS_H
#define MODEL_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The options of a model, such as its number of layers, by name.
 *
 * Each option has a value from the outset. An unknown option or an impossible value is refused by
 * std::invalid_argument, which names the model and the possible ones.
 */
class ModelOptions
{
  public:
    /// One option.
    struct Option
    {
        std::string name;                 //!< Its name
        std::string value;                //!< Its value
        std::string description;          //!< Its meaning, with its unit
        std::vector<std::string> choices; //!< The values that it can have; none for a whole number
        uint64_t least{1};                //!< The least number that it can be
    };

    /**
     * @param model the name of the model, for messages
     */
    explicit ModelOptions(std::string model = "");

    /**
     * Declare an option that is a whole number.
     *
     * @param name its name
     * @param value its initial value
     * @param description its meaning, with its unit
     * @param least the least value that it can have
     */
    void Declare(const std::string& name,
                 uint64_t value,
                 const std::string& description,
                 uint64_t least = 1);

    /**
     * Declare an option that is one of several words.
     *
     * @param name its name
     * @param value its initial value
     * @param description its meaning
     * @param choices the values that it can have
     */
    void Declare(const std::string& name,
                 const std::string& value,
                 const std::string& description,
                 std::vector<std::string> choices);

    /**
     * @param name the name of an option
     * @param value its new value
     */
    void Set(const std::string& name, const std::string& value);

    /**
     * @param text options as "name=value,name=value"; nothing if empty
     */
    void Parse(const std::string& text);

    /**
     * @param name the name of an option that is a whole number
     * @return its value
     */
    uint64_t GetNumber(const std::string& name) const;

    /**
     * @param name the name of an option
     * @return its value
     */
    const std::string& Get(const std::string& name) const;

    /**
     * @return the options in the order in which they were declared
     */
    const std::vector<Option>& GetOptions() const;

    /**
     * @return the name of the model
     */
    const std::string& GetModel() const;

  private:
    /**
     * @param name the name of an option
     * @return its index
     */
    std::size_t Find(const std::string& name) const;

    std::string m_model;           //!< Name of the model
    std::vector<Option> m_options; //!< The options
};

} // namespace lightpath
} // namespace ns3

#endif /* MODEL_OPTIONS_H */
