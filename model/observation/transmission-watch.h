/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSMISSION_WATCH_H
#define TRANSMISSION_WATCH_H

#include "job-record.h"

#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/optical-net-device.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class Packet;

namespace lightpath
{

class CircuitPlan;
class FabricChannel;
class InNetworkChannel;
class JobPorts;
class TrainingJob;
class Transport;
struct ComputedMessage;

/**
 * @ingroup lightpath
 * @brief Follows the messages of a job through the transmitters of its fabrics.
 *
 * It knows the frames of CircuitTransport. Through servers, it follows messages that take one
 * network as a whole.
 */
class TransmissionWatch
{
  public:
    /**
     * @param job the job, which must outlive this object
     * @param record takes the times
     */
    TransmissionWatch(TrainingJob& job, JobRecord& record);

    TransmissionWatch(const TransmissionWatch&) = delete;
    TransmissionWatch& operator=(const TransmissionWatch&) = delete;

    /**
     * Note that a message is about to be handed to the transport.
     *
     * @param ref where it is recorded
     */
    void Send(JobRecord::MessageRef ref);

    /**
     * Note that a message has arrived.
     *
     * @param source the rank that sent it
     * @param destination the rank that it was for
     * @param tag its tag
     */
    void Receive(uint32_t source, uint32_t destination, uint64_t tag);

    /**
     * Note the times of a message that has been computed without events.
     *
     * @param ref where it is recorded
     * @param computed the message, as far as it has come
     */
    void AddComputed(JobRecord::MessageRef ref, const ComputedMessage& computed);

    /// Listen to the devices from now on, which takes most of the time.
    void Begin();

  private:
    /// A message under way: fabric (JobRecord::NONE for ranks), source, destination, tag.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint64_t>;

    /// The message and frame that a transmitter sends.
    struct Transmitter
    {
        JobRecord::MessageRef current; //!< The message that has begun
        JobRecord::MessageRef last;    //!< The message that ended last
        Time lastEnd;                  //!< When that ended
        uint64_t left{0};              //!< Bytes of the current message that have not been sent

        /**
         * End a message.
         *
         * @param ref the message
         * @param time when
         */
        void End(JobRecord::MessageRef ref, Time time)
        {
            current = {};
            last = ref;
            lastEnd = time;
            left = 0;
        }
    };

    /// A device, and what it is attached to.
    struct Port
    {
        uint32_t fabric{0};     //!< Number of the fabric
        uint32_t port{0};       //!< Port of the device
        Mac48Address address;   //!< Address of the device
        FabricChannel* channel; //!< The fabric
    };

    /// A frame of a message that is recorded.
    struct Frame
    {
        JobRecord::MessageRef ref;   //!< The message
        JobRecord::Message* message; //!< The same
        Transmitter* transmitter;    //!< What sends it
        uint64_t bytes;              //!< Bytes of the message in the frame
    };

    /**
     * Watch a fabric.
     *
     * @param channel the fabric
     * @param hasFrames whether its devices send frames of a CircuitTransport
     * @return its number
     */
    uint32_t AddFabric(Ptr<FabricChannel> channel, bool hasFrames);

    /**
     * Watch the circuits of a fabric, if it has any.
     *
     * @param channel the fabric
     * @param fabric its number
     */
    void AddCircuits(Ptr<FabricChannel> channel, uint32_t fabric);

    /**
     * Watch the slots of a fabric that averages.
     *
     * @param channel the fabric
     * @param fabric its number
     */
    void AddSlots(Ptr<InNetworkChannel> channel, uint32_t fabric);

    /**
     * Listen to the frames and the lightpaths of a device.
     *
     * @param device the device
     * @param fabric the number of its fabric
     */
    void AddDevice(Ptr<OpticalNetDevice> device, uint32_t fabric);

    /// Watch the networks inside and between servers.
    void AddServers();

    /**
     * Note which letter of the servers carries the message that is being handed over.
     *
     * @param transport the transport that takes it
     * @param fabric the number of its fabric
     * @param rail the fabric between servers; none inside a server
     * @param port its port
     */
    void AddLetters(Ptr<Transport> transport,
                    uint32_t fabric,
                    std::optional<uint32_t> rail,
                    uint32_t port);

    /**
     * @param port the port that a frame leaves
     * @param packet the frame
     * @return the frame, if it belongs to a message that is recorded
     */
    std::optional<Frame> Find(const Port& port, const Ptr<const Packet>& packet);

    /**
     * Note the beginning of a transmission.
     *
     * @param ref where the message is recorded
     * @param transmitter what sends it
     * @param fabric the number of its fabric
     * @param time when it begins
     */
    void BeginMessage(JobRecord::MessageRef ref,
                      Transmitter& transmitter,
                      uint32_t fabric,
                      Time time);

    /**
     * Note the beginning of a frame.
     *
     * @param port the port that it leaves
     * @param packet the frame
     */
    void NoteBegin(const Port& port, const Ptr<const Packet>& packet);

    /**
     * Note the end of a frame.
     *
     * @param port the port that it leaves
     * @param packet the frame
     */
    void NoteEnd(const Port& port, const Ptr<const Packet>& packet);

    /**
     * Note that a lightpath goes dark or comes up.
     *
     * @param port the port that it begins at
     * @param destination the port that it leads to
     * @param up whether it comes up
     */
    void NoteLightpath(const Port& port, uint32_t destination, bool up);

    /**
     * @param port a port of a fabric without servers
     * @return the rank of the job on it; any number if there is none
     */
    uint32_t ToRank(uint32_t port) const;

    /**
     * @param rank a rank
     * @return its port of a fabric without servers
     */
    uint32_t ToPort(uint32_t rank) const;

    /**
     * @param port a port
     * @param destination another port of the same fabric
     * @return the number of the transmitter from one to the other
     */
    static uint64_t GetNumber(const Port& port, uint32_t destination);

    TrainingJob& m_job;                      //!< The job
    std::shared_ptr<const JobPorts> m_ports; //!< Ports of its ranks; null if those are ranks
    /// Devices that Begin() listens to, each with the number of its fabric
    std::vector<std::pair<Ptr<OpticalNetDevice>, uint32_t>> m_devices;
    JobRecord& m_record;                              //!< Takes the times
    JobRecord::MessageRef m_handedOver;               //!< The message that is being handed over
    std::multimap<Key, JobRecord::MessageRef> m_open; //!< The messages under way
    std::map<Key, JobRecord::MessageRef> m_letters;   //!< Those of servers, by letter
    std::unordered_map<uint64_t, Transmitter> m_transmitters; //!< The transmitters by number
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSMISSION_WATCH_H */
