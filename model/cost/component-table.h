/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMPONENT_TABLE_H
#define COMPONENT_TABLE_H

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>

namespace ns3
{
namespace lightpath
{

class JsonValue;

/**
 * @ingroup lightpath
 * @brief A number about a component, with its origin.
 */
struct ComponentFigure
{
    double value{0};        //!< The number
    uint32_t year{0};       //!< Year that it is of
    std::string confidence; //!< One of AcceleratorFile::GetConfidences()
    std::string source;     //!< Where it is from
};

/**
 * @ingroup lightpath
 * @brief What a component draws and costs.
 */
struct Component
{
    std::string description;              //!< The component in a few words
    std::optional<ComponentFigure> watts; //!< Its power, W
    std::optional<ComponentFigure> price; //!< Its price, US dollars
};

/**
 * @ingroup lightpath
 * @brief Power and price of components by name.
 *
 * The file data/components.json, which the build makes part of the library, has them:
 *
 *     {"format": "lightpath-components", "version": 1,
 *      "components": [
 *        {"name": "transceiver-400g", "description": "Pluggable transceiver of 400 Gb/s",
 *         "watts": {"value": 9, "year": 2024, "confidence": "recalled", "source": "..."},
 *         "price": {"value": 659, "year": 2025, "confidence": "published", "source": "..."}}]}
 *
 * The power of lasers, modulators and micro-rings follows from OpticalSource, OpticalModulator and
 * MicroringFilter. Another file replaces the figures that it states; it can add GPUs, whose names
 * begin with gpu-, and nothing else. A faulty file is refused by std::invalid_argument.
 */
class ComponentTable
{
  public:
    ComponentTable();

    /**
     * @param name the name of a file that replaces figures
     */
    void ReadFile(const std::string& name);

    /**
     * @param input the text of a file that replaces figures
     * @param name the name of the text in sentences
     */
    void Read(std::istream& input, const std::string& name);

    /**
     * @param name the name of a component
     * @return the component; null if there is none
     */
    const Component* Find(const std::string& name) const;

    /**
     * @return all components by name
     */
    const std::map<std::string, Component>& GetAll() const;

  private:
    /**
     * Add the power of elements that have classes of their own.
     */
    void AddElements();

    /**
     * @param input the text of a file
     * @param name the name of the text in sentences
     * @param isOwn whether it is the file of the library, which may have any components
     */
    void Take(std::istream& input, const std::string& name, bool isOwn);

    std::map<std::string, Component> m_components; //!< Components by name
};

} // namespace lightpath
} // namespace ns3

#endif /* COMPONENT_TABLE_H */
