/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-pool.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace
{

/// Milliseconds between two looks at the watch and the clock.
constexpr int WAIT_MS = 100;

/// Looks at a process that was told to end before it is forced to.
constexpr int MOST_WAITS = 20;

/**
 * Have this process end when its parent does.
 *
 * @param parent the number of the parent
 */
void
EndWith(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
    {
        _exit(2);
    }
}

/**
 * Make a pipe that programs which are started do not keep open.
 *
 * @param [out] ends the end to read from and the end to write to
 * @return whether there is one
 */
bool
MakePipe(int (&ends)[2])
{
    if (pipe(ends) != 0)
    {
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

} // namespace

ProcessPool::ProcessPool(std::size_t jobs)
    : m_jobs(jobs)
{
}

void
ProcessPool::SetTimeout(double seconds)
{
    m_timeout = seconds;
}

void
ProcessPool::SetWatch(const Watch& watch)
{
    m_watch = watch;
}

void
ProcessPool::Start(std::size_t piece, const Body& body)
{
    int output[2];
    int errors[2];
    if (!MakePipe(output))
    {
        throw std::runtime_error("A process cannot be started: there is no pipe for its result");
    }
    if (!MakePipe(errors))
    {
        close(output[0]);
        close(output[1]);
        throw std::runtime_error("A process cannot be started: there is no pipe for its errors");
    }
    std::cout.flush();
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process == 0)
    {
        EndWith(parent);
        close(output[0]);
        close(errors[0]);
        // The rest of the parent's work is not this process's
        _exit(body(piece, output[1], errors[1]));
    }
    close(output[1]);
    close(errors[1]);
    if (process < 0)
    {
        close(output[0]);
        close(errors[0]);
        throw std::runtime_error("A process cannot be started: the system has no room for it");
    }
    m_children.push_back({process, output[0], errors[0], piece, Clock::now(), {}});
}

void
ProcessPool::ReadPart(int& from, std::string& text)
{
    char buffer[65536];
    const ssize_t n = read(from, buffer, sizeof(buffer));
    if (n > 0)
    {
        text.append(buffer, n);
    }
    else if (n == 0 || errno != EINTR)
    {
        close(from);
        from = -1;
    }
}

void
ProcessPool::Read()
{
    std::vector<pollfd> outputs;
    for (const auto& child : m_children)
    {
        // poll() leaves out what is below 0
        outputs.push_back({child.output, POLLIN, 0});
        outputs.push_back({child.errors, POLLIN, 0});
    }
    if (poll(outputs.data(), outputs.size(), WAIT_MS) <= 0)
    {
        return;
    }
    for (std::size_t i = 0; i < m_children.size(); ++i)
    {
        if (outputs[2 * i].revents != 0)
        {
            ReadPart(m_children[i].output, m_children[i].outcome.output);
        }
        if (outputs[2 * i + 1].revents != 0)
        {
            ReadPart(m_children[i].errors, m_children[i].outcome.errors);
        }
    }
}

void
ProcessPool::KillLate()
{
    for (auto& child : m_children)
    {
        const std::chrono::duration<double> passed = Clock::now() - child.begin;
        if (m_timeout > 0 && passed.count() > m_timeout && !child.outcome.timedOut)
        {
            child.outcome.timedOut = true;
            Signal(child.process, SIGKILL);
        }
    }
}

std::size_t
ProcessPool::Finish(const Ended& ended)
{
    std::size_t n = 0;
    for (std::size_t i = 0; i < m_children.size();)
    {
        if (m_children[i].output >= 0 || m_children[i].errors >= 0)
        {
            ++i;
            continue;
        }
        Child child = m_children[i];
        m_children.erase(m_children.begin() + static_cast<std::ptrdiff_t>(i));
        while (waitpid(child.process, &child.outcome.status, 0) < 0 && errno == EINTR)
        {
        }
        ended(child.piece, child.outcome);
        ++n;
    }
    return n;
}

void
ProcessPool::Signal(pid_t process, int signal)
{
    if (kill(-process, signal) != 0)
    {
        kill(process, signal);
    }
}

void
ProcessPool::Stop()
{
    for (const auto& child : m_children)
    {
        Signal(child.process, SIGTERM);
    }
    int waits = 0;
    for (const auto& child : m_children)
    {
        while (waitpid(child.process, nullptr, WNOHANG) == 0)
        {
            if (waits++ >= MOST_WAITS)
            {
                Signal(child.process, SIGKILL);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(WAIT_MS));
        }
        for (const int from : {child.output, child.errors})
        {
            if (from >= 0)
            {
                close(from);
            }
        }
    }
    m_children.clear();
}

bool
ProcessPool::Run(std::size_t n, const Body& body, const Ended& ended)
{
    try
    {
        for (std::size_t started = 0, done = 0; done < n;)
        {
            if (m_watch && !m_watch())
            {
                Stop();
                return false;
            }
            for (; started < n && m_children.size() < m_jobs; ++started)
            {
                Start(started, body);
            }
            Read();
            KillLate();
            done += Finish(ended);
        }
    }
    catch (const std::exception&)
    {
        Stop();
        throw;
    }
    return true;
}
