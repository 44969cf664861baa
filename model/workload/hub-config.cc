/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hub-config.h"

#include "config-reader.h"
#include "model/base/json-document.h"
#include "transformer-style.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most bytes of a file.
constexpr uint64_t LARGEST_CONFIG = 1 << 20;

} // namespace

TransformerShape
HubConfig::Read(std::istream& input, const std::string& name)
{
    bool hasDenseLayers = false;
    const JsonDocument document(
        input,
        name,
        [&hasDenseLayers](const std::string& key, const JsonValue&) {
            hasDenseLayers = hasDenseLayers || key == "mlp_only_layers";
        },
        LARGEST_CONFIG,
        std::string("{\"") + TYPE + "\": \"llama\"");
    const JsonValue root = document.GetRoot();
    if (hasDenseLayers)
    {
        root.Get("mlp_only_layers")
            .Fail("there are no operators for layers without experts between others: it must be an "
                  "empty list");
    }
    const std::vector<std::string> types = TransformerStyle::GetNames();
    const std::string type = types[root.Get(TYPE).GetWord(types)];
    // Models of text and images have the part that is read in an object
    const auto text = root.Find("text_config");
    TransformerShape shape = ConfigReader(text && !text->IsNull() ? *text : root, type).Read();
    shape.name = name;
    return shape;
}

} // namespace lightpath
} // namespace ns3
