/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "protocol-option.h"

#include "option-values.h"

#include <regex>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

CollectiveProtocols
ParseProtocols(const std::string& text)
{
    static const std::regex form("([^:]+):([0-9]{1,9})(/([0-9]{1,9}))?:([^:]+)(:([^:]+))?");
    std::vector<CollectiveProtocol> table;
    for (const auto& item : SplitList(text))
    {
        std::smatch words;
        if (!std::regex_match(item, words, form))
        {
            throw std::invalid_argument("'" + item +
                                        "' is not a protocol: write NAME:WIRE/DATA:LATENCY:LARGEST "
                                        "with bytes on the wire for bytes of data, like "
                                        "LL128:128/120:2us:16MiB, the last one without :LARGEST");
        }
        CollectiveProtocol protocol;
        protocol.name = words[1];
        protocol.wireBytes = std::stoull(words[2]);
        protocol.dataBytes = words[4].matched ? std::stoull(words[4]) : 1;
        protocol.latency = ParseTime(words[5]).GetSeconds();
        if (words[7].matched)
        {
            protocol.mostBytes = ParseBytes(words[7]);
        }
        table.push_back(std::move(protocol));
    }
    return CollectiveProtocols(std::move(table));
}
