/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WHOLE_FILES_H
#define WHOLE_FILES_H

#include <filesystem>
#include <fstream>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Files that appear once all of them are whole.
 *
 * Each one is written beside its place, with .part behind its name. An older file of the name is
 * there until then, and remains if anything fails. What is no regular file, such as a device, is
 * written at once, and so is a file in a folder that takes no other file.
 */
class WholeFiles
{
  public:
    WholeFiles() = default;
    WholeFiles(const WholeFiles&) = delete;
    WholeFiles& operator=(const WholeFiles&) = delete;

    ~WholeFiles()
    {
        for (const auto& [part, name] : m_parts)
        {
            std::error_code error;
            std::filesystem::remove(part, error);
        }
    }

    /**
     * Write a file; std::runtime_error if that fails.
     *
     * @param name the name of the file
     * @param write writes its content to a stream
     */
    void Write(const std::string& name, const std::function<void(std::ostream&)>& write)
    {
        namespace fs = std::filesystem;
        std::error_code error;
        // A link leads to the file that is replaced
        const fs::path whole =
            fs::is_symlink(name, error) ? fs::weakly_canonical(name, error) : fs::path(name);
        std::string part = whole.string() + ".part";
        const bool isOther = fs::exists(name, error) && !fs::is_regular_file(name, error);
        std::ofstream file;
        if (!isOther)
        {
            file.open(part, std::ios::binary);
        }
        if (file.is_open())
        {
            m_parts.emplace_back(std::move(part), whole.string());
        }
        else
        {
            file.open(name, std::ios::binary);
        }
        write(file);
        file.close();
        if (!file)
        {
            throw std::runtime_error("The file '" + name +
                                     "' cannot be written: check its folder and the space that is "
                                     "left");
        }
    }

    /**
     * Let all files appear; std::runtime_error if that fails.
     */
    void Finish()
    {
        while (!m_parts.empty())
        {
            const auto [part, name] = m_parts.back();
            std::error_code error;
            std::filesystem::rename(part, name, error);
            if (error)
            {
                throw std::runtime_error("The file '" + name +
                                         "' cannot be written: " + error.message());
            }
            m_parts.pop_back();
        }
    }

  private:
    std::vector<std::pair<std::string, std::string>> m_parts; //!< Names until then, and afterwards
};

} // namespace lightpath
} // namespace ns3

#endif /* WHOLE_FILES_H */
