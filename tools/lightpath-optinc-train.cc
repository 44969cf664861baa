/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/photonics/network/network-trainer.h"
#include "option-values.h"
#include "program-options.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <ctime>
#include <iomanip>

/**
 * @file
 * @ingroup lightpath
 * Trains a network that averages words, and writes its weights. The options of ns-3 choose the
 * random numbers: --RngRun=2 is another network.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param text sizes of layers, like 4-64-4
 * @return the sizes
 */
std::vector<uint32_t>
ParseSizes(const std::string& text)
{
    constexpr uint32_t most = 4096;
    std::vector<uint32_t> sizes;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, '-');)
    {
        std::istringstream number(word);
        uint32_t size = 0;
        if (!(number >> size) || !number.eof() || size == 0 || size > most)
        {
            throw std::invalid_argument("--layers=" + text + " must have numbers from 1 to " +
                                        std::to_string(most) + " between hyphens, like 4-64-4");
        }
        sizes.push_back(size);
    }
    return sizes;
}

/**
 * @return the seconds that processors have worked for this process
 */
double
GetProcessorSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/**
 * Trains a network, and says how it goes.
 *
 * @param trainer the network, as drawn
 * @param quiet whether to say nothing
 * @return the inputs whose average is wrong in the end
 */
uint64_t
Train(NetworkTrainer& trainer, bool quiet)
{
    constexpr uint32_t lines = 20;
    const uint32_t epochs = trainer.GetNEpochsLeft();
    const uint32_t interval = (epochs + lines - 1) / lines;
    if (!quiet)
    {
        std::cout << "epoch        loss     wrong  processor s\n";
    }
    while (trainer.GetNEpochsLeft() > 0)
    {
        const double loss = trainer.RunEpoch();
        const uint32_t epoch = epochs - trainer.GetNEpochsLeft();
        if (!quiet && (epoch % interval == 0 || epoch == epochs))
        {
            std::cout << std::setw(5) << epoch << std::setw(12) << loss << std::setw(10)
                      << trainer.CountErrors() << std::setw(13) << std::fixed
                      << std::setprecision(1) << GetProcessorSeconds() << std::defaultfloat
                      << std::setprecision(6) << std::endl;
        }
    }
    return trainer.CountErrors();
}

} // namespace

/**
 * Trains a network, as the options say.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if all went well
 */
int
main(int argc, char* argv[])
{
    std::string form = "blocks";
    std::string layers = "4-64-128-256-128-64-4";
    std::string out;
    int64_t servers = 4;
    int64_t bits = 8;
    int64_t epochs = 400;
    double rate = 2e-3;
    bool quiet = false;
    ProgramOptions cmd("lightpath-optinc-train",
                       "Train a network that averages the words of servers, on all of its inputs.");
    cmd.AddValue("form", "svd: any weights; blocks: diagonal times orthogonal blocks", form);
    cmd.AddValue("layers", "Sizes of the layers, from the inputs to the outputs", layers);
    cmd.AddValue("servers", "Servers whose words are averaged", servers, 1, 1024);
    cmd.AddValue("bits", "Bits of a word, an even number", bits, 2, 16);
    cmd.AddValue("epochs", "How many times all inputs are learned", epochs, 1, 1000000);
    cmd.AddValue("rate", "Adam's rate at the beginning", rate);
    cmd.AddValue("out", "File for the weights", out);
    cmd.AddValue("quiet", "Print nothing but errors", quiet);
    return cmd.Run(argc, argv, [&] {
        if (!(rate > 0 && rate <= 1))
        {
            throw std::invalid_argument("--rate must be above 0, and 1 at the most");
        }
        const bool isBlocks = ParseWord("form", form, {{"svd", ""}, {"blocks", "1"}}) == "1";
        auto trainer = CreateObject<NetworkTrainer>();
        trainer->SetAttribute("Servers", UintegerValue(servers));
        trainer->SetAttribute("Bits", UintegerValue(bits));
        trainer->SetAttribute("Epochs", UintegerValue(epochs));
        trainer->SetAttribute("FirstRate", DoubleValue(rate));
        trainer->AssignStreams(1);
        trainer->Start(isBlocks ? NetworkWeights::BLOCKS : NetworkWeights::SVD, ParseSizes(layers));
        if (!out.empty())
        {
            // What cannot be written should be known before the training
            trainer->GetWeights().Write(out);
        }
        const uint64_t errors = Train(*trainer, quiet);
        if (!out.empty())
        {
            trainer->GetWeights().Write(out);
        }
        if (errors > 0)
        {
            throw std::invalid_argument("The network is wrong on " + std::to_string(errors) +
                                        " inputs: try more epochs or another --RngRun");
        }
        trainer->Dispose();
    });
}
