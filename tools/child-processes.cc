/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "child-processes.h"

#include <cerrno>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

/**
 * Write a text to a pipe.
 *
 * @param output the pipe
 * @param text the text
 * @return whether all of it was written
 */
bool
WriteAll(int output, const std::string& text)
{
    for (std::size_t done = 0; done < text.size();)
    {
        const ssize_t written = write(output, text.data() + done, text.size() - done);
        if (written < 0 && errno != EINTR)
        {
            return false;
        }
        done += written > 0 ? written : 0;
    }
    return true;
}

} // namespace

ChildProcesses::ChildProcesses(std::size_t jobs)
    : m_jobs(jobs)
{
}

void
ChildProcesses::Check(std::size_t piece, const ProcessPool::Outcome& outcome)
{
    const int status = outcome.status;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    {
        return;
    }
    const std::string end = WIFSIGNALED(status)
                                ? "ended by signal " + std::to_string(WTERMSIG(status))
                                : "failed" + (outcome.output.empty() ? "" : ": " + outcome.output);
    throw std::runtime_error("The process for number " + std::to_string(piece + 1) + " " + end);
}

std::vector<std::string>
ChildProcesses::Run(std::size_t n, const Work& work, const Progress& progress)
{
    const auto body = [&work](std::size_t piece, int output, int) {
        std::string text;
        int status = 0;
        try
        {
            text = work(piece);
        }
        catch (const std::exception& error)
        {
            text = error.what();
            status = 1;
        }
        return WriteAll(output, text) ? status : 2;
    };
    std::vector<std::string> results(n);
    std::size_t done = 0;
    const auto ended = [&](std::size_t piece, const ProcessPool::Outcome& outcome) {
        Check(piece, outcome);
        results[piece] = outcome.output;
        progress(piece, ++done);
    };
    ProcessPool(m_jobs).Run(n, body, ended);
    return results;
}
