/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "accelerator-file.h"

#include "accelerator-presets.h"
#include "model-file.h"
#include "model/base/json-document.h"
#include "model/base/nearest-name.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The largest figure.
constexpr double LARGEST_FIGURE = 1e18;

/// The largest memory, in GiB.
constexpr uint64_t MOST_GIB = 1000000;

/// The most GPUs of a server.
constexpr uint64_t MOST_GPUS = 1000000;

/// The key of the GPUs of a server.
constexpr const char* SERVER_GPUS = "serverGpus";

/// The key of the rate in a server, which servers of one GPU do not need.
constexpr const char* SERVER_RATE = "serverBytesPerSecond";

/// The kind of a figure, which limits its values.
enum class FigureKind : uint8_t
{
    PEAK,     //!< The peak of matrix products in a precision, which not all accelerators have
    RATE,     //!< A rate, above 0
    SHARE,    //!< A share of a peak, above 0
    OPTIONAL, //!< A share of a peak or a time, above 0, that may be missing
    TIME,     //!< A time, 0 or more
    WHOLE,    //!< A whole number, 1 or more
};

/// A member of the accelerator and its key.
struct Member
{
    std::string key;                              //!< The key
    FigureKind kind;                              //!< What it is
    std::function<double&(Accelerator&)> value{}; //!< The member, unless it is a whole number
};

/**
 * @return the members of an accelerator that files state
 */
const std::vector<Member>&
GetMembers()
{
    const auto to = [](double Accelerator::*member) {
        return [member](Accelerator& gpu) -> double& { return gpu.*member; };
    };
    const auto share = [](ArithmeticEfficiency Accelerator::*table,
                          double ArithmeticEfficiency::*member) {
        return [table, member](Accelerator& gpu) -> double& { return gpu.*table.*member; };
    };
    using A = Accelerator;
    using E = ArithmeticEfficiency;
    static const std::vector<Member> members = {
        {"fp32FlopsPerSecond", FigureKind::PEAK, to(&A::fp32MatrixFlops)},
        {"tf32FlopsPerSecond", FigureKind::PEAK, to(&A::singleMatrixFlops)},
        {"halfFlopsPerSecond", FigureKind::PEAK, to(&A::matrixFlops)},
        {"fp8FlopsPerSecond", FigureKind::PEAK, to(&A::fp8MatrixFlops)},
        {"nvfp4FlopsPerSecond", FigureKind::PEAK, to(&A::nvfp4MatrixFlops)},
        {"vectorFlopsPerSecond", FigureKind::RATE, to(&A::vectorFlops)},
        {"memoryBytesPerSecond", FigureKind::RATE, to(&A::memoryBandwidth)},
        {"memoryGib", FigureKind::WHOLE},
        {"halfMatmulEfficiency", FigureKind::SHARE, share(&A::halfEfficiency, &E::matmul)},
        {"halfConvolutionEfficiency",
         FigureKind::SHARE,
         share(&A::halfEfficiency, &E::convolution)},
        {"halfAttentionEfficiency", FigureKind::SHARE, share(&A::halfEfficiency, &E::attention)},
        {"singleMatmulEfficiency", FigureKind::SHARE, share(&A::singleEfficiency, &E::matmul)},
        {"singleConvolutionEfficiency",
         FigureKind::SHARE,
         share(&A::singleEfficiency, &E::convolution)},
        {"singleAttentionEfficiency",
         FigureKind::SHARE,
         share(&A::singleEfficiency, &E::attention)},
        {"fp8MatmulEfficiency", FigureKind::OPTIONAL, share(&A::fp8Efficiency, &E::matmul)},
        {"fp8ConvolutionEfficiency",
         FigureKind::OPTIONAL,
         share(&A::fp8Efficiency, &E::convolution)},
        {"fp8AttentionEfficiency", FigureKind::OPTIONAL, share(&A::fp8Efficiency, &E::attention)},
        {"nvfp4MatmulEfficiency", FigureKind::OPTIONAL, share(&A::nvfp4Efficiency, &E::matmul)},
        {"vectorEfficiency", FigureKind::SHARE, to(&A::vectorEfficiency)},
        {"memoryEfficiency", FigureKind::SHARE, to(&A::memoryEfficiency)},
        {"gatherEfficiency", FigureKind::OPTIONAL, to(&A::gatherEfficiency)},
        {"productRampSeconds", FigureKind::TIME, to(&A::productRamp)},
        {"expertRampSeconds", FigureKind::OPTIONAL, to(&A::expertRamp)},
        {"convolutionRampSeconds", FigureKind::TIME, to(&A::convolutionRamp)},
        {"memoryRampSeconds", FigureKind::TIME, to(&A::memoryRamp)},
        {"launchSeconds", FigureKind::TIME, to(&A::launchSeconds)},
        {SERVER_GPUS, FigureKind::WHOLE},
        {SERVER_RATE, FigureKind::RATE, to(&A::serverBitRate)},
        {"serverLatencySeconds", FigureKind::TIME, to(&A::serverLatency)},
        {"networkLatencySeconds", FigureKind::TIME, to(&A::networkLatency)},
        {"collectiveLatencySeconds", FigureKind::TIME, to(&A::collectiveLatency)},
    };
    return members;
}

/**
 * @param value a value
 * @param member what it is the value of
 * @return the number that it is
 */
double
ReadFigure(const JsonValue& value, const Member& member)
{
    if (member.kind == FigureKind::WHOLE)
    {
        return static_cast<double>(value.GetWhole(1, std::max(MOST_GIB, MOST_GPUS)));
    }
    const double number = value.GetNumber(LARGEST_FIGURE);
    if (number == 0 && member.kind != FigureKind::TIME)
    {
        value.Fail("it must be above 0");
    }
    return number;
}

/**
 * @param key the key of a figure
 * @return whether it is the peak of matrix products
 */
bool
IsPeak(const std::string& key)
{
    const auto& members = GetMembers();
    return std::any_of(members.begin(), members.end(), [&key](const Member& member) {
        return member.key == key && member.kind == FigureKind::PEAK;
    });
}

} // namespace

const std::vector<std::string>&
AcceleratorFile::GetConfidences()
{
    static const std::vector<std::string> words =
        {"published", "measured", "recalled", "fitted", "inherited", "derived", "assumed"};
    return words;
}

std::vector<std::string>
AcceleratorFile::GetPresets()
{
    std::vector<std::string> names;
    for (const auto& preset : AcceleratorPresets::Get())
    {
        names.push_back(preset.first);
    }
    return names;
}

AcceleratorFile::AcceleratorFile(const std::string& name)
{
    if (ModelFile::IsName(name))
    {
        std::ifstream file = JsonDocument::Open(name);
        Read(file, name);
        return;
    }
    const auto& presets = AcceleratorPresets::Get();
    const auto found = presets.find(name);
    if (found == presets.end())
    {
        std::vector<std::string> known;
        for (const auto& preset : presets)
        {
            known.push_back(preset.first);
        }
        throw std::invalid_argument("There is no accelerator " + JsonValue::Quote(name) + ": " +
                                    ListKnown(name, known));
    }
    std::istringstream text(found->second);
    Read(text, name);
}

AcceleratorFile::AcceleratorFile(std::istream& input, const std::string& name)
{
    Read(input, name);
}

void
AcceleratorFile::Read(std::istream& input, const std::string& name)
{
    const JsonDocument document(input,
                                name,
                                "lightpath-accelerator",
                                {"name", "description", "base", "provenance", "figures"},
                                [this](const std::string& key, const JsonValue& element) {
                                    if (key == "figures")
                                    {
                                        TakeGroup(element);
                                    }
                                });
    const JsonValue root = document.GetRoot();
    m_accelerator.name = root.Get("name").GetText();
    m_description = root.Get("description").GetText();
    root.Get("figures").GetSize();
    for (auto& figure : m_figures)
    {
        figure.file = m_accelerator.name;
    }
    if (const auto provenance = root.Find("provenance"))
    {
        TakeProvenance(*provenance);
    }
    if (const auto base = root.Find("base"))
    {
        const std::vector<std::string> presets = GetPresets();
        TakeBase(presets[base->GetWord(presets)]);
    }
    SetFigures(name);
}

void
AcceleratorFile::TakeProvenance(const JsonValue& provenance)
{
    const std::vector<std::string> keys =
        {"device", "date", "program", "torch", "runtime", "driver", "seconds"};
    provenance.CheckKeys(keys);
    for (const auto& key : keys)
    {
        if (const auto value = provenance.Find(key))
        {
            m_provenance.push_back({key, value->GetText()});
        }
    }
}

void
AcceleratorFile::TakeGroup(const JsonValue& group)
{
    group.CheckKeys({"confidence", "source", "values"});
    const std::string confidence =
        GetConfidences()[group.Get("confidence").GetWord(GetConfidences())];
    const std::string source = group.Get("source").GetText();
    std::vector<std::string> known;
    for (const auto& member : GetMembers())
    {
        known.push_back(member.key);
    }
    const JsonValue values = group.Get("values");
    values.CheckKeys(known);
    for (const auto& member : GetMembers())
    {
        const auto value = values.Find(member.key);
        if (value && Find(member.key) != nullptr)
        {
            value->Fail("this figure has a value already: it must have one");
        }
        if (value)
        {
            m_figures.push_back({member.key, ReadFigure(*value, member), confidence, source, ""});
        }
    }
}

void
AcceleratorFile::TakeBase(const std::string& name)
{
    const bool hasPeak = std::any_of(m_figures.begin(), m_figures.end(), [](const Figure& figure) {
        return IsPeak(figure.key);
    });
    const Figure* gpus = Find(SERVER_GPUS);
    const bool isAlone = gpus != nullptr && gpus->value == 1;
    const AcceleratorFile base(name);
    for (const auto& figure : base.GetFigures())
    {
        const bool isReplaced =
            (hasPeak && IsPeak(figure.key)) || (isAlone && figure.key == SERVER_RATE);
        if (Find(figure.key) == nullptr && !isReplaced)
        {
            m_figures.push_back(figure);
            // A fit holds for its own accelerator alone
            std::string& confidence = m_figures.back().confidence;
            confidence = confidence == "fitted" ? "inherited" : confidence;
        }
    }
}

const AcceleratorFile::Figure*
AcceleratorFile::Find(const std::string& key) const
{
    const auto found = std::find_if(m_figures.begin(),
                                    m_figures.end(),
                                    [&key](const Figure& figure) { return figure.key == key; });
    return found == m_figures.end() ? nullptr : &*found;
}

void
AcceleratorFile::SetFigures(const std::string& name)
{
    Accelerator& gpu = m_accelerator;
    bool hasPeak = false;
    for (const auto& member : GetMembers())
    {
        const Figure* figure = Find(member.key);
        const bool isNeeded = member.kind != FigureKind::PEAK &&
                              member.kind != FigureKind::OPTIONAL &&
                              (member.key != SERVER_RATE || Find(SERVER_GPUS)->value > 1);
        if (figure == nullptr && isNeeded)
        {
            throw std::invalid_argument(name + " has no figure \"" + member.key +
                                        "\": it needs one, or a \"base\" that has one");
        }
        hasPeak = hasPeak || (figure != nullptr && member.kind == FigureKind::PEAK);
        if (figure != nullptr && member.value)
        {
            member.value(gpu) = figure->value;
        }
    }
    if (!hasPeak)
    {
        throw std::invalid_argument(name + " has no peak of matrix products: it needs a figure "
                                           "\"halfFlopsPerSecond\", for example");
    }
    gpu.memoryBytes = static_cast<uint64_t>(Find("memoryGib")->value) << 30;
    gpu.serverGpus = static_cast<uint32_t>(Find(SERVER_GPUS)->value);
    gpu.serverBitRate *= 8;
    // An accelerator without TF32 multiplies in FP32
    if (Find("tf32FlopsPerSecond") == nullptr)
    {
        gpu.singleMatrixFlops = gpu.fp32MatrixFlops;
    }
    const std::vector<std::pair<const char*, double ArithmeticEfficiency::*>> shares = {
        {"fp8MatmulEfficiency", &ArithmeticEfficiency::matmul},
        {"fp8ConvolutionEfficiency", &ArithmeticEfficiency::convolution},
        {"fp8AttentionEfficiency", &ArithmeticEfficiency::attention}};
    for (const auto& [key, share] : shares)
    {
        if (Find(key) == nullptr)
        {
            gpu.fp8Efficiency.*share = gpu.halfEfficiency.*share;
        }
    }
    // Only products with parameters have 4 bits
    if (Find("nvfp4MatmulEfficiency") == nullptr)
    {
        gpu.nvfp4Efficiency = gpu.fp8Efficiency;
    }
}

const std::string&
AcceleratorFile::GetDescription() const
{
    return m_description;
}

const std::vector<AcceleratorFile::Figure>&
AcceleratorFile::GetFigures() const
{
    return m_figures;
}

const std::vector<AcceleratorFile::Fact>&
AcceleratorFile::GetProvenance() const
{
    return m_provenance;
}

const Accelerator&
AcceleratorFile::GetAccelerator() const
{
    return m_accelerator;
}

} // namespace lightpath
} // namespace ns3
