/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mapped-file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3
{
namespace lightpath
{

MappedFile::MappedFile(const std::string& name)
{
    const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    std::string fault;
    if (file < 0 || fstat(file, &status) != 0)
    {
        fault = std::strerror(errno);
    }
    else if (!S_ISREG(status.st_mode))
    {
        fault = "it must be a file, not a directory or a device";
    }
    else if (status.st_size > 0)
    {
        m_size = static_cast<std::size_t>(status.st_size);
        m_begin = mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (m_begin == MAP_FAILED)
        {
            fault = std::strerror(errno);
        }
    }
    if (file >= 0)
    {
        close(file);
    }
    if (!fault.empty())
    {
        throw std::invalid_argument(name + " cannot be read: " + fault);
    }
}

MappedFile::~MappedFile()
{
    if (m_begin)
    {
        munmap(m_begin, m_size);
    }
}

std::string_view
MappedFile::GetText() const
{
    return {static_cast<const char*>(m_begin), m_size};
}

} // namespace lightpath
} // namespace ns3
