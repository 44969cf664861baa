/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FABRIC_REFUSALS_H
#define LIGHTPATH_FABRIC_REFUSALS_H

#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The fabrics of a comparison that are refused, each with its reason. The others go on.
 */
class FabricRefusals
{
  public:
    /**
     * @param names the fabrics, each of which a transport may follow
     * @param isComparison whether a refusal concerns its fabric alone; it ends the program
     * otherwise
     */
    FabricRefusals(std::vector<std::string> names, bool isComparison)
        : m_names(std::move(names)),
          m_isComparison(isComparison)
    {
    }

    /**
     * Do a step for a fabric, unless it is refused.
     *
     * @tparam F the type of the step
     * @param name the fabric
     * @param step the step, whose exception refuses the fabric; the last one that is left ends by
     * an exception
     * @return true if the step is done
     */
    template <typename F>
    bool Try(const std::string& name, F step)
    {
        if (m_sentences.count(name) > 0)
        {
            return false;
        }
        try
        {
            step();
            return true;
        }
        catch (const std::exception& error)
        {
            Add(name, error.what());
        }
        return false;
    }

    /**
     * Refuse a fabric, by std::invalid_argument if it is the last one that is left.
     *
     * @param name the fabric
     * @param sentence the reason
     */
    void Add(const std::string& name, const std::string& sentence)
    {
        m_sentences[name] = sentence;
        if (m_isComparison && !GetAccepted().empty())
        {
            return;
        }
        // What all refuse alike has nothing to do with the fabric
        std::string list;
        bool isAlike = true;
        for (const auto& [refused, reason] : m_sentences)
        {
            isAlike = isAlike && reason == sentence;
            list += (list.empty() ? "" : "; ") + refused + ": " + reason;
        }
        throw std::invalid_argument(isAlike ? sentence : list);
    }

    /**
     * @param name a fabric
     * @return why it is refused; empty if it is not
     */
    std::string Get(const std::string& name) const
    {
        const auto found = m_sentences.find(name);
        return found == m_sentences.end() ? "" : found->second;
    }

    /**
     * @return the fabrics that are not refused, in their order
     */
    std::vector<std::string> GetAccepted() const
    {
        std::vector<std::string> accepted;
        for (const auto& name : m_names)
        {
            if (m_sentences.count(name) == 0)
            {
                accepted.push_back(name);
            }
        }
        return accepted;
    }

  private:
    std::vector<std::string> m_names;               //!< All fabrics
    bool m_isComparison;                            //!< Whether the others go on
    std::map<std::string, std::string> m_sentences; //!< The reasons, by fabric
};

#endif /* LIGHTPATH_FABRIC_REFUSALS_H */
