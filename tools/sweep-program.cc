/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep-program.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

/// The exit code of a process that did not become a program.
constexpr int NO_PROGRAM = 127;

/// Options of the program that do not belong into a sweep, and why.
const std::map<std::string, std::string> RESERVED{
    {"json", "a sweep reads the JSON of each run itself: give --out for the results"},
    {"quiet", "a sweep has each run quiet"},
    {"compare", "a row is for one fabric: give --fabric a list, like --fabric={sip-ring,sip-ocs}"},
};

/**
 * @param text some lines
 * @param begin how a line begins
 * @return the rest of the first line that does; empty if none does
 */
std::string
FindLine(const std::string& text, const std::string& begin)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        if (line.compare(0, begin.size(), begin) == 0)
        {
            return line.substr(begin.size());
        }
    }
    return "";
}

/**
 * @param text some lines
 * @return the first that is not empty
 */
std::string
GetFirstLine(const std::string& text)
{
    const std::size_t begin = std::min(text.find_first_not_of("\n"), text.size());
    return text.substr(begin, text.find('\n', begin) - begin);
}

/**
 * @param status the status of a process
 * @param said what it said last, empty for nothing
 * @return how it ended, for a sentence
 */
std::string
Describe(int status, const std::string& said)
{
    const std::string end = WIFSIGNALED(status)
                                ? "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                                      strsignal(WTERMSIG(status)) + ")"
                                : "ended with exit code " + std::to_string(WEXITSTATUS(status));
    return end + (said.empty() ? "" : ": " + said);
}

} // namespace

SweepProgram::SweepProgram(const std::string& path)
    : m_path(path)
{
    const std::string help = Ask("--PrintHelp");
    m_version = FindLine(help, "Version ");
    std::istringstream lines(help.substr(0, help.find("\nGeneral Arguments:")) + "\n" +
                             Ask("--PrintGlobals"));
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin > 0 && begin != std::string::npos && line.compare(begin, 2, "--") == 0)
        {
            const std::size_t end = line.find_first_of(":=", begin);
            m_options.insert(line.substr(begin + 2, end - begin - 2));
        }
    }
    if (m_version.empty() || m_options.count("json") == 0)
    {
        throw std::invalid_argument("'" + m_path +
                                    "' is not a lightpath-train: its --PrintHelp names no version "
                                    "or no --json");
    }
}

std::string
SweepProgram::GetDefaultPath()
{
    const std::string own = "lightpath-sweep";
    char buffer[4096];
    const ssize_t length = readlink("/proc/self/exe", buffer, sizeof(buffer));
    std::string path(buffer, length > 0 ? length : 0);
    const std::size_t at = path.rfind(own);
    if (at == std::string::npos)
    {
        return "lightpath-train";
    }
    // ns-3 has its version and the kind of build before and after the name
    return path.replace(at, own.size(), "lightpath-train");
}

int
SweepProgram::Execute(const std::string& path,
                      const std::vector<std::string>& arguments,
                      int output,
                      int errors)
{
    // What it starts ends with it, and what a terminal sends is for this program
    setpgid(0, 0);
    std::vector<char*> words{const_cast<char*>(path.c_str())};
    for (const auto& argument : arguments)
    {
        words.push_back(const_cast<char*>(argument.c_str()));
    }
    words.push_back(nullptr);
    const int input = open("/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execvp(path.c_str(), words.data());
    std::perror(path.c_str());
    return NO_PROGRAM;
}

std::string
SweepProgram::Ask(const std::string& option) const
{
    std::string text;
    const auto body = [&](std::size_t, int output, int errors) {
        return Execute(m_path, {option}, output, errors);
    };
    const auto ended = [&](std::size_t, const ProcessPool::Outcome& outcome) {
        if (!WIFEXITED(outcome.status) || WEXITSTATUS(outcome.status) != 0)
        {
            throw std::invalid_argument("'" + m_path + "' " +
                                        Describe(outcome.status, GetFirstLine(outcome.errors)) +
                                        ", but should print its options: give --program=PATH of "
                                        "lightpath-train");
        }
        text = outcome.output + outcome.errors;
    };
    ProcessPool(1).Run(1, body, ended);
    return text;
}

const std::string&
SweepProgram::GetVersion() const
{
    return m_version;
}

void
SweepProgram::CheckOption(const std::string& option) const
{
    const auto reserved = RESERVED.find(option);
    if (reserved != RESERVED.end())
    {
        throw std::invalid_argument("--" + option +
                                    " does not belong into a sweep: " + reserved->second);
    }
    if (m_options.count(option) == 0 && option.find("::") == std::string::npos)
    {
        throw std::invalid_argument("There is no option --" + option +
                                    ": lightpath-train --help lists those of the runs, and "
                                    "lightpath-sweep --help those of a sweep");
    }
}

ProcessPool::Body
SweepProgram::MakeBody(const std::vector<std::vector<std::string>>& runs) const
{
    return [this, &runs](std::size_t i, int output, int errors) {
        auto arguments = runs[i];
        arguments.insert(arguments.end(), {"--quiet", "--json=-"});
        return Execute(m_path, arguments, output, errors);
    };
}

SweepResult
SweepProgram::Judge(const ProcessPool::Outcome& outcome)
{
    SweepResult judged;
    const std::string sentence = FindLine(outcome.errors, "lightpath-train: ");
    const std::string said = sentence.empty() ? GetFirstLine(outcome.errors) : sentence;
    if (outcome.timedOut)
    {
        judged.failure = "took longer than --timeout allows";
    }
    else if (!WIFEXITED(outcome.status) || WEXITSTATUS(outcome.status) > 1)
    {
        judged.failure = Describe(outcome.status, said);
    }
    else if (WEXITSTATUS(outcome.status) == 1)
    {
        // What the machine lacks says nothing of the options
        const bool isRefusal = !said.empty() && said != std::bad_alloc().what() &&
                               said != "The standard output cannot be written";
        (isRefusal ? judged.refusal : judged.failure) =
            isRefusal ? said : Describe(outcome.status, said);
    }
    else
    {
        judged.result = nlohmann::ordered_json::parse(outcome.output, nullptr, false);
        if (!judged.result.is_object() || !judged.result.contains("plan"))
        {
            judged.result = nullptr;
            judged.failure = "printed no JSON of a plan";
        }
    }
    return judged;
}
