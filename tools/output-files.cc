/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "output-files.h"

#include "model/base/whole-files.h"

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unistd.h>

void
CheckWritable(const std::string& name)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path path(name);
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const bool exists = fs::exists(path, error);
    const bool isWritable =
        exists ? !fs::is_directory(path, error) && access(name.c_str(), W_OK) == 0
               : fs::is_directory(folder, error) && access(folder.c_str(), W_OK) == 0;
    if (!name.empty() && name != "-" && !isWritable)
    {
        throw std::invalid_argument("The file '" + name + "' cannot be written");
    }
}

void
CheckOutput()
{
    if (!std::cout.flush())
    {
        throw std::runtime_error("The standard output cannot be written");
    }
}

void
WriteFile(const std::string& name, const std::function<void(std::ostream&)>& write)
{
    if (name == "-")
    {
        write(std::cout);
        CheckOutput();
        return;
    }
    ns3::lightpath::WholeFiles files;
    files.Write(name, write);
    files.Finish();
}

void
WriteJson(const nlohmann::ordered_json& json, const std::string& name)
{
    // Names of files need not be UTF-8, but JSON must be
    const std::string text =
        json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    WriteFile(name, [&text](std::ostream& os) { os << text << "\n"; });
}
