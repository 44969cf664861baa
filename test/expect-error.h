/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_EXPECT_ERROR_H
#define LIGHTPATH_EXPECT_ERROR_H

#include <exception>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief Get the sentence with which a call refuses its input by an exception.
 *
 * @param call the call
 * @return the sentence; empty if nothing was refused
 */
inline std::string
GetError(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
    return "";
}

/**
 * @ingroup lightpath-tests
 * @brief Get the output to the standard error of a call that ends the program.
 *
 * The call is made in a process of its own.
 *
 * @param call the call
 * @return the output; empty if the call returned or ended with exit code 0
 */
inline std::string
GetAbort(const std::function<void()>& call)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return "";
    }
    const pid_t child = fork();
    if (child == 0)
    {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        call();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[512];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    {
        text.append(buffer, got);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : text;
}

/**
 * @ingroup lightpath-tests
 * @param text a text
 * @param part the part to find
 * @return true if the text contains it
 */
inline bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// In a test case: expect that a sentence contains a part.
#define EXPECT_PART(sentence, part)                                                                \
    do                                                                                             \
    {                                                                                              \
        const std::string wholeSentence = sentence;                                                \
        NS_TEST_EXPECT_MSG_EQ(Contains(wholeSentence, part),                                       \
                              true,                                                                \
                              part << " in: " << wholeSentence);                                   \
    } while (false)

/**
 * @ingroup lightpath-tests
 * @param call code that may throw
 * @param parts the parts of its error; none if it must not throw
 * @return empty if the error is as expected; otherwise a description of the fault
 */
inline std::string
FindWrongError(const std::function<void()>& call, const std::vector<std::string>& parts)
{
    const std::string error = GetError(call);
    if (error.empty() != parts.empty())
    {
        return error.empty() ? "No error says " + parts.front() : error;
    }
    for (const auto& part : parts)
    {
        if (!Contains(error, part))
        {
            return error + " does not say " + part;
        }
    }
    return "";
}

/// In a test case: expect that a call, the last argument, ends the program with a sentence.
#define EXPECT_ABORT(part, ...) EXPECT_PART(GetAbort(__VA_ARGS__), part)

#endif /* LIGHTPATH_EXPECT_ERROR_H */
