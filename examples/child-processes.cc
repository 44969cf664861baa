/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "child-processes.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <poll.h>
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
ChildProcesses::Start(std::size_t piece, const Work& work)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        throw std::runtime_error("A process cannot be started: there is no pipe for its result");
    }
    std::cout.flush();
    const pid_t process = fork();
    if (process < 0)
    {
        close(ends[0]);
        close(ends[1]);
        throw std::runtime_error("A process cannot be started: the system has no room for it");
    }
    if (process > 0)
    {
        close(ends[1]);
        m_children.push_back({process, ends[0], piece});
        return;
    }
    close(ends[0]);
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
    // The rest of the parent's work is not this process's
    _exit(WriteAll(ends[1], text) ? status : 2);
}

std::size_t
ChildProcesses::Read(std::vector<std::string>& results)
{
    std::vector<pollfd> outputs;
    for (const auto& child : m_children)
    {
        outputs.push_back({child.output, POLLIN, 0});
    }
    if (poll(outputs.data(), outputs.size(), -1) < 0)
    {
        return m_children.size();
    }
    for (std::size_t i = 0; i < outputs.size(); ++i)
    {
        if (outputs[i].revents == 0)
        {
            continue;
        }
        char buffer[4096];
        const ssize_t n = read(outputs[i].fd, buffer, sizeof(buffer));
        if (n == 0)
        {
            return i;
        }
        results[m_children[i].piece].append(buffer, n > 0 ? n : 0);
    }
    return m_children.size();
}

void
ChildProcesses::Finish(std::size_t index, const std::string& result)
{
    const Child child = m_children[index];
    m_children.erase(m_children.begin() + static_cast<std::ptrdiff_t>(index));
    close(child.output);
    int status = 0;
    while (waitpid(child.process, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    {
        return;
    }
    const std::string end = WIFSIGNALED(status)
                                ? "ended by signal " + std::to_string(WTERMSIG(status))
                                : "failed" + (result.empty() ? "" : ": " + result);
    throw std::runtime_error("The process for number " + std::to_string(child.piece + 1) + " " +
                             end);
}

void
ChildProcesses::Stop()
{
    for (const auto& child : m_children)
    {
        kill(child.process, SIGTERM);
        close(child.output);
        waitpid(child.process, nullptr, 0);
    }
    m_children.clear();
}

std::vector<std::string>
ChildProcesses::Run(std::size_t n, const Work& work, const Progress& progress)
{
    std::vector<std::string> results(n);
    try
    {
        for (std::size_t started = 0, ended = 0; ended < n;)
        {
            for (; started < n && m_children.size() < m_jobs; ++started)
            {
                Start(started, work);
            }
            const std::size_t index = Read(results);
            if (index < m_children.size())
            {
                const std::size_t piece = m_children[index].piece;
                Finish(index, results[piece]);
                ++ended;
                progress(piece, ended);
            }
        }
    }
    catch (const std::exception&)
    {
        Stop();
        throw;
    }
    return results;
}
