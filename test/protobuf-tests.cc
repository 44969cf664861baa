/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/base/protobuf-reader.h"
#include "model/base/protobuf-writer.h"

#include "ns3/test.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The wire format of protocol buffers, by the examples of its specification.
 */
class ProtobufTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Messages are the bytes of the specification.
    void TestWriter()
    {
        ProtobufWriter number;
        number.AddVarint(1, 150);
        NS_TEST_ASSERT_MSG_EQ(number.GetMessage(), "\x08\x96\x01", "An integer");
        ProtobufWriter outer;
        outer.AddMessage(3, number);
        NS_TEST_ASSERT_MSG_EQ(outer.GetMessage(), "\x1a\x03\x08\x96\x01", "A message in another");
        outer.Clear();
        outer.AddBytes(2, "testing");
        NS_TEST_ASSERT_MSG_EQ(outer.GetMessage(), "\x12\x07testing", "A string");
        outer.Clear();
        outer.AddPacked(6, {3, 270, 86942});
        NS_TEST_ASSERT_MSG_EQ(outer.GetMessage(), "\x32\x06\x03\x8e\x02\x9e\xa7\x05", "Packed");
        std::ostringstream os;
        number.WriteDelimited(os);
        NS_TEST_ASSERT_MSG_EQ(os.str(), "\x03\x08\x96\x01", "With its length");
    }

    /// Fields are read in any encoding of their type, and others skipped.
    void TestReader()
    {
        const std::string text("\x08\x96\x01\x32\x06\x03\x8e\x02\x9e\xa7\x05\x30\x07"
                               "\x11\x00\x00\x00\x00\x00\x00\xf8\x3f\x1d\x00\x00\x20\x40\x20\x03",
                               29);
        ProtobufReader reader(text);
        std::vector<uint64_t> numbers;
        double sum = 0;
        int64_t zigzag = 0;
        while (reader.Next())
        {
            switch (reader.GetField())
            {
            case 2:
            case 3:
                sum += reader.GetDouble();
                break;
            case 4:
                zigzag = reader.GetZigzag();
                break;
            case 6:
                reader.ForEachVarint([&](uint64_t number) { numbers.push_back(number); });
                break;
            }
        }
        NS_TEST_ASSERT_MSG_EQ((numbers == std::vector<uint64_t>{3, 270, 86942, 7}), true, "Both");
        NS_TEST_ASSERT_MSG_EQ(sum, 4, "1.5 as double and 2.5 as float");
        NS_TEST_ASSERT_MSG_EQ(zigzag, -2, "Zigzag");
    }

    /**
     * A damaged message is refused.
     *
     * @param digits the bytes of the message in hexadecimal digits
     * @param error the sentence
     */
    void TestDamage(std::string digits, std::string error)
    {
        std::string text;
        for (std::size_t i = 0; i < digits.size(); i += 2)
        {
            text.push_back(static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
        }
        const std::string refused = GetError([&]() {
            ProtobufReader reader(text);
            while (reader.Next())
            {
            }
        });
        NS_TEST_ASSERT_MSG_EQ(refused, error, "Sentence");
    }

    /// Lengths of messages that lie are refused before their memory is taken.
    void TestDelimited()
    {
        std::string message;
        std::istringstream two(std::string("\x02\x08\x01\x00", 4));
        NS_TEST_ASSERT_MSG_EQ(ProtobufReader::ReadDelimited(two, message), true, "First");
        NS_TEST_ASSERT_MSG_EQ(message, "\x08\x01", "Its bytes");
        NS_TEST_ASSERT_MSG_EQ(ProtobufReader::ReadDelimited(two, message), true, "Second");
        NS_TEST_ASSERT_MSG_EQ(message, "", "Empty");
        NS_TEST_ASSERT_MSG_EQ(ProtobufReader::ReadDelimited(two, message), false, "End");
        std::istringstream lie("\xff\xff\xff\xff\xff\x7f\x08\x01");
        NS_TEST_ASSERT_MSG_EQ(GetError([&]() { ProtobufReader::ReadDelimited(lie, message); }),
                              "a message is said to take 4398046511103 bytes, but the file ends "
                              "after 2",
                              "A length of 4 TB");
        std::istringstream cut("\xff");
        NS_TEST_ASSERT_MSG_EQ(GetError([&]() { ProtobufReader::ReadDelimited(cut, message); }),
                              "the file ends inside the length of a message",
                              "A length that is cut off");
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_protobufCases(
    "lightpath-exchange",
    {{MakeCase("Protocol buffers as written", &ProtobufTests::TestWriter),
      MakeCase("Protocol buffers as read", &ProtobufTests::TestReader)},
     MakeCases("Damaged protocol buffers",
               &ProtobufTests::TestDamage,
               {{"0896", "the number at byte 1 is cut off"},
                {"08ffffffffffffffffffff01", "the number at byte 1 has more than 10 bytes"},
                {"120774657374", "field 2 at byte 0 takes 7 bytes, but 4 are left"},
                {"0201", "byte 0 begins field 0, which cannot exist"},
                {"0b", "field 1 at byte 0 has the unknown wire type 3"},
                {"0901", "field 1 at byte 0 takes 8 bytes, but 1 are left"}}),
     {MakeCase("Messages behind their lengths", &ProtobufTests::TestDelimited)}});
