/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Measures what a frame of 9000 bytes costs on one lightpath, and on ns-3's own point-to-point
 * link: two nodes, the same rate, the same generator of packets, a queue that is never empty. A
 * third link is a lightpath with errors, which are too rare to happen. Each round runs all; ratios
 * are medians over the rounds.
 */

#include "ns3/circuit-switch-channel.h"
#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/link-budget.h"
#include "ns3/node.h"
#include "ns3/optical-error-model.h"
#include "ns3/optical-link.h"
#include "ns3/optical-net-device.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint32_t FRAME_BYTES = 9000;         //!< Size of a frame with its header
constexpr uint32_t PPP_HEADER_BYTES = 2;       //!< Header that a point-to-point device adds
constexpr uint32_t ETHERNET_HEADER_BYTES = 14; //!< Header that an optical device adds
constexpr uint32_t BURST = 100;                //!< Packets that are sent at a time
constexpr int64_t FRAME_NANOSECONDS = 720;     //!< Time that a frame takes at 100 Gb/s
constexpr uint16_t PROTOCOL = 0x0800;          //!< Protocol number of the packets
constexpr const char* RATE = "100Gbps";        //!< Rate of the link
constexpr const char* QUEUE_SIZE = "1000p";    //!< Size of the queue of a device
constexpr double FIBRE_METRES = 20;            //!< Fibre from each device to the switch
constexpr int64_t DELAY_NANOSECONDS = 200;     //!< Delay of the point-to-point link: the same fibre

/// Sends bursts through a device, each before the queue is empty.
class Generator
{
  public:
    /**
     * @param device the device
     * @param destination the address of the device at the other end
     * @param packetBytes the size of a packet without the header that the device adds
     * @param nFrames the number of packets to send
     */
    Generator(Ptr<NetDevice> device, Address destination, uint32_t packetBytes, uint64_t nFrames)
        : m_device(device),
          m_destination(destination),
          m_packetBytes(packetBytes),
          m_left(nFrames)
    {
    }

    /// Send a burst in advance, which keeps the queue from ever being empty, and begin.
    void Start()
    {
        SendBurst();
        Send();
    }

  private:
    /// Send a burst, and again when the device has sent as much.
    void Send()
    {
        SendBurst();
        if (m_left > 0)
        {
            Simulator::Schedule(NanoSeconds(FRAME_NANOSECONDS * BURST), &Generator::Send, this);
        }
    }

    /// Send a burst.
    void SendBurst()
    {
        for (uint32_t i = 0; i < BURST && m_left > 0; i++, m_left--)
        {
            m_device->Send(Create<Packet>(m_packetBytes), m_destination, PROTOCOL);
        }
    }

    Ptr<NetDevice> m_device; //!< The device that sends
    Address m_destination;   //!< The device that receives
    uint32_t m_packetBytes;  //!< Size of a packet
    uint64_t m_left;         //!< Packets to be sent yet
};

/// Two devices that are joined.
struct Link
{
    Ptr<NetDevice> sender;   //!< The device that sends
    Ptr<NetDevice> receiver; //!< The device that receives
    uint32_t headerBytes;    //!< Size of the header that the sender adds
};

/**
 * @return a point-to-point link between two new nodes
 */
Link
MakePointToPoint()
{
    auto channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(NanoSeconds(DELAY_NANOSECONDS)));
    std::vector<Ptr<NetDevice>> devices;
    for (int i = 0; i < 2; i++)
    {
        auto queue = CreateObject<DropTailQueue<Packet>>();
        queue->SetAttribute("MaxSize", StringValue(QUEUE_SIZE));
        auto device = CreateObject<PointToPointNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        device->SetDataRate(DataRate(RATE));
        device->SetQueue(queue);
        CreateObject<Node>()->AddDevice(device);
        device->Attach(channel);
        devices.emplace_back(device);
    }
    return {devices[0], devices[1], PPP_HEADER_BYTES};
}

/**
 * @return the errors of light that is strong enough
 */
Ptr<OpticalErrorModel>
MakeErrors()
{
    OpticalSignal signal;
    signal.frequency = 193.1e12;
    signal.power = DbmToWatt(-10);
    const auto errors = CreateObject<OpticalErrorModel>();
    errors->SetSignal(CreateObject<OpticalLink>(), signal);
    return errors;
}

/**
 * @param errors the errors of the path, or null
 * @return a lightpath of one lane, in each direction, between two new nodes
 */
Link
MakeLightpath(Ptr<OpticalErrorModel> errors)
{
    auto channel = CreateObject<CircuitSwitchChannel>();
    channel->SetAttribute("NSwitches", UintegerValue(1));
    channel->SetAttribute("FibreLength", DoubleValue(FIBRE_METRES));
    channel->SetAttribute("LaneRate", StringValue(RATE));
    channel->SetAttribute("SwitchingDelay", TimeValue(Time(0)));
    std::vector<Ptr<NetDevice>> devices;
    for (int i = 0; i < 2; i++)
    {
        auto queue = CreateObject<VirtualOutputQueue>();
        queue->SetAttribute("DestinationMaxSize", StringValue(QUEUE_SIZE));
        auto device = CreateObject<OpticalNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        device->SetQueue(queue);
        CreateObject<Node>()->AddDevice(device);
        device->Attach(channel);
        device->SetPathErrors(1 - i, errors);
        devices.emplace_back(device);
    }
    CircuitPlan plan;
    plan.AddLane(0, 1, {});
    plan.AddLane(1, 0, {});
    channel->Configure(plan);
    return {devices[0], devices[1], ETHERNET_HEADER_BYTES};
}

/**
 * Send frames over a link.
 *
 * @param makeLink makes the link
 * @param nFrames the number of frames
 * @return the processor time that a frame takes, in seconds
 */
double
Measure(const std::function<Link()>& makeLink, uint64_t nFrames)
{
    const Link link = makeLink();
    uint64_t nReceived = 0;
    link.receiver->SetReceiveCallback(NetDevice::ReceiveCallback(
        [&nReceived](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
            nReceived++;
            return true;
        }));
    Generator generator(link.sender,
                        link.receiver->GetAddress(),
                        FRAME_BYTES - link.headerBytes,
                        nFrames);
    Simulator::ScheduleNow(&Generator::Start, &generator);
    const std::clock_t begin = std::clock();
    Simulator::Run();
    const std::clock_t end = std::clock();
    Simulator::Destroy();
    if (nReceived != nFrames)
    {
        throw std::runtime_error(std::to_string(nFrames) + " frames were sent, but " +
                                 std::to_string(nReceived) + " were received");
    }
    return static_cast<double>(end - begin) / CLOCKS_PER_SEC / static_cast<double>(nFrames);
}

/**
 * @param values some values, at least one
 * @return their median
 */
double
GetMedian(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
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
    uint64_t nFrames = 1000000;
    uint32_t nRounds = 5;
    std::string json = "-";
    CommandLine cmd(__FILE__);
    cmd.AddValue("frames", "Frames of one measurement", nFrames);
    cmd.AddValue("rounds", "Measurements of each kind of link", nRounds);
    cmd.AddValue("json", "File for the result; - for the standard output", json);
    cmd.Parse(argc, argv);

    std::vector<double> pointToPoint;
    std::vector<double> onLightpath;
    std::vector<double> ratios;
    std::vector<double> errorRatios;
    try
    {
        for (uint32_t round = 0; round < std::max(nRounds, 1U); round++)
        {
            pointToPoint.push_back(Measure(MakePointToPoint, nFrames));
            onLightpath.push_back(Measure([] { return MakeLightpath(nullptr); }, nFrames));
            ratios.push_back(onLightpath.back() / pointToPoint.back());
            const double withErrors = Measure([] { return MakeLightpath(MakeErrors()); }, nFrames);
            errorRatios.push_back(withErrors / onLightpath.back());
        }
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << std::endl;
        return 1;
    }
    const nlohmann::json result = {{"pointToPointSeconds", GetMedian(pointToPoint)},
                                   {"lightpathSeconds", GetMedian(onLightpath)},
                                   {"ratio", GetMedian(ratios)},
                                   {"errorRatio", GetMedian(errorRatios)}};
    const bool isPrinted = json == "-";
    std::ofstream file;
    if (!isPrinted)
    {
        file.open(json);
    }
    (isPrinted ? std::cout : file) << result.dump() << std::endl;
    return file ? 0 : 1;
}
