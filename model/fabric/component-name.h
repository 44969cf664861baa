/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMPONENT_NAME_H
#define COMPONENT_NAME_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The name of a component of a fabric that can fail: a kind, indices, perhaps a side, as in
 * segment:3:cw.
 */
class ComponentName
{
  public:
    /**
     * @param text the name, whose parts are separated by colons
     */
    explicit ComponentName(const std::string& text);

    /**
     * @param kind a kind of component
     * @param indices the number of indices that this kind has
     * @param side the word behind the indices; empty for none
     * @return true if the name is of this form
     */
    bool Is(const std::string& kind, std::size_t indices, const std::string& side = "") const;

    /**
     * @param which which of the indices of a name of the form that Is() found, from 0
     * @param size the number of components there are; std::invalid_argument if the index is not
     *        below it
     * @return the index
     */
    uint32_t Get(std::size_t which, uint32_t size) const;

  private:
    std::string m_text;               //!< The name as given
    std::vector<std::string> m_parts; //!< What stands between the colons
};

} // namespace lightpath
} // namespace ns3

#endif /* COMPONENT_NAME_H */
