/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/training/transport/message-table.h"

#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <random>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Messages that come and go at random are found in a table as in std::map.
 */
class MessageTableTestCase : public TestCase
{
  public:
    MessageTableTestCase()
        : TestCase("A table of messages")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t NONE = UINT32_MAX;
        std::mt19937 random(1);
        MessageTable<uint32_t> table;
        std::map<std::pair<uint32_t, uint64_t>, uint32_t> expected;
        for (uint32_t i = 0; i < 20000; ++i)
        {
            // Tags differ in high bits too, and the table grows and shrinks
            const uint32_t source = random() % 4;
            const uint64_t tag = uint64_t{random() % 16} << (random() % 2 * 40);
            const bool adds = random() % 100 < (i / 1000 % 2 == 0 ? 80 : 20);
            const auto found = expected.find({source, tag});
            if (adds && found == expected.end())
            {
                table.Add(source, tag, i);
                expected[{source, tag}] = i;
            }
            else if (!adds)
            {
                const bool isIn = found != expected.end();
                const uint32_t* const value = table.Find(source, tag);
                NS_TEST_ASSERT_MSG_EQ((value && isIn ? *value == found->second : !value && !isIn),
                                      true,
                                      "Found in step " << i);
                NS_TEST_ASSERT_MSG_EQ(table.Take(source, tag).value_or(NONE),
                                      (isIn ? found->second : NONE),
                                      "Taken in step " << i);
                expected.erase({source, tag});
            }
        }
        NS_TEST_ASSERT_MSG_EQ(table.GetSize(), expected.size(), "All that are left");
        for (const auto& [message, value] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(table.Take(message.first, message.second).value_or(NONE),
                                  value,
                                  "One of them");
        }
    }
};

} // namespace

/// Registers the test case
static const SuiteCases g_messageTableCases("lightpath-training", {{new MessageTableTestCase}});
