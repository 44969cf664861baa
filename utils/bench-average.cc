/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Measures what it takes to average a tensor of real words of several servers in the network, with
 * a table in place of an optical neural network.
 */

#include "model/fabric/averaging-client.h"
#include "model/fabric/in-network-channel.h"
#include "model/photonics/exact-averager.h"
#include "model/photonics/network/network-averager.h"
#include "model/photonics/network/table-averager.h"

#include "ns3/command-line.h"
#include "ns3/enum.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Words that all tensors are parts of, again and again.
constexpr std::size_t POOL = std::size_t{1} << 20;

/// Words in a row of a tensor that follow each other in the pool.
constexpr std::size_t ROW = std::size_t{1} << 16;

/**
 * @return random words of 8 bits
 */
const std::vector<uint16_t>&
GetPool()
{
    static const std::vector<uint16_t> pool = [] {
        std::mt19937 random(1);
        std::vector<uint16_t> words(POOL);
        std::generate(words.begin(), words.end(), [&random]() { return random() & 255; });
        return words;
    }();
    return pool;
}

/// The tensor of a server, made of the pool; it counts the averages that come back.
class PooledTensor : public AveragedTensor
{
  public:
    /**
     * @param server the number of the server
     * @param nWords the number of words
     */
    PooledTensor(uint32_t server, uint64_t nWords)
        : m_server(server),
          m_nWords(nWords)
    {
    }

    uint64_t GetNWords() const override
    {
        return m_nWords;
    }

    uint32_t GetBlockSize() const override
    {
        return 256;
    }

    void GetScales(uint64_t first, std::size_t count, uint8_t* scales) const override
    {
        std::fill_n(scales, (count + 255) / 256, 100);
    }

    void GetWords(uint64_t first,
                  std::size_t count,
                  const uint8_t* scales,
                  uint16_t* words) override
    {
        for (std::size_t done = 0; done < count;)
        {
            const std::size_t part = std::min(count - done, ROW);
            const std::size_t place = ((first + done) / ROW * 31 + m_server * 7919) % (POOL - ROW);
            std::copy_n(GetPool().begin() + static_cast<std::ptrdiff_t>(place), part, words + done);
            done += part;
        }
    }

    void SetAverage(uint64_t first,
                    std::size_t count,
                    const uint8_t* scales,
                    const uint16_t* words) override
    {
        nReceived += count;
        if (first == 0)
        {
            average.assign(words, words + std::min(count, ROW));
        }
    }

    uint64_t nReceived{0};         //!< Averages that have come back
    std::vector<uint16_t> average; //!< The first of them

  private:
    uint32_t m_server; //!< The server
    uint64_t m_nWords; //!< The number of words
};

/**
 * @param nServers the number of servers
 * @return what averages their words by a table
 */
Ptr<TableAverager>
MakeTable(uint32_t nServers)
{
    const auto network = CreateObject<NetworkAverager>();
    network->SetAttribute("Kind", EnumValue(NetworkAverager::CONSTRUCTIVE));
    network->SetAttribute("Servers", UintegerValue(nServers));
    const auto table = CreateObject<TableAverager>();
    table->SetAttribute("Averager", PointerValue(network));
    return table;
}

/**
 * @param averager an averager
 * @param tensors the tensors of the servers
 * @return the averages of the first words
 */
std::vector<uint16_t>
AverageFirst(const WordAverager& averager,
             const std::vector<std::shared_ptr<PooledTensor>>& tensors)
{
    std::vector<std::vector<uint16_t>> words;
    std::vector<const uint16_t*> pointers;
    for (const auto& tensor : tensors)
    {
        words.emplace_back(ROW);
        tensor->GetWords(0, ROW, nullptr, words.back().data());
    }
    for (const auto& own : words)
    {
        pointers.push_back(own.data());
    }
    std::vector<uint16_t> average(ROW);
    averager.Average(pointers, ROW, average.data());
    return average;
}

/**
 * Average a tensor of each server.
 *
 * @param nServers the number of servers
 * @param nBytes the size of a tensor
 * @param burstSize the bytes of a burst
 * @return the results
 */
nlohmann::json
Measure(uint32_t nServers, uint64_t nBytes, uint64_t burstSize)
{
    const auto channel = CreateObject<InNetworkChannel>();
    const auto table = MakeTable(nServers);
    channel->SetAttribute("Averager", PointerValue(table));
    std::vector<Ptr<AveragingClient>> clients;
    std::vector<std::shared_ptr<PooledTensor>> tensors;
    for (uint32_t server = 0; server < nServers; ++server)
    {
        const auto device = CreateObject<OpticalNetDevice>();
        CreateObject<Node>()->AddDevice(device);
        device->Attach(channel);
        clients.push_back(CreateObject<AveragingClient>());
        clients.back()->SetAttribute("BurstSize", UintegerValue(burstSize));
        clients.back()->SetDevice(device);
        tensors.push_back(std::make_shared<PooledTensor>(server, nBytes));
    }
    const std::clock_t begin = std::clock();
    AverageFirst(*table, tensors);
    const std::clock_t made = std::clock();
    for (uint32_t server = 0; server < nServers; ++server)
    {
        clients[server]->Send(0, tensors[server]);
    }
    Simulator::Run();
    const std::clock_t end = std::clock();
    const double simulated = Simulator::Now().GetSeconds();
    for (const auto& client : clients)
    {
        client->Dispose();
    }
    Simulator::Destroy();
    const auto exact = CreateObject<ExactAverager>();
    exact->SetAttribute("Servers", UintegerValue(nServers));
    const auto expected = AverageFirst(*exact, tensors);
    for (const auto& tensor : tensors)
    {
        if (tensor->nReceived != nBytes ||
            !std::equal(tensor->average.begin(), tensor->average.end(), expected.begin()))
        {
            throw std::runtime_error("The averages that came back are not those of the words");
        }
    }
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return {{"tableSeconds", static_cast<double>(made - begin) / CLOCKS_PER_SEC},
            {"seconds", static_cast<double>(end - made) / CLOCKS_PER_SEC},
            {"simulatedSeconds", simulated},
            {"peakMemoryBytes", uint64_t{1024} * usage.ru_maxrss}};
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the measurement was made
 */
int
main(int argc, char* argv[])
{
    uint32_t nServers = 16;
    uint64_t nBytes = uint64_t{64} << 20;
    uint64_t burstSize = uint64_t{256} << 10;
    std::string json;
    CommandLine cmd(__FILE__);
    cmd.AddValue("servers", "Number of servers", nServers);
    cmd.AddValue("bytes", "Bytes of a tensor, one a word", nBytes);
    cmd.AddValue("burst", "Bytes of a burst", burstSize);
    cmd.AddValue("json", "File for the result; by default the standard output", json);
    cmd.Parse(argc, argv);
    nlohmann::json result;
    try
    {
        result = Measure(nServers, nBytes, burstSize);
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << std::endl;
        return 1;
    }
    std::ofstream file(json);
    (json.empty() ? std::cout : file) << result.dump() << std::endl;
    return json.empty() || file ? 0 : 1;
}
