/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/workload/operator-graph-reader.h"
#include "model/workload/operator-graph-writer.h"

#include "ns3/model-zoo.h"
#include "ns3/operator-profile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

/**
 * @file
 * @ingroup lightpath
 * Reads damaged documents until the time is over, and ends at the first one that is neither read
 * nor refused as it should be.
 */

using namespace ns3::lightpath;

namespace
{

/// What a document holds.
enum Kind
{
    GRAPH,   //!< An operator graph
    MODEL,   //!< A model of the zoo with options
    PROFILE, //!< Times of operators
};

/// A document.
struct Document
{
    Kind kind;        //!< What it holds
    std::string text; //!< Its text
};

/// The most processor time that a document may take, seconds.
constexpr double MAX_SECONDS = 2;

/// The most bytes of a damaged document.
constexpr std::size_t MAX_BYTES = 200000;

/// The file that the document under trial is written to if it fails.
const char* const FAILURE = "fuzz-failure.json";

/// The file that models are read from.
const std::string g_modelFile = "fuzz-model-" + std::to_string(getpid()) + ".json";

/// What tokens are replaced by.
const std::vector<std::string> TOKENS = {"0",           "1",
                                         "-1",          "0.5",
                                         "1e9",         "1e400",
                                         "-0",          "2e15",
                                         "null",        "true",
                                         "false",       "9007199254740992",
                                         "[",           "]",
                                         "{",           "}",
                                         ",",           "9007199254740993",
                                         ":",           "\"\"",
                                         "[]",          "{}",
                                         "\"a\"",       "18446744073709551616",
                                         "\"*\"",       "\"\\",
                                         "\"\\u0000\"", "\"\\ud800\"",
                                         "\xff",        "\"forward\"",
                                         "\"pass\"",    "\"backward\"",
                                         "\"update\"",  "\"tied\"",
                                         "\"matmul\"",  "\"parameters\"",
                                         "[[[[[[[[",    "\xef\xbb\xbf",
                                         "//",          "\"passes\":\"forward\","};

/**
 * @return documents without a fault
 */
std::vector<Document>
GetSeeds()
{
    std::vector<Document> seeds;
    for (const auto* name : {"bert-large:layers=1", "transformer-big:layers=1"})
    {
        std::ostringstream text;
        OperatorGraphWriter::Write(ModelZoo::Create(name), text);
        seeds.push_back({GRAPH, text.str()});
    }
    const std::string graph = R"({"format": "lightpath-operator-graph", "version": 1,
"name": "small", "sample": "row",)";
    seeds.push_back({GRAPH, graph + R"( "passes": "forward", "precision": "single",
"operators": [
{"name": "table", "kind": "embedding", "inputBytes": 80, "outputBytes": 640, "parameters": 800},
{"name": "first", "kind": "matmul", "layer": 1, "multiplyAdds": 64, "outputBytes": 8, "parameters": 900},
{"name": "act", "kind": "elementwise", "layer": 1, "flops": 9, "outputBytes": 8, "backwardReadBytes": 16},
{"name": "last", "kind": "attention", "split": "row", "multiplyAdds": 8, "outputBytes": 8, "tied": "table", "parameters": 800},
{"name": "loss", "kind": "loss", "layer": 2, "flops": 9, "outputBytes": 4}],
"edges": [["table", "first"], ["first", "act"], ["first", "last", 4], ["act", "last"],
["last", "loss"]]})"});
    seeds.push_back({GRAPH, graph + R"( "parameterBytes": 4, "gradientBytes": 4,
"edges": [["a", "b"], ["b", "b'"], ["b'", "a'"], ["a'", "u"]],
"operators": [
{"name": "u", "pass": "update", "forward": "a", "parameters": 7},
{"name": "b'", "kind": "loss", "pass": "backward", "forward": "b", "precision": "single"},
{"name": "a'", "kind": "matmul", "pass": "backward", "forward": "a", "parameters": 7},
{"name": "b", "kind": "loss", "layer": 3, "split": "sharded", "flops": 3, "selective": true},
{"name": "a", "kind": "matmul", "parameters": 7, "sparse": false}]})"});
    seeds.push_back({MODEL, R"({"format": "lightpath-model", "version": 1,
"model": "bert-large", "options": {"layers": 2, "hidden": 64, "precision": "single"}})"});
    seeds.push_back(
        {PROFILE, R"({"format": "lightpath-profile", "version": 1, "accelerator": "A100",
"entries": [
{"operator": "layer*.attention.qkv", "batch": 1, "seconds": 23e-6},
{"operator": "layer*.attention.qkv", "batch": 8, "seconds": 161e-6},
{"operator": "head.loss", "batch": 8, "seconds": 0},
{"operator": "*.update", "seconds": 1e-6},
{"operator": "*", "batch": 3, "seconds": 0.001}]})"});
    return seeds;
}

/**
 * @ingroup lightpath
 * @brief Damages documents.
 */
class Damager
{
  public:
    /**
     * @param seed the seed of what is damaged
     */
    explicit Damager(uint64_t seed)
        : m_random(seed)
    {
    }

    /**
     * @param bound a number above 0
     * @return a number below it
     */
    std::size_t Draw(std::size_t bound)
    {
        return m_random() % bound;
    }

    /**
     * Damage a document in some places.
     *
     * @param text the document
     * @param other a document that parts are taken from
     */
    void Damage(std::string& text, const std::string& other)
    {
        for (std::size_t left = 1 + Draw(4); left > 0 && !text.empty(); --left)
        {
            DamageOnce(text, other);
        }
        text.resize(std::min(text.size(), MAX_BYTES));
    }

  private:
    /// A part of a text.
    struct Part
    {
        std::size_t begin; //!< Where it begins
        std::size_t size;  //!< Its bytes
    };

    /**
     * @param text a text that is not empty
     * @return a part of it, which is short more often than not
     */
    Part DrawPart(const std::string& text)
    {
        const std::size_t begin = Draw(text.size());
        const std::size_t most = std::min(text.size() - begin, std::size_t{1} << Draw(12));
        return {begin, 1 + Draw(most)};
    }

    /**
     * @param text a text that is not empty
     * @return a line of it, with its end
     */
    Part DrawLine(const std::string& text)
    {
        const std::size_t at = Draw(text.size());
        const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        const std::size_t end = text.find('\n', begin);
        return {begin, (end == std::string::npos ? text.size() : end + 1) - begin};
    }

    /**
     * @param text a text that is not empty
     * @return a number, a word, a text with its quotation marks or a sign
     */
    Part DrawToken(const std::string& text)
    {
        const std::string signs = " \n\t,:[]{}";
        std::size_t begin = Draw(text.size());
        if (signs.find(text[begin]) != std::string::npos)
        {
            return {begin, 1};
        }
        while (begin > 0 && signs.find(text[begin - 1]) == std::string::npos)
        {
            --begin;
        }
        const std::size_t end = text.find_first_of(signs, begin);
        return {begin, std::min(end, text.size()) - begin};
    }

    /**
     * Damage a document in one place.
     *
     * @param text the document, which is not empty
     * @param other a document that parts are taken from
     */
    void DamageOnce(std::string& text, const std::string& other)
    {
        const Part part = DrawPart(text);
        const Part line = DrawLine(text);
        const Part token = DrawToken(text);
        const Part source = DrawToken(other);
        switch (Draw(11))
        {
        case 0:
            text[part.begin] = static_cast<char>(text[part.begin] ^ (1 << Draw(8)));
            break;
        case 1:
            text.erase(part.begin, part.size);
            break;
        case 2:
            text.insert(Draw(text.size()), text.substr(part.begin, part.size));
            break;
        case 3: {
            const Part piece = DrawPart(other);
            text.replace(part.begin, part.size, other.substr(piece.begin, piece.size));
            break;
        }
        case 4:
            text.erase(line.begin, line.size);
            break;
        case 5:
            text.insert(DrawLine(text).begin, text.substr(line.begin, line.size));
            break;
        case 6: {
            const std::string moved = text.substr(line.begin, line.size);
            text.erase(line.begin, line.size);
            text.insert(text.empty() ? 0 : DrawLine(text).begin, moved);
            break;
        }
        case 7:
            text.erase(token.begin, token.size);
            break;
        case 8:
            text.replace(token.begin, token.size, TOKENS[Draw(TOKENS.size())]);
            break;
        case 9:
            text.replace(token.begin, token.size, other.substr(source.begin, source.size));
            break;
        default: {
            const Part own = DrawToken(text);
            text.replace(token.begin, token.size, text.substr(own.begin, own.size));
        }
        }
    }

    std::mt19937_64 m_random; //!< Draws what is damaged, and how
};

/**
 * Require something of a graph.
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
 * Read a document.
 *
 * @param document the document
 */
void
Read(const Document& document)
{
    std::istringstream text(document.text);
    if (document.kind == GRAPH)
    {
        const OperatorGraph graph = OperatorGraphReader::Read(text, "document");
        try
        {
            CheckGraph(graph);
        }
        catch (const std::invalid_argument& error)
        {
            throw std::logic_error(error.what());
        }
    }
    else if (document.kind == PROFILE)
    {
        const OperatorProfile profile = OperatorProfile::Read(text, "document");
        for (const double samples : {0.0, 0.5, 2.0, 1e9})
        {
            const auto seconds = profile.GetSeconds("layer0.attention.qkv", samples);
            Require(!seconds || (*seconds >= 0 && *seconds < 1e300), "a time is none");
        }
    }
    else
    {
        std::ofstream(g_modelFile) << document.text;
        ModelZoo::GetOptions(g_modelFile);
    }
}

/**
 * Try a document.
 *
 * @param document the document
 * @param [out] failure what went wrong; empty if nothing did
 * @return true if it was accepted
 */
bool
Try(const Document& document, std::string& failure)
{
    bool isAccepted = false;
    const std::clock_t begin = std::clock();
    try
    {
        Read(document);
        isAccepted = true;
    }
    catch (const std::invalid_argument& error)
    {
        const std::string sentence = error.what();
        if (sentence.empty() || sentence.find('\n') != std::string::npos)
        {
            failure = "it is refused in no line or several: " + sentence;
        }
    }
    catch (const std::exception& error)
    {
        failure = error.what();
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (failure.empty() && seconds > MAX_SECONDS)
    {
        failure = "it takes " + std::to_string(seconds) + " s";
    }
    return isAccepted;
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments: how many seconds to go on, and the seed
 * @return 0 if all documents were accepted or refused as they should be
 */
int
main(int argc, char* argv[])
{
    const long seconds = argc > 1 ? std::atol(argv[1]) : 600;
    Damager damager(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    const std::vector<Document> seeds = GetSeeds();
    const std::time_t end = std::time(nullptr) + seconds;
    uint64_t accepted = 0;
    uint64_t refused = 0;
    std::string failure;
    for (std::size_t next = 0; failure.empty() && (next < seeds.size() || std::time(nullptr) < end);
         ++next)
    {
        Document document = seeds[next < seeds.size() ? next : damager.Draw(seeds.size())];
        if (next >= seeds.size())
        {
            damager.Damage(document.text, seeds[damager.Draw(seeds.size())].text);
        }
        // What ends the program leaves the document behind
        if (document.kind != MODEL)
        {
            std::ofstream(FAILURE) << document.text;
        }
        alarm(60);
        const bool isAccepted = Try(document, failure);
        ++(isAccepted ? accepted : refused);
        if (next < seeds.size() && !isAccepted && failure.empty())
        {
            failure = "a document without a fault is refused";
        }
        if (!failure.empty())
        {
            std::ofstream(FAILURE) << document.text;
            std::cout << FAILURE << ": " << failure << "\n";
        }
    }
    std::remove(g_modelFile.c_str());
    if (failure.empty())
    {
        std::remove(FAILURE);
    }
    std::cout << accepted + refused << " documents read, " << accepted << " accepted, " << refused
              << " refused" << std::endl;
    return failure.empty() ? 0 : 1;
}
