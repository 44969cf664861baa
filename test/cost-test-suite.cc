/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"

#include "ns3/bill-of-materials.h"
#include "ns3/custom-fabric-helper.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fabric-description.h"
#include "ns3/interconnect-helper.h"
#include "ns3/network-cost.h"
#include "ns3/server-helper.h"
#include "ns3/server-preset.h"

#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param fabric the name of a fabric
 * @param nNodes the number of its nodes
 * @param bandwidth the rate of a node
 * @return its components
 */
BillOfMaterials
MakeBill(const std::string& fabric, uint32_t nNodes, const std::string& bandwidth)
{
    const auto helper = InterconnectHelper::Create(fabric);
    helper->SetBandwidth(DataRate(bandwidth));
    return FabricDescription::Create(*helper)->GetBill(nNodes);
}

/**
 * @param bill components
 * @return their price with pluggable optics, US dollars
 */
double
GetPrice(const BillOfMaterials& bill)
{
    return CreateObject<NetworkCost>()->Estimate(bill, "H100", 1).GetNetworkPrice();
}

/**
 * @param bill components
 * @return their power with pluggable optics, W
 */
double
GetWatts(const BillOfMaterials& bill)
{
    return CreateObject<NetworkCost>()->Estimate(bill, "H100", 1).GetNetworkWatts();
}

/**
 * @param text the components of a file
 * @return the table with them
 */
ComponentTable
ReadTable(const std::string& text)
{
    std::istringstream input(R"({"format": "lightpath-components", "version": 1, "components": [)" +
                             text + "]}");
    ComponentTable table;
    table.Read(input, "c.json");
    return table;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The tests of power and price.
 */
class CostTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Counts components of a fabric.
     *
     * @param fabric the name of the fabric
     * @param nNodes the number of its nodes
     * @param bandwidth the rate of a node
     * @param component the name of a component
     * @param count the number of it, by hand
     */
    void TestCount(const std::string& fabric,
                   uint32_t nNodes,
                   const std::string& bandwidth,
                   const std::string& component,
                   double count)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeBill(fabric, nNodes, bandwidth).GetCount(component),
                                  count,
                                  1e-9 * count,
                                  component);
    }

    /// Servers have links inside and a fabric for each rail.
    void TestServers()
    {
        ServerHelper servers(InterconnectHelper::Create("electrical"));
        ServerPreset::Get("dgx-h100").Configure(servers);
        // 18 links of NVLink 4 a GPU, and 8 switches with 2 ports
        NS_TEST_EXPECT_MSG_EQ(
            FabricDescription::Create(servers)->GetBill(16).GetCount("scale-up-link-200g"),
            288,
            "Inside");
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(servers)->GetBill(16).GetCount("nic-400g"),
                              16,
                              "Cards");
        NS_TEST_EXPECT_MSG_EQ(
            FabricDescription::Create(servers)->GetBill(16).GetCount("switch-port-400g"),
            16,
            "Ports");
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(servers)->GetBill(8).GetCount("nic-400g"),
                              0,
                              "One server");
        servers.SetKind("mesh");
        servers.SetReduces(false);
        NS_TEST_EXPECT_MSG_EQ(
            FabricDescription::Create(servers)->GetBill(8).GetCount("scale-up-link-200g"),
            72,
            "Mesh");
    }

    /**
     * Compares the price of an end point with a table of DeepSeek (ISCA 2025), for networks of
     * switches with 64 ports of 400 Gb/s, whose links to end points do not count. The prices are
     * those of MixNet.
     *
     * @param name the name of the network in the table
     * @param endpoints its end points
     * @param switches its switches; 0 if AddSwitch() finds them
     * @param links its links between switches; the same
     * @param published the price of an end point, k$
     */
    void TestEndpoint(const std::string& name,
                      uint32_t endpoints,
                      uint32_t switches,
                      uint32_t links,
                      double published)
    {
        double ports = 64.0 * switches;
        double ends = 2.0 * links;
        if (switches == 0)
        {
            // The chip has 64 ports at this rate
            BillOfMaterials clos;
            clos.AddSwitch(endpoints, 800e9);
            ports = clos.GetCount("switch-port-800g");
            ends = clos.GetCount("switch-optics-800g");
        }
        BillOfMaterials bill;
        bill.Add("switch-port-400g", ports);
        bill.Add("transceiver-400g", ends);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetPrice(bill) / endpoints / 1000,
                                  published,
                                  0.1 * published,
                                  name);
    }

    /**
     * Compares a network of MixNet (SIGCOMM 2025), of 1024 cards of which a quarter is on a fat
     * tree and the rest on circuit switches, with a fat tree for all: as the two are about as fast,
     * the ratio of prices is that of performance per dollar, for which the paper has a range.
     *
     * @param bandwidth the rate of a card
     * @param least the least published ratio
     * @param most the largest published ratio
     */
    void TestMixNet(const std::string& bandwidth, double least, double most)
    {
        const double ratio = GetMixNetRatio(bandwidth);
        NS_TEST_EXPECT_MSG_GT(ratio, 0.9 * least, bandwidth);
        NS_TEST_EXPECT_MSG_LT(ratio, 1.1 * most, bandwidth);
    }

    /// Compares the mean of the ratios of prices with the published one.
    void TestMixNetMean()
    {
        double sum = 0;
        for (const std::string bandwidth : {"100Gbps", "200Gbps", "400Gbps", "800Gbps"})
        {
            sum += GetMixNetRatio(bandwidth) / 4;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, 2.0, 0.2, "Published: 2.0");
    }

    /// Compares the power of optics and switches with published values.
    void TestWatts()
    {
        // An electrical switch in place of Palomar's 136 ports: about 3 kW
        BillOfMaterials electrical;
        electrical.AddSwitch(128, 400e9, 136.0 / 128);
        electrical.AddSwitchOptics(136, 400e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetWatts(electrical), 3000, 300, "Electrical switch");
        BillOfMaterials palomar;
        palomar.Add("circuit-switch-port", 136);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetWatts(palomar), 108, 0.1, "Palomar");
        // 6.9 pJ/bit co-packaged, 17.5 to 20 pluggable
        BillOfMaterials optics;
        optics.AddSwitchOptics(1, 800e9);
        const auto cost = CreateObject<NetworkCost>();
        const double pluggable = cost->Estimate(optics, "H100", 1).GetNetworkWatts() / 0.8;
        NS_TEST_EXPECT_MSG_EQ_TOL(pluggable, 18.75, 1.25, "Pluggable");
        cost->SetAttribute("Optics", EnumValue(NetworkCost::CO_PACKAGED));
        const double packaged = cost->Estimate(optics, "H100", 1).GetNetworkWatts() / 0.8;
        NS_TEST_EXPECT_MSG_EQ_TOL(packaged, 6.9, 0.05, "Co-packaged");
    }

    /**
     * The capacity of all cards is the rate of the nodes, whatever it is, also where optics beside
     * chips carry it.
     */
    void TestCapacity()
    {
        for (const uint32_t gigabits : {1, 67, 100, 150, 300, 700, 1000, 1234, 2400})
        {
            const std::string rate = std::to_string(gigabits) + "Gbps";
            for (const std::string fabric : {"electrical", "leaf-spine-flows", "rotornet"})
            {
                const BillOfMaterials bill = MakeBill(fabric, 16, rate);
                double capacity = 0;
                for (const uint32_t size : {100, 200, 400, 800})
                {
                    capacity += size * bill.GetCount("nic-" + std::to_string(size) + "g");
                }
                NS_TEST_EXPECT_MSG_EQ_TOL(capacity, 16.0 * gigabits, 1e-5, fabric << ", " << rate);
            }
            // Two directions have wavelengths of 25 Gb/s each
            if (gigabits % 50 == 0)
            {
                const auto light = MakeBill("sip-ring", 16, rate).GetCount("optical-io-100g");
                NS_TEST_EXPECT_MSG_EQ_TOL(100 * light, 16.0 * gigabits, 1e-5, rate);
            }
        }
    }

    /// Rails alone save 38 to 77 % of the price of a network, and 37 to 75 % of its power.
    void TestRails()
    {
        const auto leave = [](BillOfMaterials bill) {
            BillOfMaterials network;
            for (const auto& [component, count] : bill.GetCounts())
            {
                network.Add(component, component == "nic-400g" ? 0 : count);
            }
            return network;
        };
        const auto rails = leave(MakeBill("rail-only", 1024, "400Gbps"));
        for (const std::string name : {"rail-optimised", "fat-tree-flows"})
        {
            const auto network = leave(MakeBill(name, 1024, "400Gbps"));
            const double price = 1 - GetPrice(rails) / GetPrice(network);
            const double watts = 1 - GetWatts(rails) / GetWatts(network);
            NS_TEST_EXPECT_MSG_EQ_TOL(price, 0.575, 0.195, "Price, " << name);
            NS_TEST_EXPECT_MSG_EQ_TOL(watts, 0.56, 0.19, "Power, " << name);
        }
    }

    /// Adds up energy and price of an iteration by hand.
    void TestIteration()
    {
        BillOfMaterials bill;
        bill.Add("laser", 1000);
        bill.Add("nic-400g", 2);
        const auto cost = CreateObject<NetworkCost>();
        cost->SetAttribute("LifeYears", DoubleValue(1 / 365.25));
        cost->SetAttribute("PowerUsageEffectiveness", DoubleValue(2));
        cost->SetAttribute("ElectricityPrice", DoubleValue(3.6));
        cost->SetAttribute("IdlePower", DoubleValue(0.5));
        CostReport report = cost->Estimate(bill, "H100", 2);
        report.samples = 10;
        // Lasers of 10 mW of light draw 50 mW
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetNetworkWatts(), 50 + 50, 1e-9, "Power");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetNetworkPrice(), 2998, 1e-9, "Price");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetNetworkJoules(3), 300, 1e-9, "Network");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetGpuJoules(3, 2), 2 * 700 * 2.5, 1e-9, "GPUs");
        // A day to pay off; a joule costs 2e-6 dollars
        const double price = (2998 + 2 * 27500) / 86400.0 * 3 + (300 + 3500) * 2e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetIterationPrice(3, 2), price, 1e-9, "Iteration");
        const auto json = report.GetJson(3, 2);
        NS_TEST_EXPECT_MSG_EQ_TOL(json["joulesPerSample"].get<double>(), 380, 1e-9, "Samples");
        NS_TEST_EXPECT_MSG_EQ(json.contains("joulesPerToken"), false, "Tokens");
        NS_TEST_EXPECT_MSG_EQ(json["components"][1]["dollarsConfidence"], "published", "Origin");
        NS_TEST_EXPECT_MSG_EQ(json["components"][1]["dollarsYear"], 2025, "Origin");
    }

    /// Every component has power and price, except GPUs of an unknown price.
    void TestTable()
    {
        const ComponentTable own;
        for (const auto& [name, component] : own.GetAll())
        {
            const bool isGpu = name.rfind("gpu-", 0) == 0;
            NS_TEST_EXPECT_MSG_EQ(component.watts.has_value(), true, name);
            NS_TEST_EXPECT_MSG_EQ(component.price.has_value() || isGpu, true, name);
            NS_TEST_EXPECT_MSG_EQ(component.description.empty(), false, name);
        }
        // Replaces what it states, and adds GPUs
        const auto table = ReadTable(
            R"({"name": "laser", "watts":
               {"value": 1, "year": 2030, "confidence": "measured", "source": "here"}},
               {"name": "gpu-X", "watts":
               {"value": 5, "year": 2030, "confidence": "assumed", "source": "none"}})");
        NS_TEST_EXPECT_MSG_EQ(table.Find("laser")->watts->value, 1, "Replaced");
        NS_TEST_EXPECT_MSG_EQ(table.Find("laser")->price->value, 0, "Kept");
        NS_TEST_EXPECT_MSG_EQ(table.Find("gpu-X")->watts->value, 5, "Added");
    }

    /// Refuses what is wrong in a sentence.
    void TestErrors()
    {
        const std::string rest = R"("year": 2024, "confidence": "assumed", "source": "none"}})";
        EXPECT_PART(GetError([&] { ReadTable(R"({"name": "lasor"})"); }),
                    "c.json: /components/0/name: there is no such component");
        EXPECT_PART(
            GetError([&] { ReadTable(R"({"name": "laser", "price": {"value": -1, )" + rest); }),
            "/components/0/price/value");
        EXPECT_PART(
            GetError([&] { ReadTable(R"({"name": "laser", "price": {"value": 1, "year": 24}})"); }),
            "/components/0/price/year");
        EXPECT_PART(GetError([&] { ComponentTable().ReadFile("nowhere.json"); }), "nowhere.json");
        const auto cost = CreateObject<NetworkCost>();
        EXPECT_PART(GetError([&] { cost->Estimate({}, "X", 1); }),
                    "The power of a X is not known: state that of gpu-X");
        BillOfMaterials bill;
        bill.Add("crystal", 1);
        EXPECT_PART(GetError([&] { cost->Estimate(bill, "H100", 1); }), "'crystal' are not known");
        EXPECT_PART(GetError([&] { MakeBill("sip-ocs", 10000, "2000Gbps"); }),
                    "There is no price of a switch with 10000 ports");
        const CustomFabricHelper custom("ns3::lightpath::CircuitSwitchChannel",
                                        DataRate("1Gbps"),
                                        [](const TrafficMatrix&) { return CircuitPlan(); });
        EXPECT_PART(GetError([&] { FabricDescription::Create(custom)->GetBill(4); }),
                    "has to override GetBill()");
    }

  private:
    /**
     * @param bandwidth the rate of a card
     * @return the price of a fat tree over that of MixNet
     */
    static double GetMixNetRatio(const std::string& bandwidth)
    {
        const auto tree = MakeBill("fat-tree-flows", 1024, bandwidth);
        BillOfMaterials mixed;
        mixed.Add(tree, 0.25);
        mixed.AddCards(768, static_cast<double>(DataRate(bandwidth).GetBitRate()));
        mixed.Add("circuit-switch-port", 768);
        return GetPrice(tree) / GetPrice(mixed);
    }
};

/// Registers the test cases
static const SuiteCases g_costCases(
    "lightpath-cost",
    // Fat trees of k ports have 5 k^2 / 4 switches and k^3 / 4 nodes; leaf and spine 3 ports a node
    {MakeCases("Components of a fabric",
               &CostTests::TestCount,
               {{"fat-tree", 128, "400Gbps", "switch-port-400g", 640},
                {"fat-tree-flows", 128, "400Gbps", "switch-port-400g", 640},
                {"fat-tree-flows", 1024, "800Gbps", "switch-optics-800g", 5120},
                {"fat-tree-flows", 1024, "800Gbps", "transceiver-800g", 1024},
                {"leaf-spine", 64, "400Gbps", "switch-port-400g", 192},
                {"leaf-spine-flows", 64, "300Gbps", "switch-port-200g", 192},
                {"leaf-spine-flows", 64, "300Gbps", "switch-port-100g", 192},
                // A leaf of a rail has 8 GPUs, or two of them 20 each, and as many links up
                {"rail-optimised", 64, "400Gbps", "switch-port-400g", 192},
                {"rail-optimised", 320, "400Gbps", "switch-port-400g", 960},
                {"cluster", 64, "100Gbps", "scale-up-link-200g", 64 * 12},
                // 64 ports of 800 Gb/s are a chip; 65 take two levels of them
                {"electrical", 64, "800Gbps", "switch-port-800g", 64},
                {"electrical", 65, "800Gbps", "switch-port-800g", 3 * 65},
                {"electrical", 65, "800Gbps", "switch-optics-800g", 3 * 65},
                {"electrical", 2049, "800Gbps", "switch-port-800g", 5 * 2049},
                // 800 + 200, 2 x 800 + 400, half of 100, and 200 + half of 100
                {"electrical", 4, "1000Gbps", "nic-800g", 4},
                {"electrical", 4, "1000Gbps", "nic-200g", 4},
                {"electrical", 4, "1000Gbps", "transceiver-200g", 4},
                {"electrical", 4, "2000Gbps", "nic-800g", 8},
                {"electrical", 4, "2000Gbps", "nic-400g", 4},
                {"electrical", 4, "50Gbps", "nic-100g", 2},
                {"electrical", 4, "250Gbps", "switch-port-100g", 2},
                // 65 ports of 800 Gb/s take two levels of chips, those of 200 Gb/s one
                {"electrical", 65, "1000Gbps", "switch-port-800g", 3 * 65},
                {"electrical", 65, "1000Gbps", "switch-port-200g", 65},
                // 80 lanes of 25 Gb/s a GPU; light covers 8 segments without amplifiers
                {"sip-ring", 16, "2000Gbps", "laser", 1280},
                {"sip-ring", 16, "2000Gbps", "micro-ring", 2560},
                {"sip-ring", 16, "2000Gbps", "optical-io-100g", 320},
                {"sip-ring", 16, "2000Gbps", "optical-amplifier", 160},
                {"sip-ring", 64, "2000Gbps", "optical-amplifier", 640},
                // 20 switches of one stage, or of three beyond 136 ports
                {"sip-ocs", 16, "2000Gbps", "circuit-switch-port", 320},
                {"sip-ocs", 1024, "2000Gbps", "circuit-switch-port", 61440},
                {"sip-ocs", 16, "2000Gbps", "micro-ring", 2560},
                // A row and a column each, of 4 nodes, or of 32, which is more than 20
                {"oddl", 16, "200Gbps", "wavelength-switch-port", 32},
                {"oddl", 16, "200Gbps", "tunable-laser", 128},
                {"oddl", 1024, "200Gbps", "wavelength-switch-port", 3 * 2048},
                // 304 interferometers average words of 8 bits, two words at a time
                {"optinc", 4, "800Gbps", "phase-shifter", 2 * 304 * 2},
                // A hidden layer has six rectifiers, the rest, and the digits that are known
                {"optinc", 4, "800Gbps", "optical-amplifier", (7 + 8 + 9 + 10 + 4) * 2},
                // The averager has as many lasers as a GPU
                {"optinc", 4, "800Gbps", "laser", 32 + 8},
                {"optinc", 4, "800Gbps", "optical-io-100g", 32 + 8},
                {"sip-ring+leaf-spine", 16, "2000Gbps", "laser", 1280}}),
     {MakeCase("Servers", &CostTests::TestServers),
      MakeCase("Cards have the rate of nodes", &CostTests::TestCapacity)},
     MakeCases("Published price of an end point",
               &CostTests::TestEndpoint,
               {{"FT2", 2048, 0, 0, 4.39},
                {"FT3", 65536, 0, 0, 7.5},
                {"MPFT", 16384, 768, 16384, 4.39},
                {"Slim Fly", 32928, 1568, 32928, 4.4},
                {"Dragonfly", 261632, 16352, 384272, 5.8}}),
     MakeCases("Published ratio of a fat tree and MixNet",
               &CostTests::TestMixNet,
               {{"100Gbps", 1.2, 1.5},
                {"200Gbps", 1.4, 1.8},
                {"400Gbps", 2.1, 2.3},
                {"800Gbps", 2.0, 2.4}}),
     {MakeCase("Published mean of these ratios", &CostTests::TestMixNetMean),
      MakeCase("Published power of optics and switches", &CostTests::TestWatts),
      MakeCase("Published savings of rails alone", &CostTests::TestRails),
      MakeCase("Energy and price of an iteration", &CostTests::TestIteration),
      MakeCase("Table of components", &CostTests::TestTable),
      MakeCase("Refusals", &CostTests::TestErrors)}});
