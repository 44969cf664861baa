/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "averaging-reducer.h"
#include "data-parallel-training.h"
#include "model/fabric/in-network-channel.h"
#include "model/photonics/exact-averager.h"
#include "model/photonics/mesh-imperfections.h"
#include "model/photonics/network/network-averager.h"
#include "model/photonics/network/table-averager.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "ring-reducer.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/enum.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <iomanip>
#include <iostream>

/**
 * @file
 * @ingroup lightpath
 * Trains a small classifier of digits on several servers, whose gradients travel as real packets
 * over a ring of servers or through a network that averages them, and compares how well it learns.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// What the command line asks for.
struct Options
{
    int64_t servers{4};                                         //!< Number of servers
    int64_t bits{8};                                            //!< Bits of a word
    int64_t blockSize{256};                                     //!< Numbers that share a scale
    std::string rounding{"nearest"};                            //!< How words are rounded
    std::string bandwidth{"800Gbps"};                           //!< Rate of a server
    std::string delay{"1us"};                                   //!< Of the ring's switch
    std::string phaseNoise{"0.01,0.03,0.1"};                    //!< Radians
    int64_t seeds{5};                                           //!< Trainings of each way
    int64_t epochs{30};                                         //!< Times that images are seen
    std::string computeTime{"20us"};                            //!< Of a step
    std::string data{LIGHTPATH_DATA_DIR "/optical-digits.txt"}; //!< File with the images
    LearningOptions learning;                                   //!< The rest
};

/// A way to average gradients.
struct Way
{
    std::string name;       //!< Its name
    bool isRing{false};     //!< Over a ring of servers
    bool isQuantised{true}; //!< As words
    bool isTrained{false};  //!< By a trained network on meshes
    double phaseNoise{0};   //!< Of the meshes, in radians
};

/// How a way did, over all seeds.
struct Outcome
{
    double accuracy{0};     //!< Mean share of the test images whose digit is found
    double least{1};        //!< Least of all seeds
    double most{0};         //!< Most of all seeds
    double trainingLoss{0}; //!< Mean loss on the images learnt from
    double seconds{0};      //!< Simulated time, mean
    uint64_t sentBytes{0};  //!< By a server in a training
    double wrongWords{0};   //!< Share of random words with a wrong average
    double largest{-1};     //!< Largest loss of accuracy of a seed to the first way
};

/**
 * @param options the options
 * @return the ways to compare; meshes only where the module has trained weights for them
 */
std::vector<Way>
GetWays(const Options& options)
{
    std::vector<Way> ways{{"ring, float", true, false, false, 0},
                          {"ring, quantised", true, true, false, 0},
                          {"optinc, exact", false, true, false, 0}};
    if (options.servers == 4 && options.bits == 8)
    {
        ways.push_back({"optinc, mesh", false, true, true, 0});
        for (const auto& noise : SplitList(options.phaseNoise))
        {
            char* end = nullptr;
            const double radians = std::strtod(noise.c_str(), &end);
            if (noise.empty() || *end != '\0' || !(radians >= 0 && radians < 10))
            {
                throw std::invalid_argument("--phaseNoise=" + noise +
                                            " is no number of radians from 0 to 10");
            }
            ways.push_back({"  noise " + noise + " rad", false, true, true, radians});
        }
    }
    return ways;
}

/**
 * @param options the options
 * @param way a way without a ring
 * @return what averages the words
 */
Ptr<WordAverager>
MakeAverager(const Options& options, const Way& way)
{
    if (!way.isTrained)
    {
        const auto averager = CreateObject<ExactAverager>();
        averager->SetAttribute("Servers", UintegerValue(options.servers));
        averager->SetAttribute("Bits", UintegerValue(options.bits));
        return averager;
    }
    const auto network = CreateObject<NetworkAverager>();
    network->SetAttribute("Kind", EnumValue(NetworkAverager::TRAINED));
    network->SetAttribute("OnMesh", BooleanValue(true));
    const auto imperfections = CreateObject<MeshImperfections>();
    imperfections->SetAttribute("PhaseNoiseRad", DoubleValue(way.phaseNoise));
    network->SetAttribute("Imperfections", PointerValue(imperfections));
    network->AssignStreams(10);
    // The phases of a training do not change, and so neither does the table
    const auto table = CreateObject<TableAverager>();
    table->SetAttribute("Averager", PointerValue(network));
    return table;
}

/**
 * @param averager an averager
 * @return the share of random words of which it gets the average wrong
 */
double
GetWrongWords(const WordAverager& averager)
{
    constexpr std::size_t count = 20000;
    const uint32_t servers = averager.GetNServers();
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(3);
    std::vector<std::vector<uint16_t>> words(servers, std::vector<uint16_t>(count));
    std::vector<const uint16_t*> pointers;
    for (auto& own : words)
    {
        for (auto& word : own)
        {
            word = static_cast<uint16_t>(random->GetInteger(0, (1U << averager.GetBits()) - 1));
        }
        pointers.push_back(own.data());
    }
    std::vector<uint16_t> average(count);
    averager.Average(pointers, count, average.data());
    const auto exact = CreateObject<ExactAverager>();
    exact->SetAttribute("Servers", UintegerValue(servers));
    exact->SetAttribute("Bits", UintegerValue(averager.GetBits()));
    std::vector<uint16_t> expected(count);
    exact->Average(pointers, count, expected.data());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        wrong += average[i] != expected[i] ? 1 : 0;
    }
    return static_cast<double>(wrong) / count;
}

/**
 * @param options the options
 * @return what turns numbers into words
 */
Ptr<BlockQuantiser>
MakeQuantiser(const Options& options)
{
    const auto quantiser = CreateObject<BlockQuantiser>();
    quantiser->SetAttribute("Bits", UintegerValue(options.bits));
    quantiser->SetAttribute("BlockSize", UintegerValue(options.blockSize));
    quantiser->SetAttribute(
        "Rounding",
        StringValue(ParseWord("rounding",
                              options.rounding,
                              {{"nearest", "Nearest"}, {"stochastic", "Stochastic"}})));
    quantiser->AssignStreams(4);
    return quantiser;
}

/**
 * Train once.
 *
 * @param options the options
 * @param way how gradients are averaged
 * @param images the images
 * @param [in,out] outcome what the results are added to
 * @return the accuracy
 */
double
Train(const Options& options,
      const Way& way,
      const std::vector<DigitImage>& images,
      Outcome& outcome)
{
    NodeContainer nodes;
    nodes.Create(options.servers);
    const auto fabric = FabricHelper::Create(way.isRing ? "electrical" : "optinc");
    fabric->SetBandwidth(ParseRate(options.bandwidth));
    fabric->DisableFlowControl();
    if (auto* electrical = dynamic_cast<ElectricalSwitchHelper*>(fabric.get()))
    {
        electrical->SetDelay(ParseTime(options.delay));
    }
    Require(fabric->Check(options.servers));
    const auto devices = fabric->Install(nodes);
    const auto quantiser = MakeQuantiser(options);
    if (!way.isRing)
    {
        const auto averager = MakeAverager(options, way);
        outcome.wrongWords += GetWrongWords(*averager) / options.seeds;
        FabricHelper::GetChannel(devices)->SetAttribute("Averager", PointerValue(averager));
    }
    std::vector<std::unique_ptr<GradientReducer>> reducers;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto device = DynamicCast<OpticalNetDevice>(devices.Get(i));
        if (way.isRing)
        {
            reducers.push_back(
                std::make_unique<RingReducer>(device,
                                              devices.GetN(),
                                              way.isQuantised ? quantiser : nullptr));
        }
        else
        {
            reducers.push_back(std::make_unique<AveragingReducer>(device, quantiser));
        }
    }
    double accuracy = 0;
    {
        DataParallelTraining training(images, options.learning, std::move(reducers));
        training.Start();
        Simulator::Run();
        if (training.GetEnd().IsZero() || !training.AreEqual())
        {
            throw std::runtime_error("The servers did not end with the same parameters");
        }
        accuracy = training.GetTestScore().accuracy;
        outcome.accuracy += accuracy / options.seeds;
        outcome.least = std::min(outcome.least, accuracy);
        outcome.most = std::max(outcome.most, accuracy);
        outcome.trainingLoss += training.GetTrainingScore().loss / options.seeds;
        outcome.seconds += training.GetEnd().GetSeconds() / options.seeds;
        outcome.sentBytes = training.GetSentBytes();
    }
    Simulator::Destroy();
    return accuracy;
}

/**
 * Refuse what cannot be trained, and fill in what follows from other options.
 *
 * @param [in,out] options the options
 * @param nImages the number of images
 */
void
Check(Options& options, std::size_t nImages)
{
    CheckRange("servers", options.servers, 2, options.learning.batch);
    CheckRange("seeds", options.seeds, 1, 1000);
    CheckRange("epochs", options.epochs, 1, 100000);
    CheckRange("blockSize", options.blockSize, 1, 1000000);
    if (options.bits != 8 && options.bits != 16)
    {
        throw std::invalid_argument("--bits=" + std::to_string(options.bits) +
                                    ": real words have 8 or 16 bits");
    }
    if (options.learning.batch % options.servers != 0)
    {
        throw std::invalid_argument(
            "--servers=" + std::to_string(options.servers) + " cannot share out a batch of " +
            std::to_string(options.learning.batch) + " images: their number must divide it");
    }
    if (nImages < options.learning.testImages + options.learning.batch)
    {
        throw std::invalid_argument(std::to_string(nImages) + " images in " + options.data +
                                    " are too few: " + std::to_string(options.learning.testImages) +
                                    " are for the test");
    }
    options.learning.epochs = static_cast<uint32_t>(options.epochs);
    options.learning.computeTime = ParseTime(options.computeTime);
}

/**
 * Train in all ways and print how they did.
 *
 * @param options the options
 */
void
Run(Options options)
{
    const auto images = ReadDigitImages(options.data);
    Check(options, images.size());
    const auto ways = GetWays(options);
    std::vector<Outcome> outcomes(ways.size());
    const uint64_t run = RngSeedManager::GetRun();
    for (int64_t seed = 0; seed < options.seeds; ++seed)
    {
        RngSeedManager::SetRun(run + seed);
        double first = 0;
        for (std::size_t i = 0; i < ways.size(); ++i)
        {
            const double accuracy = Train(options, ways[i], images, outcomes[i]);
            first = i == 0 ? accuracy : first;
            outcomes[i].largest = std::max(outcomes[i].largest, first - accuracy);
        }
    }
    std::cout << options.servers << " servers, " << SmallClassifier::GetNParameters()
              << " parameters, words of " << options.bits << " bits, " << options.epochs
              << " epochs, " << options.seeds << " seeds\n\n"
              << std::left << std::setw(20) << "gradients" << std::right << std::setw(10)
              << "accuracy" << std::setw(18) << "least .. most" << std::setw(9) << "behind"
              << std::setw(10) << "loss" << std::setw(12) << "time" << std::setw(12) << "sent"
              << std::setw(13) << "wrong words"
              << "\n"
              << std::fixed;
    for (std::size_t i = 0; i < ways.size(); ++i)
    {
        const Outcome& outcome = outcomes[i];
        std::cout << std::left << std::setw(20) << ways[i].name << std::right
                  << std::setprecision(2) << std::setw(8) << 100 * outcome.accuracy << " %"
                  << std::setw(8) << 100 * outcome.least << " .. " << std::setw(6)
                  << 100 * outcome.most << std::setw(9) << 100 * outcome.largest
                  << std::setprecision(4) << std::setw(10) << outcome.trainingLoss
                  << std::setprecision(3) << std::setw(9) << 1e3 * outcome.seconds << " ms"
                  << std::setprecision(3) << std::setw(9) << outcome.sentBytes / 1e6 << " MB"
                  << std::setprecision(2) << std::setw(11) << 100 * outcome.wrongWords << " %\n";
    }
    std::cout
        << "\naccuracy: of " << options.learning.testImages
        << " images that were not learnt from, mean; behind: what a seed loses at most to the "
           "ring\nof floats, in points; loss: on the other images; time: simulated; sent: by "
           "a server;\nwrong words: averages of random words that are not exact\n";
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if all was trained
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    Options options;
    ProgramOptions cmd(
        "lightpath-optinc-learning",
        "Train a classifier of digits on servers that average real gradients over a ring, or "
        "in the network.");
    cmd.AddValue("servers", "Number of servers", options.servers);
    cmd.AddValue("bits", "Bits of a word: 8 or 16", options.bits);
    cmd.AddValue("blockSize", "Numbers that share a scale", options.blockSize);
    cmd.AddValue("rounding", "How numbers become words: nearest, stochastic", options.rounding);
    cmd.AddValue("bandwidth", "Rate of a server", options.bandwidth);
    cmd.AddValue("delay", "Delay of the switch of the ring", options.delay);
    cmd.AddValue("phaseNoise", "Noise of the meshes' phases, in radians", options.phaseNoise);
    cmd.AddValue("seeds", "Trainings of each way, from RngRun on", options.seeds);
    cmd.AddValue("epochs", "Times that all images are seen", options.epochs);
    cmd.AddValue("computeTime", "Time that a server computes in a step", options.computeTime);
    cmd.AddValue("data", "File with the images", options.data);
    return cmd.Run(argc, argv, [&] {
        Run(options);
        CheckOutput();
    });
}
