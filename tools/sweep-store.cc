/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep-store.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

using namespace ns3::lightpath;

namespace
{

/**
 * @param name the name of a file
 * @param [out] text what it holds
 * @return whether it can be read
 */
bool
ReadFile(const std::string& name, std::string& text)
{
    std::error_code error;
    std::ifstream file(name, std::ios::binary);
    if (!file || !std::filesystem::is_regular_file(name, error))
    {
        return false;
    }
    std::ostringstream stream;
    stream << file.rdbuf();
    text = stream.str();
    return true;
}

/**
 * @return an end of names that no other process uses
 */
std::string
GetTemporaryEnd()
{
    char host[256] = "";
    gethostname(host, sizeof(host) - 1);
    return "." + std::string(host) + "." + std::to_string(getpid()) + ".tmp";
}

} // namespace

SweepStore::SweepStore(const std::string& folder, const std::string& version)
    : m_folder(folder),
      m_version(version)
{
}

std::string
SweepStore::GetFolder(const std::string& out)
{
    const std::string end = ".csv";
    const bool hasEnd =
        out.size() > end.size() && out.compare(out.size() - end.size(), end.size(), end) == 0;
    return (hasEnd ? out.substr(0, out.size() - end.size()) : out) + ".runs";
}

void
SweepStore::Create() const
{
    std::error_code error;
    std::filesystem::create_directory(m_folder, error);
    if (!std::filesystem::is_directory(m_folder, error) || access(m_folder.c_str(), W_OK) != 0)
    {
        throw std::invalid_argument("The folder '" + m_folder +
                                    "' for the runs cannot be written: give --out in a directory "
                                    "that exists and can");
    }
}

nlohmann::ordered_json
SweepStore::Describe(const SweepRun& run) const
{
    nlohmann::ordered_json files = nlohmann::ordered_json::object();
    for (const std::string option : {"model", "profile"})
    {
        // A model that is not of the zoo is a file
        const std::string value = run.GetValue(option);
        const bool isFile = option != "model" || value.find(".json") != std::string::npos;
        std::string text;
        if (isFile && ReadFile(value, text))
        {
            files[value] = SweepRun::GetDigits(SweepRun::GetHash(text));
        }
    }
    return {{"version", m_version}, {"options", run.GetCanonicalWords()}, {"files", files}};
}

std::string
SweepStore::GetName(const SweepRun& run) const
{
    return m_folder + "/" + run.GetKey() + ".json";
}

std::optional<SweepResult>
SweepStore::Find(const SweepRun& run) const
{
    std::string text;
    if (!ReadFile(GetName(run), text))
    {
        return std::nullopt;
    }
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    const bool isWhole = json.is_object() && json.contains("result") && json.contains("refusal") &&
                         json["refusal"].is_string();
    if (!isWhole)
    {
        return std::nullopt;
    }
    const auto own = Describe(run);
    for (const auto& [key, value] : own.items())
    {
        if (!json.contains(key) || json[key] != value)
        {
            return std::nullopt;
        }
    }
    SweepResult result;
    result.result = json["result"];
    result.refusal = json["refusal"];
    if (!result.result.is_object() && result.refusal.empty())
    {
        return std::nullopt;
    }
    return result;
}

void
SweepStore::Write(const SweepRun& run, const SweepResult& result) const
{
    auto json = Describe(run);
    json["result"] = result.result;
    json["refusal"] = result.refusal;
    WriteFile(GetName(run),
              json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void
SweepStore::WriteFile(const std::string& name, const std::string& text)
{
    const std::string temporary = name + GetTemporaryEnd();
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (!file || std::rename(temporary.c_str(), name.c_str()) != 0)
    {
        std::remove(temporary.c_str());
        throw std::runtime_error("The file '" + name + "' cannot be written");
    }
}
