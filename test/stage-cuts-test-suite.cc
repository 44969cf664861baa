/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/search/replicated-stages.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <limits>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Layers of a model with their costs.
using Layers = std::vector<ReplicatedStages::Layer>;

/**
 * @ingroup lightpath-tests
 * @brief The measured costs of an operator in a published profile.
 */
struct ProfileRow
{
    double milliseconds;   //!< Forward and backward pass of a minibatch, ms
    double outputBytes;    //!< Activations of a minibatch, bytes
    double parameterBytes; //!< Parameters, bytes
};

/// The profile of VGG16 with minibatches of 128 that was published with Narayanan et al.,
/// "PipeDream: generalized pipeline parallelism for DNN training", SOSP 2019, without the input.
const std::vector<ProfileRow> VGG16{{46.92, 1644167168, 7168},
                                    {9.999, 1644167168, 0},
                                    {159.531, 1644167168, 147712},
                                    {9.766, 1644167168, 0},
                                    {9.374, 411041792, 0},
                                    {54.803, 822083584, 295424},
                                    {5.097, 822083584, 0},
                                    {75.441, 822083584, 590336},
                                    {5.133, 822083584, 0},
                                    {4.999, 205520896, 0},
                                    {29.149, 411041792, 1180672},
                                    {2.757, 411041792, 0},
                                    {44.481, 411041792, 2360320},
                                    {3.103, 411041792, 0},
                                    {48.133, 411041792, 2360320},
                                    {2.87, 411041792, 0},
                                    {2.682, 102760448, 0},
                                    {23.823, 205520896, 4720640},
                                    {1.722, 205520896, 0},
                                    {37.259, 205520896, 9439232},
                                    {1.527, 205520896, 0},
                                    {40.445, 205520896, 9439232},
                                    {1.523, 205520896, 0},
                                    {1.583, 51380224, 0},
                                    {12.989, 51380224, 9439232},
                                    {1.05, 51380224, 0},
                                    {11.466, 51380224, 9439232},
                                    {0.653, 51380224, 0},
                                    {12.69, 51380224, 9439232},
                                    {0.63, 51380224, 0},
                                    {0.787, 12845056, 0},
                                    {0, 4, 0},
                                    {0, 12845056, 0},
                                    {7.05, 2097152, 411058176},
                                    {0.407, 2097152, 0},
                                    {0, 2097152, 0},
                                    {1.443, 2097152, 67125248},
                                    {0.309, 2097152, 0},
                                    {0, 2097152, 0},
                                    {0.941, 512000, 16388000}};

/// The profile of AlexNet of the same publication.
const std::vector<ProfileRow> ALEXNET{{28.721, 198246400, 93184},
                                      {1.546, 198246400, 0},
                                      {1.904, 47775744, 0},
                                      {8.74, 143327232, 1229568},
                                      {1.335, 143327232, 0},
                                      {1.44, 33226752, 0},
                                      {9.87, 66453504, 2655744},
                                      {0.696, 66453504, 0},
                                      {11.62, 44302336, 3539968},
                                      {0.727, 44302336, 0},
                                      {8.312, 44302336, 2360320},
                                      {0.7, 44302336, 0},
                                      {0.697, 9437184, 0},
                                      {0, 4, 0},
                                      {0, 9437184, 0},
                                      {0, 9437184, 0},
                                      {4.809, 4194304, 151011328},
                                      {0.51, 4194304, 0},
                                      {0, 4194304, 0},
                                      {2.441, 4194304, 67125248},
                                      {0.326, 4194304, 0},
                                      {0.927, 1024000, 16388000}};

/**
 * @ingroup lightpath-tests
 * @brief The test suite of the algorithms that cut layers into stages and share out circuits.
 */
class StageCutsTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Stages are as fast as the fastest of all cuts and numbers of replicas, for random chains.
    void TestRandomStages()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(41);
        uint32_t nFound = 0;
        uint32_t nRefused = 0;
        uint32_t nReplicated = 0;
        for (uint32_t run = 0; run < 400; ++run)
        {
            Layers layers(random->GetInteger(1, 8));
            for (auto& layer : layers)
            {
                layer.seconds = random->GetInteger(0, 20);
                layer.crossingBytes = random->GetInteger(0, 12);
                layer.parameterBytes = random->GetInteger(0, 8);
                layer.stateBytes = 3 * layer.parameterBytes;
                layer.keptBytes = random->GetInteger(0, 6);
            }
            layers.back().crossingBytes = 0;
            m_gpus = random->GetInteger(1, 8);
            m_memory = random->GetInteger(0, 1) == 0 ? 1e9 : random->GetInteger(1, 70);
            m_rate = random->GetInteger(0, 3);
            const double best = TryAll(layers);
            const auto result = ReplicatedStages::Find(layers, m_gpus, m_memory, m_rate);
            if (best == std::numeric_limits<double>::infinity())
            {
                ++nRefused;
                NS_TEST_ASSERT_MSG_EQ(result.replicas, 0, "run " << run << " has no stages");
                continue;
            }
            ++nFound;
            nReplicated += result.replicas > 1 && !result.cuts.empty() ? 1 : 0;
            NS_TEST_ASSERT_MSG_EQ_TOL(result.seconds, best, 1e-9, "run " << run);
            NS_TEST_ASSERT_MSG_EQ((result.cuts.size() + 1) * result.replicas, m_gpus, "GPUs");
            NS_TEST_ASSERT_MSG_EQ_TOL(Price(layers, result.cuts), best, 1e-9, "cuts of " << run);
        }
        NS_TEST_ASSERT_MSG_GT(nFound, 200, "instances with stages");
        NS_TEST_ASSERT_MSG_GT(nRefused, 20, "instances without stages");
        NS_TEST_ASSERT_MSG_GT(nReplicated, 20, "instances with several stages of several GPUs");
    }

    /**
     * Published profiles are cut where the published optimiser cuts them, for 2 GPUs of
     * 1.25 GB/s.
     */
    void TestPublishedStages()
    {
        Try(VGG16, 0.381063, 5e-7, 10);
        Try(ALEXNET, 0.0531628032, 1e-16, 6);
    }

  private:
    /**
     * @param layers the layers
     * @return the least time of the slowest stage of all cuts, infinite if none fit
     */
    double TryAll(const Layers& layers) const
    {
        double best = std::numeric_limits<double>::infinity();
        for (uint32_t set = 0; set < (1U << (layers.size() - 1)); ++set)
        {
            std::vector<uint32_t> cuts;
            for (uint32_t layer = 1; layer < layers.size(); ++layer)
            {
                if ((set >> (layer - 1)) % 2 == 1)
                {
                    cuts.push_back(layer);
                }
            }
            if (m_gpus % (cuts.size() + 1) == 0)
            {
                best = std::min(best, Price(layers, cuts));
            }
        }
        return best;
    }

    /**
     * @param layers the layers
     * @param cuts the first layer of every stage after the first
     * @return the time of the slowest stage, infinite if one does not fit into its GPUs
     */
    double Price(const Layers& layers, std::vector<uint32_t> cuts) const
    {
        const auto stages = static_cast<uint32_t>(cuts.size() + 1);
        const double m = m_gpus / stages;
        const double rate = m_rate == 0 ? 1e300 : m_rate;
        cuts.insert(cuts.begin(), 0);
        cuts.push_back(static_cast<uint32_t>(layers.size()));
        double slowest = 0;
        for (uint32_t stage = 0; stage < stages; ++stage)
        {
            double compute = 0;
            double gradients = 0;
            double memory = 0;
            for (uint32_t layer = cuts[stage]; layer < cuts[stage + 1]; ++layer)
            {
                compute += layers[layer].seconds;
                gradients += layers[layer].parameterBytes;
                memory += layers[layer].stateBytes + (stages - stage) * layers[layer].keptBytes;
            }
            const double in = stage == 0 ? 0 : layers[cuts[stage] - 1].crossingBytes;
            const double out = layers[cuts[stage + 1] - 1].crossingBytes;
            const double sum = 4 * (m - 1) / m * gradients / rate;
            slowest = std::max(
                {slowest, compute / m, sum / m, 2 * in / (rate * m), 2 * out / (rate * m)});
            if (memory > m_memory)
            {
                return std::numeric_limits<double>::infinity();
            }
        }
        return slowest;
    }

    /**
     * @param profile a profile
     * @param seconds the published time of the slowest stage, s
     * @param tolerance half of the last published digit, s
     * @param cut the published number of operators of the first stage
     */
    void Try(const std::vector<ProfileRow>& profile, double seconds, double tolerance, uint32_t cut)
    {
        Layers layers;
        for (const auto& row : profile)
        {
            layers.push_back({row.milliseconds / 1000, row.outputBytes, row.parameterBytes, 0, 0});
        }
        const auto result = ReplicatedStages::Find(layers, 2, 1e30, 1.25e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(result.seconds, seconds, tolerance, "time of the slowest stage");
        NS_TEST_EXPECT_MSG_EQ(result.replicas, 1, "replicas");
        NS_TEST_EXPECT_MSG_EQ((result.cuts == std::vector<uint32_t>{cut}), true, "cut");
    }

    uint32_t m_gpus{1}; //!< Number of GPUs
    double m_memory{0}; //!< Memory of a GPU, bytes
    uint32_t m_rate{0}; //!< Rate of a GPU, bytes/s; 0 if messages take no time
};

/// Registers the test cases
static const SuiteCases g_stageCutsCases(
    "lightpath-stage-cuts",
    {{MakeCase("replicated stages against all stages of random chains",
               &StageCutsTests::TestRandomStages),
      MakeCase("replicated stages of the profiles of PipeDream",
               &StageCutsTests::TestPublishedStages)}});

} // namespace
