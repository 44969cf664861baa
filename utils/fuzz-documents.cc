/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/workload/accelerator-file.h"
#include "model/workload/operator-graph-reader.h"
#include "model/workload/operator-graph-writer.h"

#include "ns3/model-zoo.h"
#include "ns3/operator-profile.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

/**
 * @file
 * @ingroup lightpath
 * Reads a document that libFuzzer has damaged. What is neither read nor refused as it should be
 * ends the program.
 */

using namespace ns3::lightpath;

namespace
{

/**
 * Require something of a document.
 *
 * @param holds whether it holds
 * @param what what is wrong otherwise
 */
void
Require(bool holds, const std::string& what)
{
    if (!holds)
    {
        throw std::logic_error(what);
    }
}

/**
 * Read a document; a refusal must be a sentence in one line.
 *
 * @param read reads the document
 */
void
Try(const std::function<void()>& read)
{
    try
    {
        read();
    }
    catch (const std::invalid_argument& error)
    {
        const std::string sentence = error.what();
        Require(!sentence.empty() && sentence.find('\n') == std::string::npos,
                "it is refused in no line or several: " + sentence);
    }
}

/**
 * Check what must hold of each graph, and that it is the same when it is written and read again.
 *
 * @param graph the graph
 */
void
CheckGraph(const OperatorGraph& graph)
{
    const auto& operators = graph.GetOperators();
    Require(!operators.empty(), "a graph is empty");
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        const Operator& op = operators[index];
        Require(index == 0 || operators[index - 1].pass <= op.pass, "passes are mixed");
        Require(op.forward <= index && operators[op.forward].pass == Pass::FORWARD,
                "an operator does not belong to a forward operator");
        Require(op.pass != Pass::FORWARD || op.forward == index,
                "a forward operator does not belong to itself");
        for (const auto successor : graph.GetSuccessors(index))
        {
            Require(successor > index, "an edge leads back");
        }
    }
    std::ostringstream once;
    OperatorGraphWriter::Write(graph, once);
    std::istringstream text(once.str());
    std::ostringstream twice;
    OperatorGraphWriter::Write(OperatorGraphReader::Read(text, "copy"), twice);
    Require(once.str() == twice.str(), "a graph changes as it is written and read");
}

/**
 * Check what must hold of each profile.
 *
 * @param profile the profile
 */
void
CheckProfile(const OperatorProfile& profile)
{
    for (const double samples : {0.0, 0.5, 2.0, 1e9})
    {
        const auto seconds = profile.GetSeconds("layer0.attention.qkv", samples);
        Require(!seconds || (*seconds >= 0 && *seconds < 1e300), "a time is none");
    }
}

} // namespace

/**
 * Try a document as a graph, as a profile and as a model.
 *
 * @param data the bytes of the document
 * @param size their number
 * @return 0
 */
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    const std::string document(data, data + size);
    std::optional<OperatorGraph> graph;
    Try([&document, &graph]() {
        std::istringstream text(document);
        graph = OperatorGraphReader::Read(text, "document");
    });
    if (graph)
    {
        CheckGraph(*graph);
    }
    std::optional<OperatorProfile> profile;
    Try([&document, &profile]() {
        std::istringstream text(document);
        profile = OperatorProfile::Read(text, "document");
    });
    if (profile)
    {
        CheckProfile(*profile);
    }
    Try([&document]() {
        std::istringstream text(document);
        AcceleratorFile(text, "document");
    });
    static const std::string name = "fuzz-model-" + std::to_string(getpid()) + ".json";
    std::ofstream(name) << document;
    Try([]() { ModelZoo::GetOptions(name); });
    unlink(name.c_str());
    return 0;
}
