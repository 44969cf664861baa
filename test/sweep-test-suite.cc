/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "helper/csv-table.h"
#include "helper/shell-words.h"
#include "helper/sweep-grid.h"
#include "helper/sweep-run.h"
#include "helper/value-pattern.h"
#include "helper/value-range.h"

#include "ns3/test.h"

#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param words some words
 * @return them with a bar between two
 */
std::string
Join(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        text += (i > 0 ? "|" : "") + words[i];
    }
    return text;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Ranges and lists stand for the values that a shell, or long multiplication, gives.
 */
class ValuePatternTestCase : public TestCase
{
  public:
    ValuePatternTestCase()
        : TestCase("Lists and ranges of values")
    {
    }

  private:
    void DoRun() override
    {
        CheckRanges();
        CheckUnits();
        CheckLists();
        CheckRefusals();
    }

    /**
     * @param pattern a text
     * @param expected what it stands for, with bars
     */
    void Check(const std::string& pattern, const std::string& expected)
    {
        NS_TEST_EXPECT_MSG_EQ(Join(ValuePattern::Expand(pattern)), expected, pattern);
    }

    /// Ranges without units.
    void CheckRanges()
    {
        Check("{9..12}", "9|10|11|12");
        Check("{12..9}", "12|11|10|9");
        Check("{9..20+4}", "9|13|17");
        Check("{20..9-4}", "20|16|12");
        Check("{-2..1}", "-2|-1|0|1");
        Check("{0.1..0.5+0.1}", "0.1|0.2|0.3|0.4|0.5");
        Check("{0.5..2.25}", "0.5|1.5");
        Check("{64..1024*2}", "64|128|256|512|1024");
        Check("{64..1000*2}", "64|128|256|512");
        Check("{1024..100*0.5}", "1024|512|256|128");
        Check("{7..7}", "7");
        Check("{7..7*3}", "7");
        Check("{100..300+100}", "100|200|300");
        // 1.1^n by long multiplication
        Check("{1..1.5*1.1}", "1|1.1|1.21|1.331|1.4641");
        // 1.00001^3 = 1.000030000300001 has more digits than are kept
        Check("{1..1.00003001*1.00001}", "1|1.00001|1.0000200001|1.0000300003");
    }

    /// Ranges with units.
    void CheckUnits()
    {
        Check("{0.5Tbps..8Tbps*2}", "0.5Tbps|1Tbps|2Tbps|4Tbps|8Tbps");
        Check("{1us..30ms*10}", "1us|10us|100us|1ms|10ms");
        Check("{30ms..1us*0.1}", "30ms|3ms|300us|30us|3us");
        Check("{250Gbps..1Tbps+250}", "250Gbps|500Gbps|750Gbps|1Tbps");
        Check("{1ms..2ms+500us}", "1ms|1.5ms|2ms");
        Check("{400Gb/s..1.6Tb/s*2}", "400Gb/s|800Gb/s|1.6Tb/s");
        Check("{1kB..1MB*1000}", "1kB|1MB");
        Check("{0us..1ms+500us}", "0us|500us|1ms");
        Check("{1min..3min}", "1min|2min|3min");
        Check("{9..11}us", "9us|10us|11us");
        Check("{1500us..3500us+1000}", "1500us|2500us|3500us");
    }

    /// Lists, groups within groups and several groups.
    void CheckLists()
    {
        Check("", "");
        Check("plain,text", "plain,text");
        Check("{a,b}{1,2}c", "a1c|a2c|b1c|b2c");
        Check("m:layers={2..6*2,24}", "m:layers=2|m:layers=4|m:layers=24");
        Check("x{,:y=1}", "x|x:y=1");
        Check("{a,b{1..2},c}", "a|b1|b2|c");
        Check("{{a,b},c}", "a|b|c");
        Check("{../a.json,b..c/d}", "../a.json|b..c/d");
        Check("1..2", "1..2");
        Check("{3:0.5,7:0.9}", "3:0.5|7:0.9");
    }

    /**
     * @param pattern a text that is refused
     * @param part a part of the sentence
     */
    void CheckRefusal(const std::string& pattern, const std::string& part)
    {
        const std::string error = GetError([&]() { ValuePattern::Expand(pattern); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, pattern << ": " << error);
    }

    /// What stands for nothing.
    void CheckRefusals()
    {
        CheckRefusal("{}", "empty list");
        CheckRefusal("a{", "does not close");
        CheckRefusal("{a,b", "does not close");
        CheckRefusal("a}", "not open");
        CheckRefusal("{1..}", "not a range");
        CheckRefusal("{a..e}", "not a range");
        CheckRefusal("{1..9+}", "not a range");
        CheckRefusal("{1..9+-1}", "not a range");
        CheckRefusal("{1..9*2us}", "not a range");
        CheckRefusal("{1..9/2}", "not a range");
        CheckRefusal("{1..9 }", "not a range");
        CheckRefusal("{1..9*1}", "never ends");
        CheckRefusal("{1..9+0}", "never ends");
        CheckRefusal("{1..9-1}", "never ends");
        CheckRefusal("{9..1+1}", "never ends");
        CheckRefusal("{9..1*2}", "never ends");
        CheckRefusal("{1..9*0.5}", "never ends");
        CheckRefusal("{0..9*2}", "above 0");
        CheckRefusal("{-4..-9*2}", "above 0");
        CheckRefusal("{1us..9Gbps*2}", "not of one kind");
        CheckRefusal("{1..9us}", "not of one kind");
        CheckRefusal("{1..1000000}", "more than 100000 values");
        CheckRefusal("{1..2*1.0000000000001}", "more than 100000 values");
        CheckRefusal("{1..1234567890123456}", "more than 15 digits");
        CheckRefusal("{1..1000}{1..1000}{1..2}", "more than 1000000 values");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Lines stand for all combinations of their options, and runs have names that last.
 */
class SweepGridTestCase : public TestCase
{
  public:
    SweepGridTestCase()
        : TestCase("Runs of a sweep")
    {
    }

  private:
    void DoRun() override
    {
        Check({"--gpus={1,2}", "--fold", "--batch={8..10+2}"},
              {},
              "--gpus=1 --fold --batch=8|--gpus=1 --fold --batch=10|"
              "--gpus=2 --fold --batch=8|--gpus=2 --fold --batch=10");
        Check({"--gpus=1", "--batch=8", "--gpus=2"}, {}, "--gpus=1 --batch=8|--gpus=2 --batch=8");
        Check({"--attribute=A={1,2}", "--gpus=4", "--attribute=B=3"},
              {},
              "--attribute=A=1 --gpus=4 --attribute=B=3|--attribute=A=2 --gpus=4 --attribute=B=3");
        Check({"--gpus={1,2}", "--tp=3"},
              {"--batch=8", "--gpus=64", "--pp=1"},
              "--batch=8 --gpus=1 --pp=1 --tp=3|--batch=8 --gpus=2 --pp=1 --tp=3");
        Check({}, {"--gpus=64"}, "--gpus=64");
        CheckRefusals();
        CheckRun();
    }

    /**
     * @param words the options of a line
     * @param common the options of all lines
     * @param expected the runs, with bars
     */
    void Check(const std::vector<std::string>& words,
               const std::vector<std::string>& common,
               const std::string& expected)
    {
        std::vector<std::string> runs;
        for (const auto& run : SweepGrid(words, common).GetRuns())
        {
            std::string line;
            for (const auto& word : run.GetWords())
            {
                line += (line.empty() ? "" : " ") + word;
            }
            runs.push_back(line);
        }
        NS_TEST_EXPECT_MSG_EQ(Join(runs), expected, Join(words));
    }

    /// Words that are no options, and too many runs.
    void CheckRefusals()
    {
        for (const std::string word : {"gpus=3", "--", "--=3", "-g", "--gpus={1, 2}"})
        {
            const std::string error = GetError([&]() { SweepGrid({word}); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "is not an option"), true, word);
        }
        const std::string error = GetError([]() {
            SweepGrid({"--a={1..1000}", "--b={1..1000}", "--c={1..2}"});
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "more than 1000000 runs"), true, error);
    }

    /// The key of a run does not follow from the order of its options, and values are columns.
    void CheckRun()
    {
        const auto run =
            SweepGrid({"--b=2", "--fold", "--attribute=Y=1", "--attribute=X=2"}).GetRuns().front();
        const auto same =
            SweepGrid({"--attribute=Y=1", "--attribute=X=2", "--fold", "--b=2"}).GetRuns().front();
        const auto other =
            SweepGrid({"--attribute=X=2", "--attribute=Y=1", "--fold", "--b=2"}).GetRuns().front();
        NS_TEST_EXPECT_MSG_EQ(run.GetKey(), same.GetKey(), "the order of options");
        NS_TEST_EXPECT_MSG_NE(run.GetKey(), other.GetKey(), "the order of attributes");
        NS_TEST_EXPECT_MSG_EQ(run.GetValue("attribute"), "Y=1,X=2", "both attributes");
        NS_TEST_EXPECT_MSG_EQ(run.GetValue("fold"), "true", "an option without a value");
        NS_TEST_EXPECT_MSG_EQ(run.GetValue("c"), "", "an option that is not there");
        // Check values of RFC 9923
        NS_TEST_EXPECT_MSG_EQ(SweepRun::GetHash(""), 0xcbf29ce484222325, "FNV-1a of nothing");
        NS_TEST_EXPECT_MSG_EQ(SweepRun::GetHash("a"), 0xaf63dc4c8601ec8c, "FNV-1a of a");
        NS_TEST_EXPECT_MSG_EQ(SweepRun::GetHash("foobar"), 0x85944171f73967e8, "FNV-1a of foobar");
        NS_TEST_EXPECT_MSG_EQ(SweepRun::GetDigits(0xaf63dc4c8601ec), "00af63dc4c8601ec", "digits");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Words are split and quoted as a POSIX shell does, and fields as RFC 4180 says.
 */
class SweepTextTestCase : public TestCase
{
  public:
    SweepTextTestCase()
        : TestCase("Words and tables")
    {
    }

  private:
    void DoRun() override
    {
        CheckWords("  a  b\tc\r", "a|b|c");
        CheckWords("a 'b c'd \"e \\\" f\" g\\ h ''", "a|b cd|e \" f|g h|");
        CheckWords("a#b # c 'd", "a#b");
        CheckWords("'#a' \"\\n\" '\\'", "#a|\\n|\\");
        CheckWords("", "");
        NS_TEST_EXPECT_MSG_EQ(Contains(GetError([]() { ShellWords::Split("a 'b"); }), "not closed"),
                              true,
                              "an open quote");
        NS_TEST_EXPECT_MSG_EQ(ShellWords::Quote("--a=b/c:1,2"), "--a=b/c:1,2", "a plain word");
        NS_TEST_EXPECT_MSG_EQ(ShellWords::Quote("it's|"), "'it'\\''s|'", "a word to quote");
        NS_TEST_EXPECT_MSG_EQ(ShellWords::Quote(""), "''", "an empty word");
        CsvTable table({"a", "b,c"});
        table.AddRow({"say \"x\"", "plain text"});
        table.AddRow({"two\nlines", ""});
        std::ostringstream text;
        table.Print(text);
        NS_TEST_EXPECT_MSG_EQ(text.str(),
                              "a,\"b,c\"\n\"say \"\"x\"\"\",plain text\n\"two\nlines\",\n",
                              "a table");
        NS_TEST_EXPECT_MSG_EQ(table.GetNRows(), 2, "rows");
        NS_TEST_EXPECT_MSG_EQ(Contains(GetError([&]() { table.AddRow({"a"}); }), "does not fit"),
                              true,
                              "a short row");
    }

    /**
     * @param line a line
     * @param expected its words, with bars
     */
    void CheckWords(const std::string& line, const std::string& expected)
    {
        const auto words = ShellWords::Split(line);
        NS_TEST_EXPECT_MSG_EQ(Join(words), expected, line);
        std::string quoted;
        for (const auto& word : words)
        {
            quoted += ShellWords::Quote(word) + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(Join(ShellWords::Split(quoted)), expected, quoted);
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Suite of what sweeps over options consist of.
 */
class SweepTestSuite : public TestSuite
{
  public:
    SweepTestSuite()
        : TestSuite("lightpath-sweep", Type::UNIT)
    {
        AddTestCase(new ValuePatternTestCase());
        AddTestCase(new SweepGridTestCase());
        AddTestCase(new SweepTextTestCase());
    }
};

static SweepTestSuite g_sweepTestSuite; //!< Registers the suite
