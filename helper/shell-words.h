/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHELL_WORDS_H
#define SHELL_WORDS_H

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The words of a line as a shell reads them: separated by blanks, with quotes ('...' as it
 * is, "..." with a backslash before " and \\) and backslashes, and with comments after a # that
 * begins a word. Nothing else has a meaning: no variables, no braces, no file names.
 */
class ShellWords
{
  public:
    /**
     * Split a line. A quote that is not closed is refused by std::invalid_argument.
     *
     * @param line the line
     * @return its words
     */
    static std::vector<std::string> Split(const std::string& line);

    /**
     * @param word a word
     * @return it so that a POSIX shell reads it as one word, without quotes if it needs none
     */
    static std::string Quote(const std::string& word);
};

} // namespace lightpath
} // namespace ns3

#endif /* SHELL_WORDS_H */
