/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/base/json-document.h"
#include "model/workload/operator-graph-reader.h"
#include "workload-file-tests.h"

#include "ns3/operator-profile.h"

#include <sstream>
#include <streambuf>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// How the document of a graph begins.
const std::string BEGIN = R"({"format": "lightpath-operator-graph", "version": 1, "name": "m",)";

/// The same for the forward pass.
const std::string FORWARD = BEGIN + R"("passes": "forward",)";

/// The operators of a graph of two.
const std::string TWO =
    R"("operators": [{"name": "a", "kind": "matmul"}, {"name": "b", "kind": "loss"}])";

/**
 * @param text the text of an operator graph
 * @return the sentence with which it is refused
 */
std::string
GetGraphError(const std::string& text)
{
    return GetError([&]() { ReadGraph(text); });
}

/**
 * @param number how an operator states its flops
 * @return the sentence with which it is refused
 */
std::string
GetNumberError(const std::string& number)
{
    return GetGraphError(BEGIN + "\n\"operators\": [{\"name\": \"a\", \"kind\": \"loss\",\n" +
                         "\"flops\": " + number + "}]}");
}

/**
 * @ingroup lightpath-tests
 * @brief A text that is made as it is read: a beginning, and then a piece again and again.
 */
class EndlessText : public std::streambuf
{
  public:
    /**
     * @param begin the beginning
     * @param piece the piece that follows again and again
     */
    EndlessText(std::string begin, std::string piece)
        : m_text(std::move(begin)),
          m_piece(std::move(piece))
    {
        setg(&m_text[0], &m_text[0], &m_text[0] + m_text.size());
    }

    /**
     * @return the number of pieces that have been read
     */
    uint64_t GetNPieces() const
    {
        return m_pieces;
    }

  private:
    /**
     * Go on with another piece.
     *
     * @return its first character
     */
    int_type underflow() override
    {
        m_text = m_piece;
        ++m_pieces;
        setg(&m_text[0], &m_text[0], &m_text[0] + m_text.size());
        return traits_type::to_int_type(m_text[0]);
    }

    std::string m_text;   //!< What is being read
    std::string m_piece;  //!< The piece
    uint64_t m_pieces{0}; //!< Number of pieces so far
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of refused files.
 */
class WorkloadFileErrorTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check the sentences with which graphs are refused.
    void TestGraphError();

    /// Check that texts without end are refused after a part of them.
    void TestEndlessText();

    /// Check the sentences with which profiles are refused.
    void TestProfileError();

  private:
    /// Check texts that are no documents.
    void CheckDocuments();

    /// Check operators and numbers.
    void CheckOperators();

    /// Check edges and passes.
    void CheckEdges();

    /// Check the rules of the forward pass.
    void CheckForward();

    /**
     * Check sentences.
     *
     * @param table documents and parts of the sentences with which they are refused
     */
    void CheckAll(const std::vector<std::pair<std::string, std::string>>& table);
};

void
WorkloadFileErrorTests::TestGraphError()
{
    CheckDocuments();
    CheckOperators();
    CheckEdges();
    CheckForward();
}

void
WorkloadFileErrorTests::CheckAll(const std::vector<std::pair<std::string, std::string>>& table)
{
    for (const auto& row : table)
    {
        const std::string error = GetGraphError(row.first);
        NS_TEST_EXPECT_MSG_EQ(error.compare(0, 10, "graph.json"), 0, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "\n"), false, "One line: " << error);
        EXPECT_PART(error, row.second);
    }
}

void
WorkloadFileErrorTests::CheckDocuments()
{
    std::string many;
    for (uint32_t i = 0; i <= 64; ++i)
    {
        many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\": 1";
    }
    CheckAll({
        {"", " is empty: it must be a document"},
        {"{}", " has no \"format\": it must begin with {\"format\""},
        {"[]", ": a document must be an object, like {\"format\""},
        {"\n3", ": a document must be an object, like {\"format\""},
        {"{\n\"format\":", ", line 2, column 9: this is not valid JSON: unexpected end of input"},
        {BEGIN + TWO, ": this is not valid JSON: unexpected end of input"},
        {BEGIN + TWO + "}}", ": this is not valid JSON: unexpected '}'"},
        {BEGIN + "'a': 1}", ": this is not valid JSON: invalid literal"},
        {BEGIN + "\"sample\": \"\xff\"}", "ill-formed UTF-8 byte"},
        {R"({"format": "x"})", ": /format is \"x\", but must be lightpath-operator-graph"},
        {R"({"format": "lightpath-operator-graph"})", " has no \"version\""},
        {R"({"format": "lightpath-operator-graph", "version": 2})",
         ": /version is 2, but must be 1"},
        {R"({"format": "lightpath-operator-graph", "version": "1"})",
         ": /version is \"1\", but must be 1"},
        {BEGIN + "\n\"operator\": []}",
         ": the document has the unknown key \"operator\"; known are name, "},
        {BEGIN + "\n\"name\": \"n\"}", ": the document has the key \"name\" twice"},
        {BEGIN + "\"operators\": []}", " has no operators: there must be one at least"},
        {BEGIN + "\"operators\": {}}", ": /operators is an object, but must be a list"},
        {BEGIN + "\"operators\": 3}", ": /operators is 3, but must be a list"},
        {BEGIN + "\"operators\": [3]}", ": /operators/0 is 3, but must be an object"},
        {BEGIN + "\"operators\": [[]]}", ": /operators/0 is a list, but must be an object"},
        {BEGIN + "\"operators\": [{\"name\": []}]}",
         ": /operators/0/name is a list, but must be a text"},
        {BEGIN + "\"edges\": [{}]}", ": /edges/0 is an object, but must be a list"},
        {BEGIN + "\"sample\": {}}", ": /sample is an object, but must be a text"},
        {R"({"format": "lightpath-operator-graph", "version": 1, )" + TWO + "}",
         ": the document has no \"name\""},
        {BEGIN + "\"parameterBytes\": 0}", ": /parameterBytes is 0, but must be a whole number"},
        {BEGIN + "\"edges\": [[[[[[[[[", ": /edges/0/0/0/0/0/0/0 must have at most 8 objects and"},
        {BEGIN + "\"operators\": [{" + many + "}]}", ": /operators/0 must have at most 64 members"},
        {BEGIN + "\"operators\": [{\"name\": {\"b\": [1, {\"c\": 1, \"c\": 2}]}}]}",
         ": /operators/0/name/b/1 has the key \"c\" twice"},
        {BEGIN + "\"edges\": [[\"a\", \"b\"], NaN]}", ": this is not valid JSON: invalid literal"},
    });
}

void
WorkloadFileErrorTests::CheckOperators()
{
    const std::string list = BEGIN + "\n\"operators\": [\n";
    CheckAll({
        {list + R"({"kind": "loss"}]})", ": /operators/0 has no \"name\""},
        {list + R"({"name": "a"}]})", ": /operators/0: operator \"a\" has no \"kind\""},
        {list + R"({"name": ""}]})", "must be a text of 1 to 256 bytes"},
        {list + R"({"name": "a\n"}]})", ": /operators/0/name is \"a?\", but must be a text"},
        {list + R"({"name": ")" + std::string(257, 'x') + "\"}]}", "must be a text of 1 to 256"},
        {list + R"({"name": 3}]})", ": /operators/0/name is 3, but must be a text"},
        {list + "{\"name\": \"a\", \"kind\": \"loss\"},\n{\"name\": \"a\", \"kind\": \"loss\"}]}",
         ": /operators/1: there is an operator \"a\" at /operators/0 already: names must differ"},
        {list + R"({"name": "a", "kind": "gemm"}]})",
         ": /operators/0/kind is \"gemm\", but must be one of matmul, convolution"},
        {list + R"({"name": "a", "kind": "loss", "pass": "up"}]})",
         ": /operators/0/pass is \"up\", but must be one of forward, backward, update"},
        {list + R"({"name": "a", "kind": "loss", "split": "rows"}]})",
         ": /operators/0/split is \"rows\", but must be one of replicated, column, row, sharded, "
         "sequence"},
        {list + R"({"name": "a", "kind": "loss", "precision": 16}]})",
         ": /operators/0/precision is 16, but must be one of half, single"},
        {list + R"({"name": "a", "kind": "loss", "sparse": 1}]})",
         ": /operators/0/sparse is 1, but must be true or false"},
        {list + R"({"name": "a", "kind": "loss", "experts": 0}]})",
         ": /operators/0/experts is 0, but must be a whole number from 1 to 1000000"},
        {list + R"({"name": "a", "kind": "loss", "experts": 4},
                   {"name": "b", "kind": "loss", "pass": "backward", "forward": "a", "experts": 2}]})",
         "must have the layer, the split and the experts of its forward operator \"a\""},
        {list + R"({"name": "a", "kind": "loss", "flop": 1}]})",
         ": /operators/0 has the unknown key \"flop\"; known are name, kind, "},
        {list + R"({"name": "a", "kind": "loss", "flops": 1, "flops": 1}]})",
         ": /operators/0 has the key \"flops\" twice: keys must differ"},
        {list + R"({"name": "a", "kind": "loss", "layer": 1000000}]})",
         ": /operators/0/layer is 1000000, but must be a whole number from 0 to 999999"},
        {list + R"({"name": "a", "kind": "loss", "pass": "backward"}]})",
         "operator \"a\" has no \"forward\""},
        {list + R"({"name": "a", "kind": "loss", "pass": "backward", "forward": "b"}]})",
         "operator \"a\" names \"b\", but there is no such operator"},
        {list + R"({"name": "a", "kind": "loss", "pass": "backward", "forward": "a"}]})",
         "which must be an operator of the forward pass"},
        {list + R"({"name": "a", "kind": "loss", "forward": "b"}, {"name": "b", "kind": "loss"}]})",
         "operator \"a\" is of the forward pass, but names another one"},
        {list + R"({"name": "a", "kind": "loss", "layer": 1},
                   {"name": "b", "kind": "loss", "pass": "backward", "forward": "a", "layer": 0}]})",
         "must have the layer, the split and the experts of its forward operator \"a\""},
    });
    const std::string range = ": /operators/0/flops is ";
    for (const auto* number : {"-1",
                               "0.5",
                               "9007199254740993",
                               "18446744073709551616",
                               "1e300",
                               "\"1\"",
                               "null",
                               "true"})
    {
        const std::string error = GetNumberError(number);
        EXPECT_PART(error, range);
        EXPECT_PART(error, "but must be a whole number from 0 to 9007199254740992");
    }
    EXPECT_PART(GetNumberError("1e999"), "the number \"1e999\" is too large");
    NS_TEST_EXPECT_MSG_EQ(GetNumberError("9007199254740992"), "", "2^53");

    std::string many = BEGIN + "\"operators\": [";
    for (uint32_t i = 0; i <= 1024; ++i)
    {
        many += (i == 0 ? "" : ",") + std::string("{\"name\": \"") + std::to_string(i) +
                "\", \"kind\": \"loss\", \"flops\": 9007199254740992}";
    }
    NS_TEST_EXPECT_MSG_EQ(GetGraphError(many + "]}"),
                          "graph.json: the \"flops\" of all operators together must not exceed "
                          "2^63",
                          "1025 x 2^53");
}

void
WorkloadFileErrorTests::CheckEdges()
{
    const std::string list = BEGIN + TWO + ",\n\"edges\": [\n";
    CheckAll({
        {list + "[\"a\", \"c\"]]}",
         ": /edges/0: an edge names \"c\", but there is no such operator"},
        {list + "[\"a\"]]}", ": /edges/0: an edge has 1 elements, but must be like"},
        {list + "[0, 1]]}", ": /edges/0/0 is 0, but must be a text"},
        {list + "[\"a\", \"b\", 3]]}", "an edge must be two names"},
        {list + "[\"a\", \"b\"],\n[\"a\", \"b\"]]}",
         ": /edges/1: the edge from \"a\" to \"b\" is at /edges/0 already"},
        {list + "[\"a\", \"a\"]]}",
         "operators wait for each other: \"a\" -> \"a\"; edges must not form a cycle"},
        {BEGIN + R"("operators": [{"name": "x", "kind": "loss"}, {"name": "a", "kind": "loss"},
            {"name": "b", "kind": "loss"}, {"name": "c", "kind": "loss"},
            {"name": "y", "kind": "loss"}],
            "edges": [["x", "a"], ["a", "b"], ["b", "c"], ["c", "a"], ["c", "y"]]})",
         "\"a\" -> \"b\" -> \"c\" -> \"a\"; edges must not form a cycle"},
        {BEGIN + R"("operators": [{"name": "a", "kind": "loss"},
            {"name": "b", "kind": "loss", "pass": "backward", "forward": "a"}],
            "edges": [["b", "a"]]})",
         "the edge from \"b\" to \"a\" leads to an earlier pass"},
        {BEGIN + R"("operators": [{"name": "a", "kind": "matmul"},
            {"name": "a'", "kind": "matmul", "pass": "backward", "forward": "a"},
            {"name": "b", "kind": "matmul"},
            {"name": "b'", "kind": "matmul", "pass": "backward", "forward": "b"}],
            "edges": [["a", "b"], ["b'", "a'"], ["a", "a'"]]})",
         ": /operators/3: operator \"b'\" of the backward pass waits for no other: an edge from"},
        {BEGIN + TWO + ", \"precision\": \"half\"}", "need \"passes\": \"forward\""},
        {BEGIN + R"("operators": [{"name": "a", "kind": "loss", "backwardFlops": 1}]})",
         ": /operators/0: operator \"a\" must not have \"backwardFlops\""},
    });
}

void
WorkloadFileErrorTests::CheckForward()
{
    const std::string list = FORWARD + "\"operators\": [";
    CheckAll({
        {FORWARD + TWO + ", \"optimizerBytes\": 4}", "follow from \"precision\""},
        {list + R"({"name": "a", "kind": "loss"},
                   {"name": "b", "kind": "loss", "pass": "backward", "forward": "a"}]})",
         ": /operators/1: operator \"b\" must be of the forward pass"},
        {list + R"({"name": "a", "kind": "loss"}, {"name": "a.backward", "kind": "loss"}]})",
         "operator \"a.backward\" has the name of a gradient or update of operator \"a\""},
        {list + R"({"name": ")" + std::string(241, 'x') + R"(", "kind": "loss"}]})",
         "has 241 bytes, but must leave room for those of its gradients: 240 at most"},
        {list + R"({"name": "a", "kind": "loss", "outputBytes": 7}, {"name": "b", "kind": "loss"}],
                   "edges": [["a", "b", 8]]})",
         "operator \"b\" reads 8 bytes of an operator that has 7 \"outputBytes\""},
        {list + R"({"name": "a", "kind": "embedding", "parameters": 9},
                   {"name": "b", "kind": "matmul", "tied": "a", "parameters": 8}]})",
         ": /operators/1: operator \"b\" cannot use the parameters of \"a\""},
        {list + R"({"name": "a", "kind": "embedding", "parameters": 9},
                   {"name": "b", "kind": "matmul", "tied": ["a"], "tiedParameters": 10,
                    "parameters": 12}]})",
         ": /operators/1: operator \"b\" cannot use the parameters of \"a\""},
        {list + R"({"name": "a", "kind": "embedding", "parameters": 9},
                   {"name": "b", "kind": "matmul", "tied": "a", "parameters": 9},
                   {"name": "c", "kind": "matmul", "tied": "b", "parameters": 9}]})",
         ": /operators/2: operator \"c\" cannot use the parameters of \"b\""},
        {list + R"({"name": "a", "kind": "embedding", "tiedParameters": 1, "parameters": 2}]})",
         ": /operators/0: operator \"a\" cannot use the parameters of others"},
        {list + R"({"name": "a", "kind": "embedding", "tied": 5}]})", ": /operators/0/tied"},
        {list + R"({"name": "a", "kind": "embedding", "tied": "c"}]})",
         "operator \"a\" names \"c\", but there is no such operator"},
        {list + R"({"name": "a", "kind": "embedding", "tied": "a"}]})",
         "operators wait for each other: \"a\" -> \"a\""},
        {list + R"({"name": "a", "kind": "matmul", "parameters": 9007199254740992}]})",
         "the \"parameterBytes\" of operator \"a\" must not exceed 2^53"},
    });
    std::string reads = list + R"({"name": "a", "kind": "loss", "outputBytes": 9007199254740992})";
    std::string edges;
    for (uint32_t i = 0; i < 200; ++i)
    {
        const std::string name = "\"" + std::to_string(i) + "\"";
        reads += ", {\"name\": " + name + ", \"kind\": \"loss\", \"inputBytes\": 1}";
        edges += (i == 0 ? "" : ",") + std::string("[\"a\", ") + name + "]";
    }
    EXPECT_PART(GetGraphError(reads + "], \"edges\": [" + edges + "]}"),
                "read more than 2^60 bytes of each other");
}

void
WorkloadFileErrorTests::TestEndlessText()
{
    const std::vector<std::pair<std::string, std::string>> table = {
        {"", "["},
        {"", " "},
        {"{\"format\": \"", "x"},
        {BEGIN + "\"operators\": [", "{\"name\": \"x\", \"kind\": \"loss\"},"},
    };
    const uint64_t most = 3 << 20;
    for (const auto& [begin, piece] : table)
    {
        EndlessText text(begin, piece);
        std::istream input(&text);
        const std::string error = GetError([&input = input]() {
            const auto visit = [](const std::string&, const JsonValue&) {};
            JsonDocument(input, "x", "f", {}, visit, most);
        });
        NS_TEST_EXPECT_MSG_EQ(error, "x must have at most 3145728 bytes", piece);
        NS_TEST_EXPECT_MSG_EQ((text.GetNPieces() * piece.size() < 2 * most), true, piece);
    }
}

void
WorkloadFileErrorTests::TestProfileError()
{
    const std::string begin =
        R"({"format": "lightpath-profile", "version": 1, "accelerator": "X", "entries": [)";
    const std::vector<std::pair<std::string, std::string>> table = {
        {begin + "]}", "p has no \"entries\": it must have at least one time"},
        {R"({"format": "lightpath-profile", "version": 1, "entries": [
            {"operator": "a", "batch": 1, "seconds": 1}]})",
         "p: the document has no \"accelerator\""},
        {begin + R"({"operator": "a", "batch": 1}]})", "p: /entries/0 has no \"seconds\""},
        {begin + R"({"batch": 1, "seconds": 1}]})", "p: /entries/0 has no \"operator\""},
        {begin + R"({"operator": "a", "batch": 1, "second": 1}]})",
         "p: /entries/0 has the unknown key \"second\"; known are operator, batch, seconds"},
        {begin + R"({"operator": "a", "batch": 0, "seconds": 1}]})",
         "p: /entries/0/batch is 0, but must be"},
        {begin + R"({"operator": "a", "batch": 1, "seconds": -1}]})",
         "p: /entries/0/seconds is -1, but must be a number from 0 to 1e+06"},
        {begin + R"({"operator": "a", "batch": 1, "seconds": 1},
                    {"operator": "a", "batch": 1, "seconds": 1}]})",
         "p: /entries/1: operator \"a\" has a time for batch 1 already"},
        {begin + R"({"operator": "a", "seconds": 1}, {"operator": "a", "seconds": 1}]})",
         "has a time for any batch already"},
        {begin +
             R"({"operator": "a", "batch": 1, "seconds": 1}, {"operator": "a", "seconds": 1}]})",
         "has times with and without \"batch\""},
    };
    for (const auto& row : table)
    {
        std::istringstream text(row.first);
        const std::string error = GetError([&]() { OperatorProfile::Read(text, "p"); });
        EXPECT_PART(error, row.second);
    }
}

/// Registers the test cases
static const SuiteCases g_workloadFileErrorCases(
    "lightpath-workload-files",
    {{MakeCase("graphs that are refused", &WorkloadFileErrorTests::TestGraphError),
      MakeCase("texts without end", &WorkloadFileErrorTests::TestEndlessText),
      MakeCase("profiles that are refused", &WorkloadFileErrorTests::TestProfileError)}});
