/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/collective/block-quantiser.h"
#include "model/photonics/exact-averager.h"
#include "model/photonics/mesh-imperfections.h"
#include "model/training/transport/quantised-tensor.h"
#include "option-values.h"
#include "program-options.h"

#include "ns3/double.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <stdexcept>

/**
 * @file
 * @ingroup lightpath
 * Averages numbers of several servers as a network between them does, for programs that train: from
 * the standard input to the standard output.
 *
 * A block of the input is the count of numbers (32 bits) and then the numbers of each server, as
 * floats. Its answer is the averages, as floats, and the count of averaged words that are wrong (32
 * bits). All are in the order of bytes of the machine.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The numbers of each server.
using Tensors = std::vector<std::vector<float>>;

/**
 * @param [out] tensors the numbers of the next block
 * @return false at the end of the input
 */
bool
Read(Tensors& tensors)
{
    uint32_t count = 0;
    std::cin.read(reinterpret_cast<char*>(&count), sizeof(count));
    if (std::cin.gcount() == 0)
    {
        return false;
    }
    constexpr uint32_t most = 1 << 28;
    if (std::cin && count > most)
    {
        throw std::invalid_argument("The input begins a block of " + std::to_string(count) +
                                    " numbers of each server: " + std::to_string(most) +
                                    " are possible");
    }
    // Memory grows with the numbers that come
    constexpr std::size_t atOnce = 1 << 20;
    for (auto& own : tensors)
    {
        own.clear();
        while (std::cin && own.size() < count)
        {
            const std::size_t begin = own.size();
            own.resize(std::min<std::size_t>(count, begin + atOnce));
            std::cin.read(reinterpret_cast<char*>(own.data() + begin),
                          static_cast<std::streamsize>((own.size() - begin) * sizeof(float)));
        }
    }
    if (!std::cin)
    {
        throw std::invalid_argument("The input ends inside a block of numbers");
    }
    return true;
}

/**
 * @brief Average the words of all servers, and let the first server take the averages.
 *
 * @param averager the averager of the network
 * @param exact an exact averager
 * @param quantiser makes words of numbers
 * @param [in,out] tensors the numbers of each server
 * @return the number of wrong averages
 */
uint32_t
Average(const WordAverager& averager,
        const WordAverager& exact,
        Ptr<const BlockQuantiser> quantiser,
        Tensors& tensors)
{
    const std::size_t count = tensors[0].size();
    const std::size_t nBlocks = (count + quantiser->GetBlockSize() - 1) / quantiser->GetBlockSize();
    // All servers take the largest of the scales that they need
    std::vector<uint8_t> scales(nBlocks);
    std::vector<uint8_t> own(nBlocks);
    for (auto& values : tensors)
    {
        QuantisedTensor(values, quantiser).GetScales(0, count, own.data());
        std::transform(own.begin(),
                       own.end(),
                       scales.begin(),
                       scales.begin(),
                       [](uint8_t a, uint8_t b) { return std::max(a, b); });
    }
    std::vector<std::vector<uint16_t>> words(tensors.size(), std::vector<uint16_t>(count));
    std::vector<const uint16_t*> pointers;
    for (std::size_t server = 0; server < tensors.size(); ++server)
    {
        QuantisedTensor(tensors[server], quantiser)
            .GetWords(0, count, scales.data(), words[server].data());
        pointers.push_back(words[server].data());
    }
    std::vector<uint16_t> averages(count);
    std::vector<uint16_t> right(count);
    averager.Average(pointers, count, averages.data());
    exact.Average(pointers, count, right.data());
    QuantisedTensor(tensors[0], quantiser).SetAverage(0, count, scales.data(), averages.data());
    return static_cast<uint32_t>(std::inner_product(averages.begin(),
                                                    averages.end(),
                                                    right.begin(),
                                                    0,
                                                    std::plus<>(),
                                                    std::not_equal_to<>()));
}

} // namespace

/**
 * Averages the numbers of the standard input.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if all were averaged
 */
int
main(int argc, char* argv[])
{
    uint32_t servers = 4;
    uint32_t bits = 8;
    std::string averager = "exact";
    double phaseNoise = 0;
    ProgramOptions cmd(
        "lightpath-optinc-average",
        "Average numbers of servers in words, as a network between them does: floats "
        "from the standard input, and averages to the standard output.");
    cmd.AddValue("servers", "Servers whose numbers are averaged", servers, 1, 1024);
    cmd.AddValue("bits", "Bits of a word", bits, 2, 16);
    cmd.AddValue("averager",
                 "What averages: constructive, exact, mesh, optical, trained",
                 averager);
    cmd.AddValue("phaseNoise", "Noise of the phases of meshes, in radians", phaseNoise);
    return cmd.Run(argc, argv, [&] {
        if (!(phaseNoise >= 0 && phaseNoise < 10))
        {
            throw std::invalid_argument("--phaseNoise must be from 0 to 10 radians");
        }
        const auto imperfections = CreateObject<MeshImperfections>();
        imperfections->SetAttribute("PhaseNoiseRad", DoubleValue(phaseNoise));
        imperfections->AssignStreams(1);
        OptIncHelper fabric;
        fabric.SetBits(bits);
        fabric.SetAverager(averager);
        fabric.SetNetworkAttribute("Imperfections", PointerValue(imperfections));
        Require(fabric.Check(servers));
        const auto network = fabric.MakeAverager(servers);
        const auto exact = CreateObjectWithAttributes<ExactAverager>("Servers",
                                                                     UintegerValue(servers),
                                                                     "Bits",
                                                                     UintegerValue(bits));
        const auto quantiser =
            CreateObjectWithAttributes<BlockQuantiser>("Bits", UintegerValue(bits));
        quantiser->AssignStreams(2);
        Tensors tensors(servers);
        while (Read(tensors))
        {
            const uint32_t wrong = Average(*network, *exact, quantiser, tensors);
            std::cout.write(reinterpret_cast<const char*>(tensors[0].data()),
                            static_cast<std::streamsize>(tensors[0].size() * sizeof(float)));
            std::cout.write(reinterpret_cast<const char*>(&wrong), sizeof(wrong));
            std::cout.flush();
        }
    });
}
