/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_TRANSPORT_H
#define CIRCUIT_TRANSPORT_H

#include "transport.h"

#include "ns3/frame-source.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/optical-transmitter.h"
#include "ns3/port-table.h"
#include "ns3/traced-callback.h"

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

class FabricChannel;
class FrameStreams;
class JobPorts;
class OpticalNetDevice;

/**
 * @ingroup lightpath
 * @brief Carries messages as frames of an OpticalNetDevice.
 *
 * Rank r is port r of the fabric, unless the job shares it (SetPorts()). A message is cut into
 * frames, each with a MessageHeader, when the device is ready to send them. With a FrameSize of
 * zero a message is one frame (a burst), or several beyond 1 GiB: as nothing queues inside a fabric
 * of circuits, the times differ from those of small frames only by the headers, at a fraction of
 * the events. Where another port of the fabric stores and forwards the frames
 * (FabricChannel::IsForwarded()), a whole message would be late: it is cut into the ForwardedFrames
 * instead.
 *
 * A frame that is received corrupt is sent again (selective repeat), ahead of all others. The
 * sender learns of the loss after the propagation delay of the path and the RetransmissionDelay.
 * After MaxRepeats losses of the same part of a message the transport fails.
 */
class CircuitTransport : public Transport, public FrameSource
{
  public:
    /// The protocol number of the frames: IEEE 802 Local Experimental Ethertype 1.
    static constexpr uint16_t PROTOCOL_NUMBER = 0x88b5;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CircuitTransport();
    ~CircuitTransport() override;

    void SetDevice(Ptr<OpticalNetDevice> device) override;

    /**
     * @param ports the ports of the job; null if rank r runs on port r
     */
    void SetPorts(std::shared_ptr<const JobPorts> ports);

    /**
     * @return the ports of the job; null if rank r runs on port r
     */
    const std::shared_ptr<const JobPorts>& GetPorts() const
    {
        return m_ports;
    }

    /**
     * @param rank a rank
     * @return its port
     */
    uint32_t GetPort(uint32_t rank) const;

    /// Leave the device to another job, as all messages of this one have been received.
    void Release();

    /**
     * @return the device that it sends and receives on; null before SetDevice()
     */
    Ptr<OpticalNetDevice> GetDevice() const;

    /**
     * Take back the unsent messages for a rank. The bytes already sent of a burst that darkness has
     * cut arrive; any other frame is taken back whole.
     *
     * @param rank the rank
     * @param bulk messages of at least this size in bytes stay; 0 for none
     * @return the messages, or their remainders, in the order in which they were sent
     */
    virtual std::vector<MessagePiece> Withdraw(uint32_t rank, uint64_t bulk);

    /**
     * TracedCallback signature for a frame that waits to be sent again.
     *
     * @param rank the rank that it is for
     */
    typedef void (*SendAgainTracedCallback)(uint32_t rank);

    /**
     * @param port the port that a message is for
     * @param bytes the size of the message in bytes
     * @return the bytes of its one frame, with headers; 0 if it takes several, or if somebody looks
     *         at messages
     */
    uint64_t GetUntracedFrame(uint32_t port, uint64_t bytes) const;

    /**
     * @param tag the tag of a message that takes one frame
     * @param bytes its size in bytes
     * @return the frame
     */
    SourceFrame MakeFrame(uint64_t tag, uint64_t bytes) const;

    /**
     * Count frames that a LightpathBorrower has sent.
     *
     * @param bytes their size in bytes, with headers
     */
    void CountLent(uint64_t bytes) override;

    /**
     * Note that a message has been handed to a LightpathBorrower.
     *
     * @param port the port that it is for
     * @param wait the time from now until its frame begins
     */
    void NoteLent(uint32_t port, Time wait);

    /**
     * Borrow the stream to a port, if messages may be sent on it.
     *
     * @param port the port
     * @return the stream; FrameStreams::NONE if there is none
     */
    uint32_t BorrowStream(uint32_t port);

    /**
     * Take a message that a LightpathBorrower gives back behind the frame that is being sent.
     *
     * @param port the port that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void TakeOver(uint32_t port, uint64_t tag, uint64_t bytes) override;

    CircuitTransport* FindCircuit(uint32_t rank, uint64_t bytes) override;
    void Send(uint32_t rank, uint64_t tag, uint64_t bytes) override;
    void SetComputed(bool isComputed) override;
    void NoteEvent(Time delay) const override;
    uint64_t GetComputed() const override;
    void SendRest(uint32_t rank, const MessagePiece& rest) override;
    uint64_t GetSentBytes() const override;
    bool IsMoving() const override;
    Time GetDarkTime() const override;
    std::vector<Time> GetDarkChanges() const override;
    std::string Describe() const override;
    TransportStatistics GetStatistics() const override;

    Ptr<Packet> NextFrame(uint32_t destination) override;
    bool DescribesFrames() const override;
    bool DescribeFrame(uint32_t destination, SourceFrame& frame) override;
    uint16_t GetProtocolNumber() const override;
    uint32_t GetHeaderSize() const override;
    uint64_t GetBacklog(uint32_t destination) const override;
    bool ReceiveFrame(const Ptr<const Packet>& payload) override;
    bool ReceiveDescribed(const SourceFrame& frame) override;
    void NotifyLost(uint32_t destination, Ptr<const Packet> payload) override;

  protected:
    void DoDispose() override;

    /**
     * @return the FrameSize
     */
    uint64_t GetFrameSize() const;

    /**
     * Count one more loss of a part of a message. Beyond MaxRepeats the transport fails.
     *
     * @param rank the rank whose device should have received it
     * @param [in,out] part the part
     * @return true if it may be sent again
     */
    bool CountLoss(uint32_t rank, MessagePiece& part);

    /**
     * @param rank the rank whose device has received a corrupt frame
     * @return the time from then until it is sent again
     */
    Time GetRepeatDelay(uint32_t rank) const;

    /**
     * Trace a frame that waits to be sent again.
     *
     * @param rank the rank that it is for
     */
    void TraceSendAgain(uint32_t rank);

    /**
     * Add a frame that is handed to the device to the bytes sent.
     *
     * @param bytes its size in bytes, with all headers
     */
    void CountSent(uint64_t bytes);

    /**
     * Subtract the unsent part of a frame that is taken back from the bytes sent.
     *
     * @param bytes its size in bytes
     */
    void CountUnsent(uint64_t bytes);

  private:
    /// Messages that wait for one rank: mostly one, which needs no memory of its own.
    using MessagePieces = boost::container::small_vector<MessagePiece, 1>;

    /// The messages that wait for one rank.
    struct Outgoing
    {
        /// Remove the first message that waits.
        void PopFirst();

        /**
         * Add a message ahead of all others.
         *
         * @param message the message
         */
        void PushFirst(const MessagePiece& message);

        /// Messages already sent, then the unsent remainders of waiting messages
        MessagePieces messages;
        std::size_t first{0}; //!< Index of the first waiting message
        uint64_t bytes{0};    //!< Bytes of the frames of waiting messages
    };

    /**
     * @return true if the log shows messages
     */
    static bool IsLogged();

    /**
     * @param port the port that a message is for
     * @param message the message, or a part of one
     * @return the most bytes of it in one frame
     */
    uint64_t GetMaxPayload(uint32_t port, const MessagePiece& message) const;

    /**
     * @param port the port that a message is for
     * @param message the message, or a part of one
     * @return the size of all its frames in bytes, with their headers
     */
    uint64_t GetFrameBytes(uint32_t port, const MessagePiece& message) const;

    /**
     * Send a message without an event for it, if the fabric can.
     *
     * @param port the port that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     * @return true if it is sent
     */
    bool SendComputed(uint32_t port, uint64_t tag, uint64_t bytes);

    /**
     * @param frame a frame
     * @return its payload
     */
    static Ptr<Packet> MakePayload(const SourceFrame& frame);

    /**
     * Send a part of a message again, ahead of all others.
     *
     * @param port the port that it is for
     * @param part the part
     */
    void SendAgain(uint32_t port, const MessagePiece& part);

    /**
     * @param port a port of the job
     * @return its rank
     */
    uint32_t GetRank(uint32_t port) const;

    Ptr<OpticalNetDevice> m_device;            //!< Sends and receives the frames
    bool m_isReleased{false};                  //!< The device may serve another job
    Time m_darkTime;                           //!< Dark time when it was released
    std::shared_ptr<const JobPorts> m_ports;   //!< The ports of the job, or null
    uint64_t m_sentBytes{0};                   //!< Bytes of the frames handed over
    FabricChannel* m_channel{nullptr};         //!< The fabric of the device
    FrameStreams* m_streams{nullptr};          //!< Sends messages without events, or null
    bool m_isComputed{false};                  //!< It may do so
    uint64_t m_frameSize;                      //!< Bytes of a frame, zero for a burst
    uint32_t m_forwardedFrames;                //!< Most frames of a burst that is forwarded
    Time m_retransmissionDelay;                //!< From a loss to its repeat, beyond propagation
    uint8_t m_maxRepeats;                      //!< Most repeats of a part of a message
    uint64_t m_repeatedBytes{0};               //!< Bytes of messages sent again
    PortTable<Outgoing> m_outgoing;            //!< Messages that wait, by port
    TracedCallback<uint32_t> m_sendAgainTrace; //!< A frame waits to be sent again
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_TRANSPORT_H */
