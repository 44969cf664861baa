/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-style.h"

#include "transformer-data.h"
#include "transformer-entry.h"
#include "zoo-entry.h"

#include <map>
#include <sstream>

namespace ns3
{
namespace lightpath
{

namespace
{

/// An entry of data/transformers.txt.
struct TransformerRow
{
    std::string kind;        //!< Its kind: style, base, model or any
    std::string description; //!< The description of a model
    TransformerShape shape;  //!< Its shape
};

/**
 * @return the entries by name
 */
const std::map<std::string, TransformerRow>&
GetRows()
{
    static const std::map<std::string, TransformerRow> rows = [] {
        std::map<std::string, TransformerRow> all;
        std::istringstream text(GetTransformerData());
        std::istringstream words;
        TransformerRow* row = nullptr;
        for (std::string line; std::getline(text, line);)
        {
            words.clear();
            words.str(line);
            if (line.empty() || line.front() == '#')
            {
                continue;
            }
            if (line.front() != ' ')
            {
                std::string kind;
                std::string name;
                std::string base;
                words >> kind >> name >> base;
                row = &all[name];
                row->kind = kind;
                std::getline(words >> std::ws, row->description);
                row->shape = base == "-" ? TransformerShape() : all.at(base).shape;
                continue;
            }
            // Options of the entry above
            for (std::string word; words >> word;)
            {
                const std::size_t equals = word.find('=');
                TransformerEntry::Set(word.substr(0, equals), word.substr(equals + 1), row->shape);
            }
        }
        return all;
    }();
    return rows;
}

} // namespace

std::vector<std::string>
TransformerStyle::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, row] : GetRows())
    {
        if (row.kind == "style")
        {
            names.push_back(name);
        }
    }
    return names;
}

TransformerShape
TransformerStyle::Make(const std::string& name)
{
    return GetRows().at(name).shape;
}

std::vector<ZooEntry>
ZooEntry::GetTransformers()
{
    std::vector<ZooEntry> entries;
    for (const auto& [name, row] : GetRows())
    {
        if (row.kind == "model" || row.kind == "any")
        {
            TransformerShape shape = row.shape;
            shape.name = name;
            entries.push_back(TransformerEntry::Make(shape, row.description, row.kind == "any"));
        }
    }
    return entries;
}

} // namespace lightpath
} // namespace ns3
