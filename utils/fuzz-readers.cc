/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "helper/optical/link-graph-builder.h"
#include "model/base/protobuf-reader.h"
#include "model/control/traffic-matrix-reader.h"
#include "model/plan/exchange/chakra-reader.h"
#include "model/plan/exchange/text-workload-reader.h"
#include "model/workload/accelerator-file.h"
#include "model/workload/operator-graph-reader.h"
#include "model/workload/operator-graph-writer.h"

#include "ns3/model-zoo.h"
#include "ns3/operator-profile.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

/**
 * @file
 * @ingroup lightpath
 * Reads a document that libFuzzer has damaged, by the reader that the first argument names; without
 * one, prints the names of all readers. What is neither read nor refused as it should be ends the
 * program.
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

/**
 * Try a document as a graph, as a profile, as an accelerator and as a model.
 *
 * @param document the document
 */
void
TryDocument(const std::string& document)
{
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
}

/**
 * Read all fields of a message as messages, as strings and as numbers.
 *
 * @param message the message
 * @param depth the messages around it
 */
void
ReadFields(std::string_view message, uint32_t depth)
{
    uint64_t sum = 0;
    const auto add = [&sum](auto number) { sum += number == number ? 1 : 0; };
    for (ProtobufReader field(message); field.Next();)
    {
        Try([&]() { add(field.GetUint64() + field.GetZigzag()); });
        Try([&]() { add(field.GetDouble()); });
        Try([&]() { field.ForEachVarint(add); });
        Try([&]() { field.ForEachDouble(sizeof(float), add); });
        Try([&]() { field.ForEachDouble(sizeof(double), add); });
        if (field.GetWireType() == ProtobufReader::BYTES)
        {
            const std::string_view bytes = field.GetBytes();
            Require(message.data() <= bytes.data() &&
                        bytes.data() + bytes.size() <= message.data() + message.size(),
                    "a field leaves its message");
            if (depth < 4)
            {
                Try([&]() { ReadFields(bytes, depth + 1); });
            }
        }
    }
    Require(sum <= 16 * (message.size() + 1), "there are more numbers than bytes");
}

/**
 * Try a document as a message, and as messages behind their lengths.
 *
 * @param document the document
 */
void
TryProtobuf(const std::string& document)
{
    Try([&document]() { ReadFields(document, 0); });
    Try([&document]() {
        std::istringstream text(document);
        std::string message;
        while (ProtobufReader::ReadDelimited(text, message))
        {
            Require(message.size() <= document.size(), "a message exceeds its file");
        }
    });
}

/**
 * Try a document as a network of links.
 *
 * @param document the document
 */
void
TryNetwork(const std::string& document)
{
    Try([&document]() {
        std::istringstream text(document);
        LinkGraphBuilder::Read(text, "document");
    });
}

/**
 * Try a document as a demand, in each format.
 *
 * @param document the document
 */
void
TryDemand(const std::string& document)
{
    for (const auto format :
         {TrafficMatrixReader::AUTO, TrafficMatrixReader::MATRIX, TrafficMatrixReader::LIST})
    {
        Try([&document, format]() {
            std::istringstream text(document);
            TrafficMatrixReader reader;
            reader.SetFormat(format);
            reader.Read(text, "document");
        });
    }
}

/**
 * Try a document as the traces of two ranks, which a line of asterisks separates.
 *
 * @param document the document
 */
void
TryChakra(const std::string& document)
{
    static const std::string line = "\n****\n";
    const auto end = document.find(line);
    const std::string first = document.substr(0, end);
    const std::string second =
        end == std::string::npos ? first : document.substr(end + line.size());
    Try([&first, &second]() {
        ChakraReader reader(2);
        for (const auto& trace : {first, second})
        {
            std::istringstream text(trace);
            reader.Read(text, "document");
        }
        reader.Finish();
    });
}

/**
 * Try a document as a text workload of eight ranks.
 *
 * @param document the document
 */
void
TryWorkload(const std::string& document)
{
    Try([&document]() {
        std::istringstream text(document);
        TextSettings settings;
        settings.dimensions = {2, 4};
        TextWorkloadReader::Read(text, "document", settings);
    });
}

/// The readers; the seeds of each are in the folder of its name in utils/fuzz.
const std::map<std::string, void (*)(const std::string&)> READERS = {{"chakra", &TryChakra},
                                                                     {"demand", &TryDemand},
                                                                     {"documents", &TryDocument},
                                                                     {"network", &TryNetwork},
                                                                     {"protobuf", &TryProtobuf},
                                                                     {"workload", &TryWorkload}};

/// The reader that is tried.
void (*g_try)(const std::string&) = nullptr;

} // namespace

/**
 * Take the name of the reader from the arguments.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
extern "C" int
LLVMFuzzerInitialize(int* argc, char*** argv)
{
    const auto found = READERS.find(*argc > 1 ? (*argv)[1] : "");
    if (found == READERS.end())
    {
        for (const auto& reader : READERS)
        {
            std::cout << reader.first << "\n";
        }
        std::exit(*argc > 1 ? 1 : 0);
    }
    g_try = found->second;
    (*argv)[1] = (*argv)[0];
    ++*argv;
    --*argc;
    return 0;
}

/**
 * Try a document.
 *
 * @param data the bytes of the document
 * @param size their number
 * @return 0
 */
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    g_try(std::string(data, data + size));
    return 0;
}
