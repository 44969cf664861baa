/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/search/circuit-shares.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <functional>
#include <limits>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * Try all shares.
 *
 * @param demands the demands
 * @param ports the ports that are left
 * @param from the first demand that has no share yet
 * @return the least time for circuits of 8 bit/s, infinite if there are no such shares
 */
double
TryShares(const std::vector<CircuitUse>& demands, uint32_t ports, std::size_t from = 0)
{
    if (from == demands.size())
    {
        return 0;
    }
    if (demands[from].bytes == 0)
    {
        return TryShares(demands, ports, from + 1);
    }
    double best = std::numeric_limits<double>::infinity();
    for (uint32_t x = 1; x * demands[from].ports <= ports; ++x)
    {
        best = std::min(best,
                        demands[from].bytes / x +
                            TryShares(demands, ports - x * demands[from].ports, from + 1));
    }
    return best;
}

/**
 * @ingroup lightpath-tests
 * @brief Shares are as good as the best of all shares.
 */
class CircuitSharesTest : public TestCase
{
  public:
    CircuitSharesTest()
        : TestCase("shares of circuits against all shares")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(51);
        uint32_t refused = 0;
        for (uint32_t run = 0; run < 500; ++run)
        {
            std::vector<CircuitUse> demands(random->GetInteger(1, 5));
            const uint32_t mostPorts = random->GetInteger(1, 3);
            for (auto& demand : demands)
            {
                demand.bytes = random->GetInteger(0, 4) == 0 ? 0 : random->GetInteger(1, 100);
                demand.ports =
                    random->GetInteger(0, 1) == 0 ? mostPorts : random->GetInteger(1, mostPorts);
            }
            const uint32_t ports = random->GetInteger(1, 14);
            const double best = TryShares(demands, ports);
            const bool isEnough = CircuitShares::GetMinPorts(demands) <= ports;
            NS_TEST_ASSERT_MSG_EQ(isEnough,
                                  (best < std::numeric_limits<double>::infinity()),
                                  "run " << run);
            if (!isEnough)
            {
                ++refused;
                continue;
            }
            const auto shares = CircuitShares::Get(demands, ports);
            uint32_t used = 0;
            double seconds = 0;
            for (std::size_t k = 0; k < demands.size(); ++k)
            {
                used += shares[k] * demands[k].ports;
                seconds += demands[k].bytes > 0 ? demands[k].bytes / shares[k] : 0;
                NS_TEST_ASSERT_MSG_EQ((shares[k] > 0), (demands[k].bytes > 0), "run " << run);
            }
            NS_TEST_ASSERT_MSG_EQ((used <= ports), true, "ports used in run " << run);
            NS_TEST_ASSERT_MSG_EQ_TOL(seconds, best, 1e-9, "run " << run);
        }
        NS_TEST_ASSERT_MSG_GT(refused, 25, "demands that need more ports");
        NS_TEST_ASSERT_MSG_LT(refused, 200, "demands that need more ports");
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_circuitSharesCases("lightpath-stage-cuts", {{new CircuitSharesTest}});
