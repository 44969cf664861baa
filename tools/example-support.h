/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_EXAMPLE_SUPPORT_H
#define LIGHTPATH_EXAMPLE_SUPPORT_H

#include "model/training/message-header.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/ring-geometry.h"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Measures the wall time and the peak memory of one simulation.
 */
class RunMeter
{
  public:
    RunMeter()
        : m_begin(std::chrono::steady_clock::now())
    {
        // Has Linux forget the peak of earlier simulations in this process
        std::ofstream("/proc/self/clear_refs") << "5";
    }

    /**
     * @return the seconds since the meter was made
     */
    double GetWallSeconds() const
    {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - m_begin;
        return passed.count();
    }

    /**
     * @return the most bytes of memory that the process has had since the meter was made
     */
    static uint64_t GetPeakMemoryBytes()
    {
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);)
        {
            std::istringstream words(line);
            std::string key;
            uint64_t kibibytes = 0;
            if (words >> key >> kibibytes && key == "VmHWM:")
            {
                return kibibytes * 1024;
            }
        }
        return 0;
    }

  private:
    std::chrono::steady_clock::time_point m_begin; //!< When the meter was made
};

/**
 * @ingroup lightpath
 * @brief Refuse arguments that are not of the form --option=value without any space, of which ns-3
 * would read the beginning only or nothing.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 */
inline void
CheckArguments(int argc, char* argv[])
{
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        if (argument.compare(0, 2, "--") != 0 || argument.find(' ') != std::string::npos)
        {
            throw std::invalid_argument("'" + argument +
                                        "' is not an option: write --option=value, without spaces");
        }
    }
}

/**
 * @ingroup lightpath
 * @param text names separated by commas
 * @return the names
 */
inline std::vector<std::string>
SplitList(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream stream(text);
    for (std::string name; std::getline(stream, name, ',');)
    {
        names.push_back(name);
    }
    return names;
}

/**
 * @ingroup lightpath
 * @brief Read one of a few words.
 *
 * @param option the name of the option that gave it
 * @param word the word
 * @param known the words that are known, with the value of an attribute for each of them
 * @return the value for the word
 */
inline std::string
ParseWord(const std::string& option,
          const std::string& word,
          const std::vector<std::pair<std::string, std::string>>& known)
{
    std::string list;
    for (const auto& each : known)
    {
        if (each.first == word)
        {
            return each.second;
        }
        list += (list.empty() ? "" : ", ") + each.first;
    }
    throw std::invalid_argument("--" + option + "=" + word + " is unknown: the known ones are " +
                                list);
}

/**
 * @ingroup lightpath
 * @brief Refuse a number that is out of range.
 *
 * @param option the name of the option that gave it
 * @param value the number
 * @param least the smallest number allowed
 * @param most the largest number allowed
 */
inline void
CheckRange(const std::string& option, int64_t value, int64_t least, int64_t most)
{
    if (value < least || value > most)
    {
        throw std::invalid_argument("--" + option + "=" + std::to_string(value) +
                                    " must be a number from " + std::to_string(least) + " to " +
                                    std::to_string(most));
    }
}

/**
 * @ingroup lightpath
 * @param text a time like 25us, in one of ns-3's units from h to fs
 * @return the time
 */
inline ns3::Time
ParseTime(const std::string& text)
{
    static const std::set<std::string> units = {"h", "min", "s", "ms", "us", "ns", "ps", "fs"};
    std::istringstream words(text);
    double value = 0;
    std::string unit;
    std::string rest;
    if (!(words >> value >> unit) || words >> rest || units.count(unit) == 0 || value < 0)
    {
        throw std::invalid_argument("'" + text + "' is not a time: write it like 25us or 10ms");
    }
    // Far from what ns-3 can represent
    if (value > 1e4 && (unit == "s" || unit == "min" || unit == "h" || value > 1e12))
    {
        throw std::invalid_argument("A time of " + text + " is too long: 10000s is the limit");
    }
    const ns3::Time time(text);
    if (time > ns3::Seconds(10000))
    {
        throw std::invalid_argument("A time of " + text + " is too long: 10000s is the limit");
    }
    return time;
}

/**
 * @ingroup lightpath
 * @param fabric the name of a fabric
 * @return the names of its allocators and schedulers, separated by commas
 */
inline std::string
ListAlgorithms(const std::string& fabric)
{
    const auto helper = ns3::lightpath::InterconnectHelper::Create(fabric);
    std::string names;
    if (const auto* circuits = dynamic_cast<ns3::lightpath::CircuitFabricHelper*>(helper.get()))
    {
        for (const auto& algorithm : circuits->GetAlgorithms())
        {
            names += (names.empty() ? "" : ", ") + algorithm.name;
        }
    }
    return names;
}

/**
 * @ingroup lightpath
 * @param name continuity or load-only
 * @return what a lightpath of a ring has to itself
 */
inline ns3::lightpath::RingGeometry::WavelengthMode
ParseWavelengthMode(const std::string& name)
{
    if (name == "continuity")
    {
        return ns3::lightpath::RingGeometry::CONTINUITY;
    }
    if (name == "load-only")
    {
        return ns3::lightpath::RingGeometry::LOAD_ONLY;
    }
    throw std::invalid_argument("There is no wavelength mode '" + name +
                                "': the known ones are continuity, load-only");
}

/**
 * @ingroup lightpath
 * @param text a data rate as ns-3 writes it, or in Tbps or Tb/s
 * @return the rate
 */
inline ns3::DataRate
ParseRate(std::string text)
{
    std::istringstream words(text);
    double value = 0;
    std::string unit;
    if (words >> value >> unit && (unit == "Tbps" || unit == "Tb/s") && value > 0)
    {
        text = std::to_string(value * 1e3) + "Gbps";
    }
    ns3::DataRateValue rate;
    const bool isRate = rate.DeserializeFromString(text, ns3::MakeDataRateChecker());
    if (!isRate || rate.Get().GetBitRate() < 1000000 || rate.Get().GetBitRate() > 1000000000000000)
    {
        throw std::invalid_argument("'" + text +
                                    "' is not a bandwidth from 1Mbps to 1000Tbps: write it like "
                                    "400Gbps or 2Tbps");
    }
    return rate.Get();
}

/**
 * @ingroup lightpath
 * @param text a size like 64, 1kB, 1MB, 1GB (powers of 1000) or 1KiB, 1MiB, 1GiB (of 1024)
 * @return the size in bytes
 */
inline uint64_t
ParseBytes(const std::string& text)
{
    static const std::vector<std::pair<std::string, double>> units = {
        {"", 1},
        {"B", 1},
        {"kB", 1e3},
        {"KB", 1e3},
        {"MB", 1e6},
        {"GB", 1e9},
        {"TB", 1e12},
        {"KiB", 1024.0},
        {"MiB", 1048576.0},
        {"GiB", 1073741824.0},
    };
    std::istringstream words(text);
    double value = 0;
    std::string unit;
    if (words >> value)
    {
        words >> unit;
        for (const auto& known : units)
        {
            if (unit == known.first && value * known.second >= 1 && value * known.second < 4e18)
            {
                return static_cast<uint64_t>(value * known.second);
            }
        }
    }
    throw std::invalid_argument("'" + text + "' is not a size: write it like 9000, 1MB or 1MiB");
}

/**
 * @ingroup lightpath
 * @param text "burst", or the size of a frame
 * @return the FrameSize of a CircuitTransport
 */
inline uint64_t
ParseFrameSize(const std::string& text)
{
    if (text == "burst")
    {
        return 0;
    }
    const uint64_t bytes = ParseBytes(text);
    if (bytes <= ns3::lightpath::MessageHeader::SIZE)
    {
        throw std::invalid_argument(
            "A frame of " + text + " bytes leaves no room for data: it must be larger than " +
            std::to_string(ns3::lightpath::MessageHeader::SIZE) + " bytes, or 'burst'");
    }
    return bytes;
}

/**
 * @ingroup lightpath
 * @brief Refuse the name of a file that cannot be written, before the work that is to go there.
 *
 * @param name the name of the file; empty for none, or "-" for the standard output
 */
inline void
CheckWritable(const std::string& name)
{
    if (!name.empty() && name != "-" && !std::ofstream(name, std::ios::app))
    {
        throw std::invalid_argument("The file '" + name + "' cannot be written");
    }
}

/**
 * @ingroup lightpath
 * @brief Refuse, by std::runtime_error, to lose what was written to the standard output.
 */
inline void
CheckOutput()
{
    if (!std::cout.flush())
    {
        throw std::runtime_error("The standard output cannot be written");
    }
}

/**
 * @ingroup lightpath
 * @brief Write JSON to a file.
 *
 * @param json what to write
 * @param name the name of the file, or "-" for the standard output
 */
inline void
WriteJson(const nlohmann::ordered_json& json, const std::string& name)
{
    if (name == "-")
    {
        std::cout << json.dump(2) << std::endl;
        CheckOutput();
        return;
    }
    std::ofstream file(name);
    file << json.dump(2) << "\n";
    file.close();
    if (!file)
    {
        throw std::runtime_error("The file '" + name + "' cannot be written");
    }
}

#endif /* LIGHTPATH_EXAMPLE_SUPPORT_H */
