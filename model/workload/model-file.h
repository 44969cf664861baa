/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include "zoo-entry.h"

#include <functional>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Takes a model from a file: an operator graph, as OperatorGraphReader reads it, a file
 * config.json that is published with weights, as HubConfig reads it, or a model of the zoo with
 * options, such as
 *
 *     {"format": "lightpath-model", "version": 1,
 *      "model": "bert-large", "options": {"layers": 12, "precision": "single"}}
 *
 * A faulty file is refused by std::invalid_argument, with the path of the fault in the document,
 * and so is an ONNX graph, with the command that converts it.
 */
class ModelFile
{
  public:
    /// Finds a model of the zoo by its name.
    using Lookup = std::function<ZooEntry(const std::string&)>;

    /**
     * @param name the name of a model
     * @return true if it is the name of a file: if it ends in ".json" or ".onnx"
     */
    static bool IsName(const std::string& name);

    /**
     * @param name the name of a model, with or without options
     * @return its name, or that of its file, and its options, which may be empty
     */
    static std::pair<std::string, std::string> Split(const std::string& name);

    /**
     * @param name the name of a file
     * @param lookup finds a model of the zoo
     * @return the model; an operator graph has no options, and is read when it is built
     */
    static ZooEntry Read(const std::string& name, const Lookup& lookup);
};

} // namespace lightpath
} // namespace ns3

#endif /* MODEL_FILE_H */
