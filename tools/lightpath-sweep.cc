/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "helper/shell-words.h"
#include "process-pool.h"
#include "sweep-lines.h"
#include "sweep-program.h"
#include "sweep-progress.h"
#include "sweep-store.h"
#include "sweep.h"

#include "ns3/command-line.h"

#include <csignal>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <unistd.h>

/**
 * @file
 * @ingroup lightpath
 * Runs lightpath-train with all combinations of lists and ranges of its options, and makes one
 * table of what the runs come to.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The signal that is to end the sweep, 0 for none.
volatile std::sig_atomic_t g_signal = 0;

/// What the command line asks for.
struct Options
{
    std::string out;                //!< Name of the file for the table
    std::string file;               //!< Name of a file with a sweep on each line
    std::string program;            //!< Path of lightpath-train, empty for the one beside
    std::string share;              //!< The share of the runs, like 2/5; empty for all
    std::string timeout;            //!< Seconds that a run may take, empty for any
    int64_t jobs{0};                //!< Runs at a time, 0 for as many as there are cores
    bool print{false};              //!< Print the runs that are not finished
    bool collect{false};            //!< Make the table of what is finished
    bool measure{false};            //!< Add what the machine took to the table
    bool quiet{false};              //!< Print nothing but errors
    std::vector<std::string> words; //!< The options of the runs
};

/// A share of the runs.
struct Share
{
    uint64_t i{1}; //!< Its number, from 1
    uint64_t n{1}; //!< The number of shares
};

/**
 * Note a signal.
 *
 * @param signal its number
 */
void
NoteSignal(int signal)
{
    g_signal = signal;
}

/**
 * @param text a number of seconds, empty for none
 * @return the number, 0 for none
 */
double
ParseTimeout(const std::string& text)
{
    std::istringstream words(text);
    double seconds = 0;
    if (!text.empty() && (!(words >> seconds) || !words.eof() || !(seconds > 0)))
    {
        throw std::invalid_argument("--timeout=" + text +
                                    " must be a number of seconds above 0, like 600");
    }
    return seconds;
}

/**
 * @param text a share, empty for all
 * @return the share
 */
Share
ParseShare(const std::string& text)
{
    std::istringstream words(text);
    Share share;
    char slash = 0;
    const bool isShare = words >> share.i >> slash >> share.n && words.eof() && slash == '/' &&
                         share.i >= 1 && share.i <= share.n && text.find('-') == std::string::npos;
    if (!text.empty() && !isShare)
    {
        throw std::invalid_argument("--share=" + text +
                                    " is no share: write I/N with I from 1 to N, like 2/5");
    }
    return share;
}

/**
 * Refuse options that are wrong by themselves.
 *
 * @param options the options
 */
void
Check(const Options& options)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path out(options.out);
    const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
    if (out.filename().empty())
    {
        throw std::invalid_argument("--out=" + options.out +
                                    " must name the file for the table, like --out=results.csv");
    }
    if (!fs::is_directory(folder, error) || fs::is_directory(out, error) ||
        (!options.print && access(folder.c_str(), W_OK) != 0) ||
        (fs::exists(out, error) && !options.print && access(out.c_str(), W_OK) != 0))
    {
        throw std::invalid_argument("The file '" + options.out +
                                    "' cannot be written: give --out in a directory that exists");
    }
    if (options.jobs < 0 || options.jobs > 1024)
    {
        throw std::invalid_argument("--jobs=" + std::to_string(options.jobs) +
                                    " must be a number from 1 to 1024, or 0 for all cores");
    }
    if (options.collect && (options.print || !options.share.empty()))
    {
        throw std::invalid_argument("--collect makes the table of all that is finished: leave out "
                                    "--print and --share");
    }
    if (options.words.empty() && options.file.empty())
    {
        throw std::invalid_argument("There is nothing to run: give options of lightpath-train, "
                                    "with lists like --gpus={16,64}, or --file");
    }
}

/**
 * Print a command for each run that is not finished.
 *
 * @param options the options
 * @param self the path of this program
 * @param sweep the sweep
 */
void
Print(const Options& options, const std::string& self, const Sweep& sweep)
{
    std::vector<std::string> begin{self, "--out=" + options.out};
    if (!options.program.empty())
    {
        begin.push_back("--program=" + options.program);
    }
    if (!options.timeout.empty())
    {
        begin.push_back("--timeout=" + options.timeout);
    }
    begin.insert(begin.end(), {"--share=1/1", "--quiet"});
    for (auto words : sweep.GetMissing())
    {
        words.insert(words.begin(), begin.begin(), begin.end());
        for (std::size_t i = 0; i < words.size(); ++i)
        {
            std::cout << (i > 0 ? " " : "") << ShellWords::Quote(words[i]);
        }
        std::cout << "\n";
    }
    if (!std::cout.flush())
    {
        throw std::runtime_error("The standard output cannot be written");
    }
}

/**
 * Write the table of what is finished.
 *
 * @param options the options
 * @param sweep the sweep
 */
void
WriteTable(const Options& options, const Sweep& sweep)
{
    std::ostringstream text;
    sweep.GetTable(options.measure).GetTable().Print(text);
    SweepStore::WriteFile(options.out, text.str());
}

/**
 * Say what there is, and what is not.
 *
 * @param options the options
 * @param sweep the sweep
 * @param before the number of rows that were finished before
 * @return the exit code
 */
int
Conclude(const Options& options, const Sweep& sweep, std::size_t before)
{
    const std::size_t rows = sweep.GetNFinished();
    const std::size_t missing = sweep.GetMissing().size();
    if (!options.quiet)
    {
        std::cout << rows << (rows == 1 ? " row" : " rows");
        if (options.share.empty())
        {
            std::cout << " in " << options.out;
        }
        else
        {
            std::cout << " of share " << options.share << " finished";
        }
        std::cout << " (" << before << " were there already, " << sweep.GetNRefused() << " refused)"
                  << std::endl;
    }
    if (missing > 0)
    {
        std::cerr << "lightpath-sweep: " << missing << (missing == 1 ? " run is" : " runs are")
                  << " missing: start the sweep again to go on with the rest" << std::endl;
    }
    return missing > 0 ? 1 : 0;
}

/**
 * Do the runs that are not finished.
 *
 * @param options the options
 * @param [in,out] sweep the sweep
 */
void
RunMissing(const Options& options, Sweep& sweep)
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    {
        std::signal(signal, &NoteSignal);
    }
    const int64_t cores = std::max(std::thread::hardware_concurrency(), 1U);
    ProcessPool pool(options.jobs > 0 ? options.jobs : cores);
    pool.SetTimeout(ParseTimeout(options.timeout));
    pool.SetWatch([]() { return g_signal == 0; });
    Sweep::Summary summary;
    {
        const SweepProgress progress(!options.quiet);
        summary = sweep.Run(pool, [&progress](std::size_t done, std::size_t all) {
            progress.Show(done, all);
        });
    }
    for (const auto& failure : summary.failures)
    {
        std::cerr << "lightpath-sweep: " << failure << "\n";
    }
}

/**
 * Do what the options ask for.
 *
 * @param options the options
 * @param self the path of this program
 * @return the exit code
 */
int
Run(const Options& options, const std::string& self)
{
    Check(options);
    const Share share = ParseShare(options.share);
    ParseTimeout(options.timeout);
    const std::vector<SweepLine> lines =
        options.file.empty() ? std::vector<SweepLine>{{"", SweepGrid(options.words)}}
                             : ReadSweepLines(options.file, options.words);
    const SweepProgram program(options.program.empty() ? SweepProgram::GetDefaultPath()
                                                       : options.program);
    const SweepStore store(SweepStore::GetFolder(options.out), program.GetVersion());
    Sweep sweep(lines, program, store);
    sweep.TakeShare(share.i, share.n);
    if (options.print)
    {
        Print(options, self, sweep);
        return 0;
    }
    const std::size_t before = sweep.GetNFinished();
    if (!options.collect)
    {
        store.Create();
        RunMissing(options, sweep);
        if (g_signal != 0)
        {
            std::cerr << "lightpath-sweep: ended by signal " << g_signal << ": "
                      << sweep.GetNFinished() << " of " << sweep.GetNRows()
                      << " rows are finished and are not run again" << std::endl;
            return 128 + g_signal;
        }
    }
    if (options.share.empty())
    {
        WriteTable(options, sweep);
    }
    return Conclude(options, sweep, before);
}

/**
 * Take the options of the runs out of a command line.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 * @param [out] words the options of the runs
 * @return the other arguments, with the name of this program
 */
std::vector<std::string>
TakeWords(int argc, char* argv[], std::vector<std::string>& words)
{
    // With those that ns-3 answers
    static const std::set<std::string> own = {"out",
                                              "file",
                                              "program",
                                              "share",
                                              "timeout",
                                              "jobs",
                                              "print",
                                              "collect",
                                              "measure",
                                              "quiet",
                                              "help",
                                              "PrintHelp",
                                              "version",
                                              "PrintVersion",
                                              "PrintGlobals",
                                              "PrintGroup",
                                              "PrintGroups",
                                              "PrintTypeIds",
                                              "PrintAttributes"};
    std::vector<std::string> others{argv[0]};
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const std::size_t equals = std::min(argument.find('='), argument.size());
        const bool isOption = argument.compare(0, 2, "--") == 0 && equals > 2;
        const bool isOwn = isOption && own.count(argument.substr(2, equals - 2)) > 0;
        (isOwn || argument == "-h" ? others : words).push_back(argument);
    }
    return others;
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if all runs are finished
 */
int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run lightpath-train with all combinations of lists and ranges of its options, like "
              "--gpus={16..256*2} --fabric={sip-ring,sip-ocs}, and write a table of the results. "
              "All options that are not listed here are those of lightpath-train.");
    cmd.AddValue("out", "File for the table, as CSV; NAME.runs beside it keeps runs", options.out);
    cmd.AddValue("file", "File with a sweep on each line, after LABEL: or without", options.file);
    cmd.AddValue("jobs", "Runs at a time; 0: as many as there are cores", options.jobs);
    cmd.AddValue("program", "Path of lightpath-train; default: beside this", options.program);
    cmd.AddValue("timeout", "Seconds after which a run is killed; default: any", options.timeout);
    cmd.AddValue("share", "Run one share of several, like 2/5, and no table", options.share);
    cmd.AddValue("print", "Print a command for each run to be done, run nothing", options.print);
    cmd.AddValue("collect", "Write the table of what is finished, run nothing", options.collect);
    cmd.AddValue("measure", "Add times and memory of the runs to the table", options.measure);
    cmd.AddValue("quiet", "Print nothing but errors", options.quiet);
    try
    {
        cmd.Parse(TakeWords(argc, argv, options.words));
        return Run(options, argv[0]);
    }
    catch (const std::exception& error)
    {
        std::cerr << "lightpath-sweep: " << error.what() << std::endl;
        return 1;
    }
}
