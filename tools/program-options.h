/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PROGRAM_OPTIONS_H
#define LIGHTPATH_PROGRAM_OPTIONS_H

#include "option-values.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of a program, grouped by subject, in front of ns3::CommandLine, which gets the
 * options that every program of ns-3 has.
 *
 * Wrong options end in std::invalid_argument. An unknown name is answered with the nearest known
 * one.
 */
class ProgramOptions
{
  public:
    /// One option.
    struct Option
    {
        std::string name;                //!< Its name
        std::string help;                //!< Its purpose
        std::string fallback;            //!< Its default
        std::vector<std::string> owners; //!< Fabrics, transports or planners that it belongs to
        bool isFlag{false};              //!< Whether it may be given without a value
        std::function<void(const std::string&)> take; //!< Takes a value
        std::string subject{};                        //!< The subject of its group
        std::string given{};                          //!< The last value that was given
        bool isGiven{false};                          //!< Whether one was given
    };

    /**
     * @param program the name of the program
     * @param usage the purpose of the program
     */
    ProgramOptions(std::string program, std::string usage);

    /**
     * Begin a group of options.
     *
     * @param subject the subject of the options that are added next
     * @param owners the fabrics, transports or planners that these belong to; empty for all
     */
    void BeginGroup(const std::string& subject, const std::vector<std::string>& owners = {});

    /// Words of an option, and the names of the values that they stand for.
    using Words = std::vector<std::pair<std::string, std::string>>;

    /**
     * State that an option sets an attribute, so that sentences can name the option.
     *
     * @param attribute the name of the attribute
     * @param option the name of the option
     * @param words the words of its values, if these have names
     */
    void NameAttribute(const std::string& attribute, const std::string& option, const Words& words);

    /**
     * @param sentence a sentence for users of the library, such as "use ZeroStage=1"
     * @return the same with the options of the program, such as "use --zero=1"
     */
    std::string NameOptions(const std::string& sentence) const;

    /**
     * @param option an option to add to the present group, to which it belongs unless it has owners
     *        of its own
     */
    void Add(Option option);

    /**
     * Add an option of text.
     *
     * @param name its name
     * @param help its purpose
     * @param [in,out] value its default, and later its value
     */
    void AddValue(const std::string& name, const std::string& help, std::string& value);

    /**
     * Add an option that is parsed as soon as it is read.
     *
     * @param name its name
     * @param help its purpose
     * @param fallback its default, which is taken at once unless it is empty
     * @param take takes a value
     */
    void AddValue(const std::string& name,
                  const std::string& help,
                  const std::string& fallback,
                  const std::function<void(const std::string&)>& take);

    /**
     * Add an option of a time.
     *
     * @param name its name
     * @param help its purpose
     * @param fallback its default
     * @param [out] value its value
     */
    void AddValue(const std::string& name,
                  const std::string& help,
                  const std::string& fallback,
                  ns3::Time& value);

    /**
     * Add an option of a whole number.
     *
     * @tparam T the type of the number
     * @param name its name
     * @param help its purpose
     * @param [in,out] value its default, and later its value
     * @param least the smallest number allowed
     * @param most the largest number allowed
     */
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    void AddValue(const std::string& name,
                  const std::string& help,
                  T& value,
                  int64_t least = INT64_MIN,
                  int64_t most = INT64_MAX)
    {
        AddValue(name, help, std::to_string(value), [=, &value](const std::string& text) {
            value = static_cast<T>(ParseNumber(name, text, least, most));
        });
    }

    /**
     * Add an option of a number.
     *
     * @param name its name
     * @param help its purpose
     * @param [in,out] value its default, and later its value
     */
    void AddValue(const std::string& name, const std::string& help, double& value);

    /**
     * Add an option that is on or off; without a value it is the opposite of its default.
     *
     * @param name its name
     * @param help its purpose
     * @param [in,out] value its default, and later its value
     */
    void AddValue(const std::string& name, const std::string& help, bool& value);

    /**
     * Add an option that is on or off; on without a value.
     *
     * @param name its name
     * @param help its purpose
     * @param [out] value its value; none if it is not given
     */
    void AddValue(const std::string& name, const std::string& help, std::optional<bool>& value);

    /**
     * Add an option that may be given again and again, with one or several values between commas.
     *
     * @param name its name
     * @param help its purpose
     * @param [out] values all values
     */
    void AddList(const std::string& name,
                 const std::string& help,
                 std::vector<std::string>& values);

    /**
     * Let an option have another name, which its help tells.
     *
     * @param name the other name
     * @param option the option, which was added
     */
    void AddAlias(const std::string& name, const std::string& option);

    /**
     * Add the options of the output: --json and --quiet.
     *
     * @param [out] json the name of a file that can be written, or "-"; empty for none
     * @param [out] quiet whether to print nothing but errors
     */
    void AddOutput(std::string& json, bool& quiet);

    /**
     * @param json the value of --json
     * @param quiet the value of --quiet
     * @return whether to print tables to the standard output
     */
    static bool HasTable(const std::string& json, bool quiet);

    /**
     * Read the options of a command line. Options that print end the program.
     *
     * @param argc the number of arguments
     * @param argv the arguments
     */
    void Parse(int argc, char* argv[]);

    /**
     * Refuse an option of a fabric, transport or planner that is not asked for, unless it has its
     * default.
     *
     * @param asked the owners of options that are asked for
     */
    void CheckOwners(const std::set<std::string>& asked) const;

    /**
     * Replace the default of an option that is not given, which depends on another option.
     *
     * @param name its name
     * @param fallback the default
     */
    void SetFallback(const std::string& name, const std::string& fallback);

    /**
     * @param name the name of an option
     * @return whether it was given
     */
    bool IsGiven(const std::string& name) const;

    /**
     * Refuse options that another one leaves without a meaning.
     *
     * @param name the name of that option
     * @param without the names, and owners, of those without a meaning
     */
    void CheckWithout(const std::string& name, const std::set<std::string>& without) const;

    /**
     * @param own the owners of options that one of several fabrics to compare asks for
     * @param all the same of each of them
     * @return the options, as they were given, that this one obeys and another one does not, with
     *         blanks between them
     */
    std::string GetSpecific(const std::set<std::string>& own,
                            const std::vector<std::set<std::string>>& all) const;

    /**
     * @param name the name of an option that was added
     * @return its value as a text: the one that was given, or its default
     */
    const std::string& GetValue(const std::string& name) const;

    /**
     * @return the program and its arguments, as they were given
     */
    const std::string& GetCommand() const;

    /**
     * Read the options and do the work of the program. An exception becomes one line on the
     * standard error.
     *
     * @param argc the number of arguments
     * @param argv the arguments
     * @param work the work
     * @return the exit code of the program: 0, or 1 after an exception
     */
    int Run(int argc, char* argv[], const std::function<void()>& work);

  private:
    /**
     * @param option an option
     * @param asked the owners of options that are asked for
     * @return whether it belongs to one of them, or to everything
     */
    static bool IsAsked(const Option& option, const std::set<std::string>& asked);

    /**
     * Read an argument that is an option of the program.
     *
     * @param argument the argument
     * @param next the argument behind it, which is no part of it; empty for none
     * @return false if it is none
     */
    bool Take(const std::string& argument, const std::string& next);

    /**
     * Print the options by subject, in 80 columns.
     *
     * @param wanted a part of the names of the subjects to print, in large or small letters; empty
     *        for all
     */
    void PrintHelp(const std::string& wanted) const;

    /**
     * @param name the name of an option
     * @return true if what it belongs to is asked for, as CheckOwners() knows it
     */
    bool IsObeyed(const std::string& name) const;

    /// The option that sets an attribute.
    struct NamedOption
    {
        std::string option; //!< Its name
        Words words;        //!< Its words
    };

    std::map<std::string, NamedOption> m_attributes; //!< Options by attribute
    std::map<std::string, std::string> m_aliases;    //!< Options by other names
    mutable std::set<std::string> m_asked;           //!< Owners of options that are asked for

    std::string m_program;             //!< Name of the program
    std::string m_usage;               //!< Purpose of the program
    std::string m_command;             //!< The program and its arguments
    std::string m_subject{"Options"};  //!< Subject of the present group
    std::vector<std::string> m_owners; //!< Owners of its options
    std::vector<Option> m_options;     //!< The options
};

#endif /* LIGHTPATH_PROGRAM_OPTIONS_H */
