/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_OUTPUT_FILES_H
#define LIGHTPATH_OUTPUT_FILES_H

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

/**
 * @ingroup lightpath
 * @brief Refuse, by std::invalid_argument, the name of a file that cannot be written, before the
 * work whose result it is to hold. Creates no file.
 *
 * @param name the name of the file; empty for none, or "-" for the standard output
 */
void CheckWritable(const std::string& name);

/**
 * @ingroup lightpath
 * @brief End with std::runtime_error if the standard output has taken less than was written to it.
 */
void CheckOutput();

/**
 * @ingroup lightpath
 * @brief Write a file, or to the standard output; std::runtime_error if that fails.
 *
 * @param name the name of the file, or "-" for the standard output
 * @param write writes its content to a stream
 */
void WriteFile(const std::string& name, const std::function<void(std::ostream&)>& write);

/**
 * @ingroup lightpath
 * @brief Write JSON to a file.
 *
 * @param json the JSON
 * @param name the name of the file, or "-" for the standard output
 */
void WriteJson(const nlohmann::ordered_json& json, const std::string& name);

#endif /* LIGHTPATH_OUTPUT_FILES_H */
