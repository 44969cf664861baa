/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An option of a command line, --name or --name=value.
 */
struct SweepOption
{
    std::string name;     //!< Its name, without hyphens
    std::string value;    //!< Its value, empty if there is none
    bool hasValue{false}; //!< Whether there is a value

    /**
     * Read an option. What is none, or has a blank, is refused by std::invalid_argument.
     *
     * @param word the word of a command line
     * @return the option
     */
    static SweepOption Read(const std::string& word);

    /**
     * @return it as a word of a command line
     */
    std::string GetWord() const;
};

/**
 * @ingroup lightpath
 * @brief One run of a sweep: the options that a program is called with.
 */
class SweepRun
{
  public:
    /**
     * @param options the options, in the order of the command line
     */
    explicit SweepRun(const std::vector<SweepOption>& options);

    /**
     * @return the options as words, in the order of the command line
     */
    std::vector<std::string> GetWords() const;

    /**
     * @return the options as words, in ascending order of their names; of options of the same name,
     *         as they stand on the command line: runs with the same ones do the same
     */
    std::vector<std::string> GetCanonicalWords() const;

    /**
     * @return GetHash() of the canonical words, each ended by a line feed, as 16 hexadecimal digits
     */
    std::string GetKey() const;

    /**
     * @param name the name of an option
     * @return its value, true if it has none; of several, all with commas between them; empty if
     *         the run does not have the option
     */
    std::string GetValue(const std::string& name) const;

    /**
     * @param text a text
     * @return its hash by FNV-1a (Fowler, Noll, Vo; RFC 9923), 64 bits
     */
    static uint64_t GetHash(const std::string& text);

    /**
     * @param hash a hash
     * @return it as 16 hexadecimal digits
     */
    static std::string GetDigits(uint64_t hash);

  private:
    std::vector<SweepOption> m_options; //!< The options, in the order of the command line
};

} // namespace lightpath
} // namespace ns3

#endif /* SWEEP_RUN_H */
