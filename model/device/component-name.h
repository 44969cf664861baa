/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMPONENT_NAME_H
#define COMPONENT_NAME_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The name of a component of a fabric that can fail: a kind, indices, and for some kinds a
 * side, as in segment:3:cw.
 */
class ComponentName
{
  public:
    /// Index beyond that of any component.
    static constexpr uint32_t NO_INDEX = UINT32_MAX;

    /**
     * @param text the name, whose parts are separated by colons
     */
    explicit ComponentName(const std::string& text);

    /**
     * Compare the name with a form. If only an index is out of range, GetRefusal() will name the
     * component as missing.
     *
     * @param kind a kind of component
     * @param sizes the number of components that each index of this kind counts
     * @param side the word behind the indices; empty for none
     * @return true if the name has this form and each index is below its size
     */
    bool Is(const std::string& kind,
            const std::vector<uint32_t>& sizes,
            const std::string& side = "");

    /**
     * @param which the position of an index, from 0
     * @return the index; NO_INDEX if there is none at this position
     */
    uint32_t Get(std::size_t which) const;

    /**
     * @param forms the message for a name of none of the forms that Is() has tried
     * @return the message why Is() has found no component of this name
     */
    std::string GetRefusal(const std::string& forms) const;

  private:
    std::string m_text;               //!< The name as given
    std::string m_refusal;            //!< Sentence about an index beyond its range, if any
    std::vector<std::string> m_parts; //!< Parts of the name between the colons
};

/**
 * @ingroup lightpath
 * @brief Put an element into a set or take it out.
 *
 * @tparam T the type of the element
 * @param all the set
 * @param element the element
 * @param isIn true to put it in
 */
template <typename T>
void
SetMember(std::set<T>& all, const T& element, bool isIn)
{
    if (isIn)
    {
        all.insert(element);
    }
    else
    {
        all.erase(element);
    }
}

} // namespace lightpath
} // namespace ns3

#endif /* COMPONENT_NAME_H */
