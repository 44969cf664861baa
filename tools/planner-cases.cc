/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner-cases.h"

#include "option-values.h"

#include "ns3/accelerator.h"
#include "ns3/model-zoo.h"

#include <fnmatch.h>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// All cases: up to 32 GPUs, 64 and 128, 256, 512 and 1024.
const std::vector<PlannerCase> CASES = {
    {"bert-large:sequence=128", 16, 64, "sip-ring", "250Gbps", "20us"},
    {"bert-large:sequence=128", 16, 128, "sip-ocs", "100Gbps", "10ms"},
    {"bert-large:sequence=128", 16, 128, "electrical", "100Gbps", ""},
    {"bert-large", 32, 64, "sip-ring", "250Gbps", "1ms"},
    {"bert-large", 32, 64, "sip-ocs", "200Gbps", "20us"},
    {"gpt2-xl", 16, 32, "sip-ring", "500Gbps", "20us"},
    {"gpt2-xl", 16, 32, "sip-ocs", "200Gbps", "1ms"},
    {"gpt2-xl", 32, 32, "sip-ring", "1Tbps", "20us"},
    {"gpt2-xl", 32, 64, "electrical", "200Gbps", ""},
    {"megatron-2.5b", 16, 16, "sip-ring", "500Gbps", "20us"},
    {"megatron-2.5b", 16, 32, "sip-ocs", "200Gbps", "1ms"},
    {"megatron-4.2b", 32, 64, "sip-ring", "2Tbps", "1ms"},
    {"megatron-4.2b", 32, 32, "sip-ocs", "500Gbps", "20us"},
    {"megatron-8.3b", 32, 64, "electrical", "400Gbps", ""},
    {"transformer-big", 16, 512, "sip-ring", "250Gbps", "1ms"},
    {"transformer-big", 32, 512, "sip-ocs", "200Gbps", "20us"},
    {"transformer-big", 32, 512, "electrical", "100Gbps", ""},
    {"resnet50", 16, 256, "sip-ring", "250Gbps", "20us"},
    {"resnet50", 32, 512, "electrical", "100Gbps", ""},
    {"vgg16", 16, 512, "sip-ring", "250Gbps", "10ms"},
    {"vgg16", 16, 256, "sip-ocs", "100Gbps", "20us"},
    {"vgg16", 32, 512, "electrical", "200Gbps", ""},
    {"dlrm", 16, 2048, "sip-ring", "500Gbps", "20us"},
    {"dlrm", 16, 2048, "sip-ocs", "400Gbps", "1ms"},
    {"dlrm", 16, 2048, "electrical", "200Gbps", ""},
    {"mixtral-8x7b:layers=8", 16, 32, "sip-ring", "2Tbps", "20us"},
    {"mixtral-8x7b:layers=8", 32, 64, "electrical", "400Gbps", ""},
    {"bert-large:sequence=128", 64, 256, "sip-ring", "250Gbps", "20us"},
    {"bert-large:sequence=128", 64, 512, "sip-ocs", "200Gbps", "1ms"},
    {"bert-large", 64, 128, "electrical", "100Gbps", ""},
    {"bert-large", 128, 256, "sip-ring", "500Gbps", "20us"},
    {"gpt2-xl", 64, 64, "sip-ring", "500Gbps", "1ms"},
    {"gpt2-xl", 64, 128, "sip-ocs", "400Gbps", "10ms"},
    {"gpt2-xl", 128, 128, "electrical", "200Gbps", ""},
    {"megatron-2.5b", 64, 64, "sip-ring", "1Tbps", "20us"},
    {"megatron-4.2b", 64, 64, "sip-ocs", "500Gbps", "20us"},
    {"megatron-8.3b", 64, 64, "sip-ring", "2Tbps", "20us"},
    {"megatron-8.3b", 128, 128, "electrical", "400Gbps", ""},
    {"sc21-7.5b", 64, 64, "sip-ocs", "1Tbps", "1ms"},
    {"transformer-big", 64, 1024, "sip-ring", "250Gbps", "20us"},
    {"transformer-big", 128, 1024, "electrical", "100Gbps", ""},
    {"resnet50", 64, 1024, "sip-ring", "250Gbps", "20us"},
    {"resnet50", 64, 512, "sip-ocs", "100Gbps", "10ms"},
    {"vgg16", 64, 1024, "sip-ring", "500Gbps", "1ms"},
    {"vgg16", 128, 1024, "electrical", "200Gbps", ""},
    {"dlrm", 64, 8192, "sip-ring", "1Tbps", "20us"},
    {"dlrm", 64, 8192, "electrical", "400Gbps", ""},
    {"mixtral-8x7b:layers=8", 64, 64, "sip-ocs", "2Tbps", "20us"},
    {"gpt3-175b:layers=8", 64, 64, "sip-ring", "4Tbps", "20us"},
    {"gpt3-175b:layers=8", 64, 64, "electrical", "400Gbps", ""},
    {"bert-large:sequence=128,layers=8", 256, 1024, "sip-ring", "250Gbps", "20us"},
    {"bert-large:sequence=128,layers=8", 256, 1024, "electrical", "100Gbps", ""},
    {"gpt2-xl:layers=8", 256, 256, "sip-ocs", "500Gbps", "1ms"},
    {"resnet50", 256, 2048, "sip-ring", "250Gbps", "20us"},
    {"resnet50", 256, 2048, "electrical", "100Gbps", ""},
    {"vgg16", 256, 2048, "sip-ocs", "200Gbps", "20us"},
    {"sc21-7.5b:layers=12", 256, 256, "electrical", "400Gbps", ""},
    {"gpt3-175b:layers=8", 256, 128, "sip-ring", "4Tbps", "20us"},
    {"gpt3-175b:layers=16", 256, 256, "sip-ocs", "4Tbps", "1ms"},
    {"resnet50", 512, 4096, "sip-ring", "250Gbps", "20us"},
    {"resnet50", 512, 4096, "sip-ocs", "100Gbps", "20us"},
    {"gpt3-175b:layers=8", 512, 256, "sip-ocs", "4Tbps", "20us"},
    {"sc21-39.1b", 512, 512, "electrical", "400Gbps", ""},
    {"bert-large", 512, 1024, "electrical", "100Gbps", ""},
    {"bert-large", 1024, 4096, "electrical", "200Gbps", ""},
    {"resnet50", 1024, 8192, "electrical", "100Gbps", ""},
    {"vgg16", 1024, 8192, "electrical", "200Gbps", ""},
    {"gpt3-175b", 1024, 512, "electrical", "400Gbps", ""},
};

} // namespace

std::string
PlannerCase::GetName() const
{
    const std::string job = model + "/" + std::to_string(gpus) + "/" + std::to_string(batch);
    return job + "/" + fabric + "/" + bandwidth + (darkness.empty() ? "" : "/" + darkness);
}

std::unique_ptr<FabricHelper>
PlannerCase::MakeFabric() const
{
    auto helper = FabricHelper::Create(fabric);
    helper->SetBandwidth(ParseRate(bandwidth));
    helper->DisableFlowControl();
    if (!darkness.empty())
    {
        helper->SetChannelAttribute("SwitchingDelay", TimeValue(ParseTime(darkness)));
    }
    return helper;
}

PlanningProblem
PlannerCase::MakeProblem() const
{
    PlanningProblem problem;
    problem.graph = ModelZoo::Create(model);
    problem.accelerator = Accelerator::Create("A100");
    problem.gpus = gpus;
    problem.globalBatch = batch;
    problem.fabric = MakeFabric()->GetLimits(gpus);
    return problem;
}

std::vector<PlannerCase>
GetPlannerCases(const std::string& pattern)
{
    std::vector<PlannerCase> chosen;
    for (const auto& each : CASES)
    {
        if (fnmatch(("*" + pattern + "*").c_str(), each.GetName().c_str(), 0) == 0)
        {
            chosen.push_back(each);
        }
    }
    if (chosen.empty())
    {
        throw std::invalid_argument("There is no case with --cases=" + pattern +
                                    ": --list prints all of them");
    }
    return chosen;
}

std::vector<PlannerCase>
GetCurveCases()
{
    return {{"bert-large", 1024, 4096, "sip-ring", "2Tbps", "20us"},
            {"gpt3-175b", 1024, 1536, "sip-ocs", "4Tbps", "1ms"}};
}
