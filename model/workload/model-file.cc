/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model-file.h"

#include "json-document.h"
#include "operator-document.h"
#include "operator-graph-reader.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @ingroup lightpath
 * @brief A model of the zoo with options, in a document.
 */
class ModelDocument : public JsonDocument
{
  public:
    /// The name of the format.
    static constexpr const char* FORMAT = "lightpath-model";

    /**
     * @param name what the document is called in sentences
     */
    explicit ModelDocument(const std::string& name)
        : JsonDocument(name, FORMAT, {{"model", VALUE}, {"options", OBJECT}})
    {
    }

    /**
     * @param lookup what finds a model of the zoo
     * @return the model with its options
     */
    ZooEntry GetEntry(const ModelFile::Lookup& lookup) const
    {
        if (m_model.text.empty())
        {
            throw std::invalid_argument(m_source.GetName() +
                                        " has no \"model\": it must name a model of the zoo");
        }
        ZooEntry entry;
        Try(m_model, [&]() { entry = lookup(m_model.text); });
        for (const auto& option : m_options.values)
        {
            const std::string text = GetText(option);
            Try(option, [&]() { entry.options.Set(option.key, text); });
        }
        return entry;
    }

  private:
    void TakeValue(const JsonValue& value) override
    {
        m_source.GetText(value);
        if (ModelFile::IsName(value.text))
        {
            m_source.Fail(value.line, "\"model\" must name a model of the zoo, not another file");
        }
        m_model = value;
    }

    void TakeRecord(const std::string& key, const JsonRecord& record) override
    {
        m_options = record;
    }

    /**
     * @param option an option
     * @return its value as a text
     */
    std::string GetText(const JsonValue& option) const
    {
        if (option.kind == JsonValue::TEXT)
        {
            return m_source.GetText(option);
        }
        return std::to_string(m_source.GetWhole(option, 0, OperatorDocument::MAX_COST));
    }

    /**
     * Do something with a value, and say where it is if it is refused.
     *
     * @param value the value
     * @param action what to do
     */
    void Try(const JsonValue& value, const std::function<void()>& action) const
    {
        std::string error;
        try
        {
            action();
        }
        catch (const std::invalid_argument& refusal)
        {
            error = refusal.what();
        }
        if (!error.empty())
        {
            m_source.Fail(value.line, error);
        }
    }

    JsonValue m_model;    //!< Name of the model
    JsonRecord m_options; //!< Its options
};

} // namespace

bool
ModelFile::IsName(const std::string& name)
{
    const std::string ending = ".json";
    return name.size() >= ending.size() &&
           name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

ZooEntry
ModelFile::Read(const std::string& name, const Lookup& lookup)
{
    std::ifstream file = JsonDocument::Open(name);
    const std::string format = JsonDocument::GetFormat(file, name);
    if (format == ModelDocument::FORMAT)
    {
        ModelDocument document(name);
        std::ifstream again = JsonDocument::Open(name);
        document.Read(again);
        ZooEntry entry = document.GetEntry(lookup);
        entry.build = [name, build = entry.build](const ModelOptions& options) {
            try
            {
                return build(options);
            }
            catch (const std::invalid_argument& error)
            {
                throw std::invalid_argument(name + ": " + error.what());
            }
        };
        return entry;
    }
    if (!format.empty() && format != OperatorDocument::FORMAT)
    {
        throw std::invalid_argument(name + " has the format " + JsonSource::Quote(format) +
                                    ", but a model must have " + OperatorDocument::FORMAT + " or " +
                                    ModelDocument::FORMAT);
    }
    ZooEntry entry;
    entry.options = ModelOptions(name);
    entry.description = "operator graph of a file";
    entry.build = [name](const ModelOptions&) { return OperatorGraphReader::ReadFile(name); };
    return entry;
}

} // namespace lightpath
} // namespace ns3
