/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-options.h"

#include "large-pages.h"
#include "model/base/nearest-name.h"
#include "model/parallel/process-group.h"
#include "output-files.h"

#include "ns3/command-line.h"
#include "ns3/global-value.h"

#include <algorithm>
#include <cctype>
#include <fcntl.h>
#include <iomanip>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The options that print something of ns-3 and end the program.
const std::vector<std::string> PRINTING = {"PrintGlobals",
                                           "PrintGroups",
                                           "PrintGroup",
                                           "PrintTypeIds",
                                           "PrintAttributes",
                                           "PrintVersion",
                                           "version"};

/**
 * @param name a name
 * @return the global value of ns-3 of that name, or null
 */
const GlobalValue*
FindGlobal(const std::string& name)
{
    const auto found = std::find_if(GlobalValue::Begin(), GlobalValue::End(), [&](auto* value) {
        return value->GetName() == name;
    });
    return found == GlobalValue::End() ? nullptr : *found;
}

/**
 * @param name the name of an option that is on or off
 * @param text its value
 * @return whether it is on
 */
bool
ParseFlag(const std::string& name, const std::string& text)
{
    return ParseWord(name, text, {{"true", "1"}, {"false", ""}, {"1", "1"}, {"0", ""}}) == "1";
}

/**
 * Refuse a value that the default of an attribute or a global value of ns-3 cannot have.
 *
 * @param name the name of the option
 * @param value the value
 * @return false if ns-3 has no such option
 */
bool
CheckOfNs3(const std::string& name, const std::string& value)
{
    const auto colons = name.rfind("::");
    TypeId type;
    if (colons != std::string::npos && TypeId::LookupByNameFailSafe(name.substr(0, colons), &type))
    {
        ParseAttribute(type, name.substr(colons + 2) + "=" + value);
        return true;
    }
    const GlobalValue* const global = FindGlobal(name);
    if (global && !MakeValue(global->GetChecker(), value))
    {
        throw std::invalid_argument("'" + value + "' is no value of --" + name + ": " +
                                    global->GetHelp());
    }
    return global || std::find(PRINTING.begin(), PRINTING.end(), name) != PRINTING.end();
}

/// The columns of a terminal that the help is for.
constexpr std::size_t COLUMNS = 80;

/**
 * @param begin the begin of the first line; the other ones are indented as far
 * @param text words with blanks between
 * @return lines of at most COLUMNS, where words allow
 */
std::string
Wrap(const std::string& begin, const std::string& text)
{
    std::string lines;
    std::string line = begin;
    std::istringstream words(text);
    for (std::string word; words >> word;)
    {
        const bool isFirst = line.size() <= begin.size();
        if (!isFirst && line.size() + 1 + word.size() > COLUMNS)
        {
            lines += line + "\n";
            line = std::string(begin.size(), ' ') + word;
            continue;
        }
        line += (isFirst ? "" : " ") + word;
    }
    return lines + line + "\n";
}

/**
 * @param name a name that no option has
 * @param names the names of all options
 * @return the options of which it is the last words, such as prefillGpus for gpus, or the nearest
 */
std::string
FindLike(const std::string& name, const std::vector<std::string>& names)
{
    std::string words = name;
    std::transform(words.begin(),
                   std::next(words.begin(), words.empty() ? 0 : 1),
                   words.begin(),
                   [](unsigned char letter) { return std::toupper(letter); });
    std::string like;
    for (const auto& each : names)
    {
        if (!words.empty() && each.size() > words.size() &&
            each.compare(each.size() - words.size(), words.size(), words) == 0)
        {
            like += (like.empty() ? "--" : " and --") + each;
        }
    }
    return like.empty() ? "the nearest is --" + FindNearest(name, names)
                        : "similar ones are " + like;
}

} // namespace

ProgramOptions::ProgramOptions(std::string program, std::string usage)
    : m_program(std::move(program)),
      m_usage(std::move(usage))
{
}

void
ProgramOptions::BeginGroup(const std::string& subject, const std::vector<std::string>& owners)
{
    m_subject = subject;
    m_owners = owners;
}

void
ProgramOptions::Add(Option option)
{
    option.subject = m_subject;
    option.owners = option.owners.empty() ? m_owners : option.owners;
    m_options.push_back(std::move(option));
}

void
ProgramOptions::AddValue(const std::string& name, const std::string& help, std::string& value)
{
    Add({name, help, value, {}, false, [&value](const std::string& text) { value = text; }});
}

void
ProgramOptions::AddValue(const std::string& name,
                         const std::string& help,
                         const std::string& fallback,
                         const std::function<void(const std::string&)>& take)
{
    if (!fallback.empty())
    {
        take(fallback);
    }
    Add({name, help, fallback, {}, false, take});
}

void
ProgramOptions::AddValue(const std::string& name,
                         const std::string& help,
                         const std::string& fallback,
                         Time& value)
{
    AddValue(name, help, fallback, [&value](const std::string& text) { value = ParseTime(text); });
}

void
ProgramOptions::AddValue(const std::string& name, const std::string& help, double& value)
{
    std::ostringstream fallback;
    fallback << value;
    AddValue(name, help, fallback.str(), [name, &value](const std::string& text) {
        std::istringstream words(text);
        if (!(words >> value) || words.peek() != std::char_traits<char>::eof())
        {
            throw std::invalid_argument("--" + name + "=" + text + " must be a number, like 0.5");
        }
    });
}

void
ProgramOptions::AddValue(const std::string& name, const std::string& help, bool& value)
{
    Add({name, help, value ? "true" : "false", {}, true, [name, &value](const std::string& text) {
             value = ParseFlag(name, text);
         }});
}

void
ProgramOptions::AddValue(const std::string& name,
                         const std::string& help,
                         std::optional<bool>& value)
{
    Add({name, help, "", {}, true, [name, &value](const std::string& text) {
             value = ParseFlag(name, text);
         }});
}

void
ProgramOptions::AddList(const std::string& name,
                        const std::string& help,
                        std::vector<std::string>& values)
{
    Add({name, help, "", {}, false, [&values](const std::string& text) {
             const auto more = SplitList(text);
             values.insert(values.end(), more.begin(), more.end());
         }});
}

void
ProgramOptions::AddAlias(const std::string& name, const std::string& option)
{
    m_aliases[name] = option;
    std::find_if(m_options.begin(), m_options.end(), [&option](const auto& each) {
        return each.name == option;
    })->help += ", also --" + name;
}

void
ProgramOptions::AddOutput(std::string& json, bool& quiet)
{
    BeginGroup("Output");
    AddValue("json",
             "File for the results as JSON; - for standard output",
             "",
             [&json](const std::string& text) {
                 CheckWritable(text);
                 json = text;
             });
    AddValue("quiet", "Print nothing but errors", quiet);
}

bool
ProgramOptions::HasTable(const std::string& json, bool quiet)
{
    // What reads JSON from a pipe wants nothing else there
    return !quiet && json != "-";
}

const std::string&
ProgramOptions::GetValue(const std::string& name) const
{
    const auto option = std::find_if(m_options.begin(), m_options.end(), [&name](const auto& each) {
        return each.name == name;
    });
    NS_ASSERT_MSG(option != m_options.end(), "There is no option --" << name);
    return option->isGiven ? option->given : option->fallback;
}

void
ProgramOptions::SetFallback(const std::string& name, const std::string& fallback)
{
    for (auto& option : m_options)
    {
        if (option.name == name && !option.isGiven)
        {
            option.fallback = fallback;
            option.take(fallback);
        }
    }
}

const std::string&
ProgramOptions::GetCommand() const
{
    return m_command;
}

bool
ProgramOptions::Take(const std::string& argument, const std::string& next)
{
    const auto equals = std::min(argument.find('='), argument.size());
    std::string name = argument.substr(2, equals - 2);
    const auto alias = m_aliases.find(name);
    name = alias == m_aliases.end() ? name : alias->second;
    const auto option = std::find_if(m_options.begin(), m_options.end(), [&name](const auto& each) {
        return each.name == name;
    });
    if (option == m_options.end())
    {
        return false;
    }
    if (equals == argument.size() && !option->isFlag)
    {
        const std::string value = next.empty() || next[0] == '-' ? "VALUE" : next;
        throw std::invalid_argument("--" + name + " needs a value: write --" + name + "=" + value);
    }
    option->isGiven = true;
    option->given = equals < argument.size()     ? argument.substr(equals + 1)
                    : option->fallback == "true" ? "false"
                                                 : "true";
    option->take(option->given);
    return true;
}

void
ProgramOptions::Parse(int argc, char* argv[])
{
    std::vector<std::string> arguments = {m_program};
    m_command = m_program;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const bool isWord = argument.find_first_of(" \t'\"\\") == std::string::npos;
        // Within quotes of a shell, a quote ends them, is escaped, and begins them again
        m_command +=
            " " + (isWord ? argument
                          : "'" + std::regex_replace(argument, std::regex("'"), "'\\''") + "'");
        if (argument == "-h" || argument == "--PrintHelp" || argument.substr(0, 7) == "--help=" ||
            argument == "--help")
        {
            PrintHelp(argument.substr(0, 7) == "--help=" ? argument.substr(7) : "");
            CheckOutput();
            std::exit(0);
        }
        if (argument.compare(0, 2, "--") != 0)
        {
            throw std::invalid_argument("'" + argument +
                                        "' is not an option: write --option=value, without spaces");
        }
        if (Take(argument, i + 1 < argc ? argv[i + 1] : ""))
        {
            continue;
        }
        const auto equals = std::min(argument.find('='), argument.size());
        const std::string name = argument.substr(2, equals - 2);
        const std::string value = argument.substr(std::min(equals + 1, argument.size()));
        if (!CheckOfNs3(name, value))
        {
            std::vector<std::string> names;
            for (const auto& option : m_options)
            {
                names.push_back(option.name);
            }
            throw std::invalid_argument("There is no option --" + name + ": " +
                                        FindLike(name, names) + ", and --help lists all of them");
        }
        arguments.push_back(argument);
    }
    // The other arguments are for ns-3, which gets all options so that it documents them
    CommandLine cmd(m_program);
    cmd.Usage(m_usage);
    std::vector<std::string> texts(m_options.size());
    for (std::size_t i = 0; i < m_options.size(); ++i)
    {
        texts[i] = m_options[i].fallback;
        cmd.AddValue(m_options[i].name, m_options[i].help, texts[i]);
    }
    cmd.Parse(arguments);
}

void
ProgramOptions::PrintHelp(const std::string& wanted) const
{
    std::size_t width = 0;
    std::vector<std::string> subjects;
    for (const auto& option : m_options)
    {
        width = std::max(width, option.name.size());
        if (std::find(subjects.begin(), subjects.end(), option.subject) == subjects.end())
        {
            subjects.push_back(option.subject);
        }
    }
    const auto isWanted = [&wanted](const std::string& subject) {
        return std::search(subject.begin(),
                           subject.end(),
                           wanted.begin(),
                           wanted.end(),
                           [](char a, char b) { return std::tolower(a) == std::tolower(b); }) !=
               subject.end();
    };
    if (std::none_of(subjects.begin(), subjects.end(), isWanted))
    {
        throw std::invalid_argument("There are no options of '" + wanted + "': the subjects are " +
                                    JoinList(subjects, " and "));
    }
    if (wanted.empty())
    {
        std::cout << m_program << " [--OPTION=VALUE]...\n\n";
        std::istringstream lines(m_usage);
        for (std::string line; std::getline(lines, line);)
        {
            std::cout << Wrap("", line);
        }
    }
    for (const auto& subject : subjects)
    {
        if (!isWanted(subject))
        {
            continue;
        }
        std::cout << (wanted.empty() || subject != subjects.front() ? "\n" : "") << subject
                  << ":\n";
        for (const auto& option : m_options)
        {
            if (option.subject == subject)
            {
                const std::string fallback =
                    option.fallback.empty() ? "" : " [" + option.fallback + "]";
                std::cout << Wrap("    --" + option.name + ": " +
                                      std::string(width - option.name.size() + 1, ' '),
                                  option.help + fallback);
            }
        }
    }
    if (wanted.empty())
    {
        std::cout
            << "\nGeneral Arguments:\n"
               "    those of every program of ns-3, such as --PrintAttributes=TYPE,\n"
               "    --PrintGlobals, --RngRun=N and --TYPE::ATTRIBUTE=VALUE, the default of an\n"
               "    attribute; --help=SUBJECT prints the options of a subject alone\n";
    }
}

bool
ProgramOptions::IsAsked(const Option& option, const std::set<std::string>& asked)
{
    return option.owners.empty() ||
           std::any_of(option.owners.begin(), option.owners.end(), [&asked](const auto& owner) {
               return asked.count(owner) > 0;
           });
}

std::string
ProgramOptions::GetSpecific(const std::set<std::string>& own,
                            const std::vector<std::set<std::string>>& all) const
{
    std::string list;
    for (const auto& option : m_options)
    {
        const bool isObeyedByAll = std::all_of(all.begin(), all.end(), [&option](const auto& each) {
            return IsAsked(option, each);
        });
        if (option.isGiven && option.given != option.fallback && IsAsked(option, own) &&
            !isObeyedByAll)
        {
            list += (list.empty() ? "--" : " --") + option.name + "=" + option.given;
        }
    }
    return list;
}

void
ProgramOptions::CheckOwners(const std::set<std::string>& asked) const
{
    m_asked = asked;
    for (const auto& option : m_options)
    {
        if (!IsAsked(option, asked) && option.isGiven && option.given != option.fallback)
        {
            throw std::invalid_argument(
                "--" + option.name + " belongs to " + JoinList(option.owners, " and ") +
                ", which " + (option.owners.size() == 1 ? "is" : "are") + " not asked for");
        }
    }
}

bool
ProgramOptions::IsGiven(const std::string& name) const
{
    return std::any_of(m_options.begin(), m_options.end(), [&name](const Option& option) {
        return option.name == name && option.isGiven;
    });
}

void
ProgramOptions::CheckWithout(const std::string& name, const std::set<std::string>& without) const
{
    for (const auto& option : m_options)
    {
        const bool isNamed =
            without.count(option.name) > 0 ||
            std::any_of(option.owners.begin(), option.owners.end(), [&](const std::string& owner) {
                return without.count(owner) > 0;
            });
        if (isNamed && option.isGiven)
        {
            throw std::invalid_argument("--" + option.name + " has no meaning with --" + name +
                                        ": leave out one of them");
        }
    }
}

bool
ProgramOptions::IsObeyed(const std::string& name) const
{
    return std::any_of(m_options.begin(), m_options.end(), [this, &name](const auto& option) {
        return option.name == name && IsAsked(option, m_asked);
    });
}

void
ProgramOptions::NameAttribute(const std::string& attribute,
                              const std::string& option,
                              const Words& words)
{
    m_attributes.try_emplace(attribute, NamedOption{option, words});
}

std::string
ProgramOptions::NameOptions(const std::string& sentence) const
{
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    const auto findEnd = [&](std::size_t begin) {
        return static_cast<std::size_t>(
            std::find_if_not(sentence.begin() + begin, sentence.end(), isLetter) -
            sentence.begin());
    };
    std::string text;
    for (std::size_t at = 0; at < sentence.size();)
    {
        const std::size_t end = std::max(findEnd(at), at + 1);
        const std::string word = sentence.substr(at, end - at);
        const auto named = m_attributes.find(word);
        const char before = at > 0 ? sentence[at - 1] : ' ';
        // One word may begin a sentence, and names may be those of types or files
        const bool isName = std::count_if(word.begin(), word.end(), ::isupper) > 1 ||
                            sentence[end] == '=' || (at > 1 && isLetter(sentence[at - 2]));
        const bool isApart = before == ' ' || before == '(';
        if (named == m_attributes.end() || !isName || !isApart || !IsObeyed(named->second.option))
        {
            text += word;
            at = end;
            continue;
        }
        text += "--" + named->second.option;
        at = end;
        // A value that is the name of a number is a word of the option
        const bool hasValue = sentence[end] == '=' || sentence[end] == ' ';
        const std::size_t last = hasValue ? findEnd(end + 1) : end;
        for (const auto& [option, value] : named->second.words)
        {
            if (hasValue && sentence.substr(end + 1, last - end - 1) == value)
            {
                text += "=" + option;
                at = last;
            }
        }
    }
    return text;
}

int
ProgramOptions::Run(int argc, char* argv[], const std::function<void()>& work)
{
    UseLargePages();
    // No file that is opened may take the place of a standard stream that is closed
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    {
        if (fcntl(stream, F_GETFD) < 0)
        {
            open("/dev/null", O_RDONLY);
        }
    }
    try
    {
        Parse(argc, argv);
        work();
        CheckOutput();
    }
    catch (const std::exception& error)
    {
        ProcessGroup::AwaitLower();
        std::cerr << m_program << ": " << NameOptions(error.what()) << std::endl;
        ProcessGroup::Abort();
        return 1;
    }
    return 0;
}
