/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/sip-ml/piece-placement.h"
#include "planner-tests.h"

#include "ns3/gradient-map.h"
#include "ns3/model-zoo.h"
#include "ns3/operator-pieces.h"

#include <limits>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param name the end of the name of an operator
 * @return the index of the first such operator
 */
uint32_t
FindEnding(const OperatorGraph& graph, const std::string& name)
{
    const auto& operators = graph.GetOperators();
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const std::string& whole = operators[op].name;
        if (whole.size() >= name.size() &&
            whole.compare(whole.size() - name.size(), name.size(), name) == 0)
        {
            return op;
        }
    }
    return UINT32_MAX;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Compares the bytes that operators read with the sizes of tensors.
 */
class PieceReadTestCase : public TestCase
{
  public:
    PieceReadTestCase()
        : TestCase("Operators read the part of a result that concerns them")
    {
    }

  private:
    void DoRun() override
    {
        // 1024 tokens of 256 elements in 8 heads; elements have 2 bytes
        m_graph = ModelZoo::Create(
            "gpt2-xl:layers=1,hidden=256,heads=8,feedForward=1024,vocabulary=1024");
        const uint64_t sh = 2 * 1024 * 256;
        const uint64_t scores = 2 * 8 * 1024 * 1024;
        Expect(".qkv", ".scores", 2 * sh, true);
        Expect(".qkv", ".context", sh, true);
        Expect(".scores", ".softmax", scores, false);
        Expect(".scores.backward", ".qkv.input-gradient", 2 * sh, false);
        Expect(".context.backward", ".qkv.input-gradient", sh, true);
        Expect(".context.backward", ".qkv.weight-gradient", sh, true);
        Expect(".context.backward", "attention.dropout.backward", scores, true);
        // The gradient that a normalisation adds to that of a residual
        Expect("feed-forward.dropout-add.backward", "feed-forward.norm.backward", sh, false);
        Expect("feed-forward.norm.backward", "attention.dropout-add.backward", sh, false);

        // 26 rows and a dense vector of 128 elements of 4 bytes
        m_graph = ModelZoo::Create("dlrm");
        Expect("table7", "interaction", 128 * 4, false);
        Expect("interaction.backward", "table7.backward", 128 * 4, true);
        Expect("interaction.backward", "bottom.relu3.backward", 128 * 4, true);
        Expect("interaction", "top.matmul1", (351 + 128) * 4, false);
        TryMessages();
    }

    /**
     * @param from the end of the name of an operator
     * @param to the end of the name of an operator that reads it
     * @param bytes the bytes that it reads, per sample
     * @param isPart whether that is only a part
     */
    void Expect(const std::string& from, const std::string& to, uint64_t bytes, bool isPart)
    {
        const uint32_t source = FindEnding(m_graph, from);
        const uint32_t reader = FindEnding(m_graph, to);
        const std::string label = to + " of " + from;
        NS_TEST_ASSERT_MSG_NE(source, UINT32_MAX, label);
        NS_TEST_ASSERT_MSG_NE(reader, UINT32_MAX, label);
        // One piece of each operator, 3 samples
        const OperatorPieces pieces(m_graph,
                                    GradientMap(m_graph),
                                    Accelerator::Create("A100"),
                                    3,
                                    1,
                                    1);
        NS_TEST_EXPECT_MSG_EQ(pieces.GetReadBytes(source, reader, 0), 3 * bytes, label);
        NS_TEST_EXPECT_MSG_EQ((pieces.GetPart(source, reader) != OperatorPieces::WHOLE),
                              isPart,
                              label);
    }

    /**
     * Parts for several readers on one GPU are messages of their own.
     */
    void TryMessages()
    {
        const GradientMap gradients(m_graph);
        const OperatorPieces pieces(m_graph, gradients, Accelerator::Create("A100"), 1, 2, 1);
        PiecePlacement::Limits limits;
        limits.gpus = 2;
        limits.memoryBytes = UINT64_MAX;
        limits.rate = 1e12;
        PiecePlacement placement(pieces, gradients, limits);
        placement.Place(std::numeric_limits<double>::infinity());
        const uint32_t piece = pieces.GetPieces(FindEnding(m_graph, "interaction.backward")).begin;
        uint64_t sent = 0;
        const PieceMessages& messages = placement.GetMessages();
        for (const auto& bundle : messages.GetBundles())
        {
            const bool isSent = bundle.pieces.begin <= piece && piece < bundle.pieces.end;
            sent += isSent ? messages.GetBytes(bundle, piece) : 0;
        }
        uint64_t elsewhere = 0;
        for (uint32_t table = 1; table <= 26; ++table)
        {
            const std::string name = "table" + std::to_string(table) + ".backward";
            const uint32_t reader = pieces.GetPieces(FindEnding(m_graph, name)).begin;
            elsewhere += placement.GetGpu(reader) != placement.GetGpu(piece) ? 1 : 0;
        }
        const uint32_t dense = pieces.GetPieces(FindEnding(m_graph, "bottom.relu3.backward")).begin;
        elsewhere += placement.GetGpu(dense) != placement.GetGpu(piece) ? 1 : 0;
        NS_TEST_EXPECT_MSG_GT(elsewhere, 1, "Several readers on the other GPU");
        NS_TEST_EXPECT_MSG_EQ(sent, elsewhere * 128 * 4, "A vector for each of them");
    }

    OperatorGraph m_graph; //!< The model
};

/// Registers the test cases
static const SuiteCases g_pieceReadCases("lightpath-planner", {{new PieceReadTestCase}});
