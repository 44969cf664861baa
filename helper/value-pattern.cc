/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "value-pattern.h"

#include "value-range.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Groups within groups.
constexpr int MOST_DEPTH = 20;

/// Reads a text from its beginning to its end.
class PatternReader
{
  public:
    /**
     * @param text the text
     */
    explicit PatternReader(const std::string& text)
        : m_text(text)
    {
    }

    /**
     * Read up to the end of the text or, in a group, of an item.
     *
     * @param depth the number of groups around
     * @return what it stands for
     */
    std::vector<std::string> ReadSequence(int depth)
    {
        std::vector<std::string> texts{""};
        for (; m_at < m_text.size(); ++m_at)
        {
            const char next = m_text[m_at];
            if (depth > 0 && (next == ',' || next == '}'))
            {
                break;
            }
            if (next == '}')
            {
                Refuse("closes a group that is not open: write lists like {a,b}");
            }
            if (next == '{')
            {
                texts = Combine(texts, ReadGroup(depth + 1));
                continue;
            }
            for (auto& text : texts)
            {
                text += next;
            }
        }
        return texts;
    }

  private:
    /**
     * Refuse the text.
     *
     * @param reason why, with what would be right
     */
    [[noreturn]] void Refuse(const std::string& reason) const
    {
        throw std::invalid_argument("'" + m_text + "' " + reason);
    }

    /**
     * @param heads some texts
     * @param tails others
     * @return each of the texts followed by each of the others
     */
    std::vector<std::string> Combine(const std::vector<std::string>& heads,
                                     const std::vector<std::string>& tails) const
    {
        if (heads.size() * tails.size() > ValuePattern::MOST_VALUES)
        {
            Refuse("stands for more than " + std::to_string(ValuePattern::MOST_VALUES) + " values");
        }
        std::vector<std::string> texts;
        texts.reserve(heads.size() * tails.size());
        for (const auto& head : heads)
        {
            for (const auto& tail : tails)
            {
                texts.push_back(head + tail);
            }
        }
        return texts;
    }

    /**
     * Read a group, from its opening to its closing brace.
     *
     * @param depth the number of groups around its items
     * @return what it stands for
     */
    std::vector<std::string> ReadGroup(int depth)
    {
        if (depth > MOST_DEPTH)
        {
            Refuse("has groups in more than " + std::to_string(MOST_DEPTH) + " others");
        }
        const std::size_t open = m_at;
        std::vector<std::string> texts;
        do
        {
            const std::size_t begin = ++m_at;
            auto items = ReadSequence(depth);
            if (m_at == m_text.size())
            {
                Refuse("opens a group and does not close it: write lists like {a,b}");
            }
            const std::string item = m_text.substr(begin, m_at - begin);
            if (item.find('{') == std::string::npos && ValueRange::IsRange(item))
            {
                items = ValueRange::Expand(item);
            }
            texts.insert(texts.end(), items.begin(), items.end());
        } while (m_text[m_at] == ',');
        if (m_at == open + 1)
        {
            Refuse("has an empty list: write the values between the braces, like {a,b}");
        }
        return texts;
    }

    const std::string& m_text; //!< The text
    std::size_t m_at{0};       //!< The character to be read next
};

} // namespace

std::vector<std::string>
ValuePattern::Expand(const std::string& text)
{
    return PatternReader(text).ReadSequence(0);
}

} // namespace lightpath
} // namespace ns3
