/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/traffic-matrix-reader.h"

#include "ns3/traffic-pattern.h"

#include <limits>
#include <sstream>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Source, destination and bytes of the pairs of a demand.
using Entries = std::vector<std::tuple<uint32_t, uint32_t, uint64_t>>;

/**
 * @param ports the number of ports
 * @param entries the pairs with bytes
 * @return the demand
 */
TrafficMatrix
MakeDemand(uint32_t ports, const Entries& entries)
{
    TrafficMatrix demand(ports);
    for (const auto& [source, destination, bytes] : entries)
    {
        demand.Add(source, destination, bytes);
    }
    return demand;
}

/**
 * @param text a text
 * @param reader the reader
 * @return the demand
 */
TrafficMatrix
ReadText(const std::string& text, const TrafficMatrixReader& reader = TrafficMatrixReader())
{
    std::istringstream input(text);
    return reader.Read(input, "demand.csv");
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of the readers and makers of demands.
 */
class ControlReaderTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Valid texts and their demands.
    void TestReadDemand()
    {
        const auto two = MakeDemand(2, {{0, 1, 5}, {1, 0, 7}});
        Expect("0,5\n7,0\n", two, "a matrix");
        Expect("\xef\xbb\xbf# bytes\r\n\r\n 0 ,\t5 # of port 0\r\n7,0", two, "blanks and comments");
        Expect("src,dst,bytes\n0,1,5\n1,0,7\n", two, "a list with a header");
        Expect("0,1,2\n1,0,7\n0,1,3\n0,0,0\n", two, "a list, whose lines add up");
        Expect("# later\n\nSRC, Dst ,bytes\n1,0,7\n0,1,5\n", two, "a header after a comment");
        const auto four = MakeDemand(4, {{3, 1, 9}});
        Expect("3,1,9\n", four, "a list of one line");
        Expect("0,0,0,0\n0,0,0,0\n0,0,0,0\n0,9,0,0\n", four, "a matrix of four ports");
        // Three lines of three fields
        Expect("0,1,2\n3,0,0\n1,4,0\n",
               MakeDemand(3, {{0, 1, 1}, {0, 2, 2}, {1, 0, 3}, {2, 0, 1}, {2, 1, 4}}),
               "three rows with a diagonal of zeros");
        const auto ring = MakeDemand(3, {{0, 1, 5}, {1, 2, 5}, {2, 0, 5}});
        Expect("0,1,5\n1,2,5\n2,0,5\n", ring, "three lines without");
        TrafficMatrixReader reader;
        reader.SetFormat(TrafficMatrixReader::GetFormat("list"));
        NS_TEST_EXPECT_MSG_EQ(
            (ReadText("0,1,2\n3,0,0\n1,2,0\n", reader) == MakeDemand(4, {{0, 1, 2}})),
            true,
            "three lines, said to be a list");
        reader.SetFormat(TrafficMatrixReader::GetFormat("matrix"));
        NS_TEST_EXPECT_MSG_EQ((ReadText("0,5,0\n0,0,5\n5,0,0\n", reader) == ring),
                              true,
                              "three lines, said to be a matrix");
        TrafficMatrixReader wide;
        wide.SetNPorts(6);
        NS_TEST_EXPECT_MSG_EQ((ReadText("3,1,9\n", wide) == MakeDemand(6, {{3, 1, 9}})),
                              true,
                              "more ports than the list names");
        ReadNumbers();
    }

    /// Invalid texts and the sentences that refuse them.
    void TestRefuseDemand()
    {
        ExpectRefuseDemand("", "demand.csv is empty");
        ExpectRefuseDemand("# nothing\n\n", "demand.csv is empty");
        ExpectRefuseDemand("src,dst,bytes\n", "demand.csv is empty");
        ExpectRefuseDemand("0,1,2\n1,0\n1,1,0\n",
                           "demand.csv, line 2: the row has 2 fields, but the first one has 3");
        ExpectRefuseDemand("0,1\n1,0\n0,1\n",
                           "demand.csv, line 3: a matrix of 3 rows and 2 columns is not");
        ExpectRefuseDemand("0,1,2,3\n1,0,2,3\n",
                           "line 2: a matrix of 2 rows and 4 columns is not square");
        ExpectRefuseDemand("0\n", "demand.csv has 1 ports: a demand needs 2 at least");
        ExpectRefuseDemand("0,0,0\n", "names port 0 only: a demand needs 2 ports at least");
        ExpectRefuseDemand("0,1\n-2,0\n", "demand.csv, line 2: '-2' is negative");
        ExpectRefuseDemand("0,nan\n2,0\n", "demand.csv, line 1: 'nan' is not a number");
        ExpectRefuseDemand("0,1\n\n-Inf,0\n", "demand.csv, line 3: '-Inf' is not a number");
        ExpectRefuseDemand("0,infinity\n1,0\n", "line 1: 'infinity' is not a number");
        for (const std::string wrong : {"many", "0x10", "1e", "1.2.3", "-", "1 2", "1e5 B", "--1"})
        {
            ExpectRefuseDemand("0," + wrong + "\n1,0\n", "line 1: '" + wrong + "' is not a number");
        }
        ExpectRefuseDemand("0,1\n0,4\n", "demand.csv, line 2: port 1 has bytes for itself");
        ExpectRefuseDemand("0,1,4\n2,2,4\n", "demand.csv, line 2: port 2 has bytes for itself");
        ExpectRefuseDemand("0,1.5\n1,0\n",
                           "line 1: '1.5' times the scale of 1 is not a whole number of bytes");
        ExpectRefuseDemand("src,dst,bytes\n0,1\n", "demand.csv, line 2 has 2 fields");
        ExpectRefuseDemand("src,dst,bytes\n0,1,2\n0,1,2,3\n", "demand.csv, line 3 has 4 fields");
        ExpectRefuseDemand("0,-1,4\n", "line 1: '-1' is not the index of a port");
        ExpectRefuseDemand("0,1.0,4\n", "line 1: '1.0' is not the index of a port");
        ExpectRefuseDemand("0,1000000,4\n", "line 1: the index 1000000 is out of range");
        ExpectRefuseDemand("0,18446744073709551617,4\n",
                           "line 1: the index 18446744073709551617 is out of");
        ExpectRefuseDemand(std::string("0,1\0\n1,0\n", 9),
                           "line 1: '1?' is not a number: write it like 12, 0.5 or 1e9");
        ExpectRefuseDemand("0,1\r1,0\r", "demand.csv, line 1: '1?1' is not the index of a port");
        ExpectRefuseDemand("0,\n1,0\n",
                           "demand.csv, line 2: the row has 2 fields, but the first one has 1");
        ExpectOverflow();
        ExpectSettings();
    }

    /// Named demands, compared with the meaning of their names.
    void TestPattern()
    {
        NS_TEST_EXPECT_MSG_EQ((TrafficPattern::Create("neighbours", 4) ==
                               ReadText("0,1e6,0,1e6\n1e6,0,1e6,0\n0,1e6,0,1e6\n1e6,0,1e6,0\n")),
                              true,
                              "neighbours");
        NS_TEST_EXPECT_MSG_EQ(
            (TrafficPattern::Create("neighbours", 2) == ReadText("0,1e6\n1e6,0\n")),
            true,
            "two neighbours");
        NS_TEST_EXPECT_MSG_EQ((TrafficPattern::Create("groups:2", 4) ==
                               ReadText("0,1,1e6\n1,0,1e6\n2,3,1e6\n3,2,1e6")),
                              true,
                              "groups");
        NS_TEST_EXPECT_MSG_EQ((TrafficPattern::Create("ring-shift:3", 4) ==
                               ReadText("0,3,1e6\n1,0,1e6\n2,1,1e6\n3,2,1e6")),
                              true,
                              "ring-shift");
        NS_TEST_EXPECT_MSG_EQ((TrafficPattern::Create("training:2", 4) ==
                               ReadText("0,1e6,4e6,0\n1e6,0,0,4e6\n4e6,0,0,1e6\n0,4e6,1e6,0")),
                              true,
                              "training");
        const auto all = TrafficPattern::Create("all-to-all", 7);
        NS_TEST_EXPECT_MSG_EQ(all.GetTotal(), 42 * 1000000, "all-to-all");
        NS_TEST_EXPECT_MSG_EQ(all.GetDegree(), 6, "all-to-all");
        const auto random = TrafficPattern::Create("random:1", 7);
        NS_TEST_EXPECT_MSG_EQ(random.GetDegree(), 6, "random");
        NS_TEST_EXPECT_MSG_LT(random.GetMax(), 1000001, "random");
        NS_TEST_EXPECT_MSG_EQ((random == TrafficPattern::Create("random:1", 7)), true, "again");
        NS_TEST_EXPECT_MSG_EQ((random == TrafficPattern::Create("random:2", 7)), false, "another");
        const std::vector<std::pair<std::string, std::string>> wrong = {
            {"torus", "There is no pattern 'torus': the known ones are all-to-all"},
            {"groups", "There is no pattern 'groups'"},
            {"all-to-all:3", "There is no pattern"},
            {"groups:3", "does not suit 8 ports: groups must hold 2 ports at least and divide"},
            {"groups:1", "groups must hold 2 ports at least"},
            {"training:0", "groups must hold 2 ports at least"},
            {"ring-shift:8", "a shift must be from 1 to 7"},
            {"ring-shift:0", "a shift must be from 1 to 7"},
            {"ring-shift:x", "'x' must be a whole number"},
            {"ring-shift:-1", "'-1' must be a whole number"},
            {"random:", "'' must be a whole number"},
        };
        for (const auto& [pattern, part] : wrong)
        {
            const std::string name = pattern;
            const std::string sentence = GetError([&]() { TrafficPattern::Create(name, 8); });
            NS_TEST_EXPECT_MSG_EQ(Contains(sentence, part), true, name << ": " << sentence);
        }
        const std::string one = GetError([]() { TrafficPattern::Create("all-to-all", 1); });
        NS_TEST_EXPECT_MSG_EQ(Contains(one, "a demand needs 2 at least"), true, one);
    }

  private:
    /// Numbers, exact and scaled.
    void ReadNumbers()
    {
        const uint64_t odd = (uint64_t{1} << 62) + 1;
        Expect("0,1," + std::to_string(odd), MakeDemand(2, {{0, 1, odd}}), "beyond a double");
        const uint64_t most = uint64_t{1} << 63;
        Expect("0,1," + std::to_string(most), MakeDemand(2, {{0, 1, most}}), "the largest");
        Expect("0,+1.5e3\n-0,0e5\n", MakeDemand(2, {{0, 1, 1500}}), "decimal numbers");
        TrafficMatrixReader reader;
        reader.SetScale(1e6);
        // None of the three is exact in binary
        NS_TEST_EXPECT_MSG_EQ(
            (ReadText("0,0.1,2.3\n0.000007,0,3\n0,0,0", reader) ==
             MakeDemand(3, {{0, 1, 100000}, {0, 2, 2300000}, {1, 0, 7}, {1, 2, 3000000}})),
            true,
            "megabytes");
        reader.SetScale(0.001);
        NS_TEST_EXPECT_MSG_EQ((ReadText("0,1,4000", reader) == MakeDemand(2, {{0, 1, 4}})),
                              true,
                              "thousandths");
    }

    /**
     * @param text a text
     * @param demand the demand that it describes
     * @param what the name of the check
     */
    void Expect(const std::string& text, const TrafficMatrix& demand, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ((ReadText(text) == demand), true, what);
    }

    /// More bytes than a demand may have.
    void ExpectOverflow()
    {
        ExpectRefuseDemand("0,1,9223372036854775809\n",
                           "'9223372036854775809' is more than 2^63 bytes");
        ExpectRefuseDemand("0,1,100000000000000000000\n", "is more than 2^63 bytes");
        ExpectRefuseDemand("0,1,1e19\n", "line 1: '1e19' is more than 2^63 bytes");
        ExpectRefuseDemand("0,1,1e999\n", "line 1: '1e999' is more than 2^63 bytes");
        ExpectRefuseDemand("0,1,9223372036854775808\n1,0,1\n",
                           "line 2: the bytes of all pairs must not");
        ExpectRefuseDemand("0,1,9223372036854775807\n0,1,2\n",
                           "line 2: the bytes of all pairs must not");
        TrafficMatrixReader reader;
        reader.SetScale(1e10);
        ExpectRefuseDemand("0,1,1000000000\n", "'1000000000' is more than 2^63 bytes", reader);
    }

    /// Settings of the reader.
    void ExpectSettings()
    {
        TrafficMatrixReader reader;
        reader.SetNPorts(4);
        ExpectRefuseDemand("0,1,5\n4,1,5\n",
                           "line 2: the index 4 is out of range: ports are counted from 0 to 3",
                           reader);
        ExpectRefuseDemand("0,1\n1,0\n", "demand.csv has 2 ports, but must have 4", reader);
        reader.SetNPorts(0);
        reader.SetFormat(TrafficMatrixReader::MATRIX);
        ExpectRefuseDemand("src,dst,bytes\n0,1,5\n",
                           "demand.csv begins with the header of a list",
                           reader);
        reader.SetFormat(TrafficMatrixReader::LIST);
        ExpectRefuseDemand("0,1\n1,0\n", "demand.csv, line 1 has 2 fields", reader);
        ExpectSentence(GetError([&]() { reader.SetNPorts(1); }), "cannot have 1 ports");
        for (const double scale : {0.0, -1.0, std::numeric_limits<double>::infinity()})
        {
            ExpectSentence(GetError([&]() { reader.SetScale(scale); }), "a finite number above 0");
        }
        ExpectSentence(GetError([]() { TrafficMatrixReader::GetFormat("xml"); }),
                       "There is no format 'xml': the known ones are auto, matrix, list");
    }

    /**
     * @param text a text
     * @param part a part of the sentence by which it is refused
     * @param reader the reader
     */
    void ExpectRefuseDemand(const std::string& text,
                            const std::string& part,
                            const TrafficMatrixReader& reader = TrafficMatrixReader())
    {
        ExpectSentence(GetError([&]() { ReadText(text, reader); }), part);
    }

    /**
     * @param sentence a sentence
     * @param part the part that it should contain
     */
    void ExpectSentence(const std::string& sentence, const std::string& part)
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(sentence, part),
                              true,
                              "'" << sentence << "' should say: " << part);
    }
};

/// Registers the test cases
static const SuiteCases g_controlReaderCases(
    "lightpath-control-reader",
    {{MakeCase("Matrices and lists are read", &ControlReaderTests::TestReadDemand),
      MakeCase("Faults of a text are told with their line", &ControlReaderTests::TestRefuseDemand),
      MakeCase("Patterns of traffic", &ControlReaderTests::TestPattern)}});
