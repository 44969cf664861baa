/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPORT_H
#define TRANSPORT_H

#include "message-piece.h"
#include "transport-statistics.h"

#include "ns3/callback.h"
#include "ns3/lightpath-borrower.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CircuitTransport;
class OpticalNetDevice;

/**
 * @ingroup lightpath
 * @brief Carries the messages of one rank to other ranks, whole and without loss.
 *
 * Messages of one rank to another that carry the same tag arrive in the order in which they were
 * sent. A child class implements Send() and calls Deliver() at the receiver.
 */
class Transport : public Object
{
  public:
    /// Takes a message: rank of the sender, tag, size in bytes.
    using ReceiveCallback = std::function<void(uint32_t, uint64_t, uint64_t)>;

    /// Takes the sentence that says why messages can no longer be carried.
    using FailureCallback = Callback<void, const std::string&>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Send and receive on a device, which is attached to a fabric and to no other transport. The
     * base class aborts; override it in a transport that uses the devices of a fabric.
     *
     * @param device the device
     */
    virtual void SetDevice(Ptr<OpticalNetDevice> device);

    /**
     * Send a message.
     *
     * @param rank the rank that it is for, another one
     * @param tag identifies it at the receiver
     * @param bytes its size in bytes, at least 1
     */
    virtual void Send(uint32_t rank, uint64_t tag, uint64_t bytes) = 0;

    /**
     * Let the network average the messages that all ranks hand over with the same tag. Each rank
     * receives the average as a message of the same tag and size from itself. The base class fails
     * the job, since most networks only carry messages.
     *
     * @param tag identifies the average
     * @param bytes the size of each message in bytes, at least 1
     */
    virtual void Average(uint64_t tag, uint64_t bytes);

    /**
     * Let the network inside the server of this rank average the messages that all ranks of the
     * server hand over with the same tag, as Average() does. The base class fails the job.
     *
     * @param tag identifies the average
     * @param bytes the size of each message in bytes, at least 1
     */
    virtual void AverageInside(uint64_t tag, uint64_t bytes);

    /**
     * @param rank another rank
     * @param bytes the size of a message in bytes
     * @return the transport that would send the message over a single lightpath, straight to the
     *         port of this number; null if there is none, as in the base class
     */
    virtual CircuitTransport* FindCircuit(uint32_t rank, uint64_t bytes);

    /**
     * Let messages be sent without an event for each, where the fabric can (FrameStreams); not by
     * the base class.
     *
     * @param isComputed whether to do so
     */
    virtual void SetComputed(bool isComputed);

    /**
     * Note that an event of the rank has been scheduled, behind which messages that are computed
     * have their place.
     *
     * @param delay the time from now until it happens
     */
    virtual void NoteEvent(Time delay) const;

    /**
     * @return the messages for this rank that have been sent without an event for each
     */
    virtual uint64_t GetComputed() const;

    /**
     * Send the remainder of a partly delivered message. The base class does not split messages and
     * aborts; override to support it.
     *
     * @param rank the rank that it is for
     * @param rest the remainder
     */
    virtual void SendRest(uint32_t rank, const MessagePiece& rest);

    /// Takes a part of a message: rank of the sender, tag, size of the message and of the part.
    using PartCallback = Callback<void, uint32_t, uint64_t, uint64_t, uint64_t>;

    /**
     * @param callback takes the parts of messages as they arrive, in place of whole messages; not
     *        called by a child class that does not split messages
     */
    void SetPartCallback(PartCallback callback);

    /**
     * @param callback takes each message as its last byte arrives
     */
    void SetReceiveCallback(ReceiveCallback callback);

    /**
     * @param callback takes the sentence if messages can no longer be carried. Without a callback,
     *        such a failure ends the program.
     */
    void SetFailureCallback(FailureCallback callback);

    /**
     * @return the bytes of all frames sent so far, with headers; a frame counts when it begins
     */
    virtual uint64_t GetSentBytes() const = 0;

    /**
     * @return true if bytes are being sent, or will be although no rank does anything
     */
    virtual bool IsMoving() const = 0;

    /**
     * @return a clause that says which messages cannot be sent now, and why; empty if all can
     */
    virtual std::string Describe() const = 0;

    /**
     * @return true if, on a fabric of circuits, a message can only take a lightpath that leads
     *         straight to its rank, as in the base class; false if there are other ways
     */
    virtual bool WaitsForCircuits() const;

    /**
     * @param bytes the size of a message
     * @return true if it may take a circuit, on a fabric of circuits; always in the base class
     */
    virtual bool UsesCircuits(uint64_t bytes) const;

    /**
     * @return how long messages waited at first for the network to be set up: the first one for a
     *         circuit, or the slowest connection for its handshake
     */
    virtual Time GetSetUpTime() const;

    /**
     * @return how long until now there was something to send, but no light for any of it; zero in
     *         the base class
     */
    virtual Time GetDarkTime() const;

    /**
     * @return when GetDarkTime() began to grow and when it ceased, by turns, if DarkClock keeps
     *         account of it; none in the base class
     */
    virtual std::vector<Time> GetDarkChanges() const;

    /**
     * @return the counts of the transport; none in the base class
     */
    virtual TransportStatistics GetStatistics() const;

    /**
     * TracedCallback signature for a message that is handed over.
     *
     * @param rank the rank that it is for
     * @param tag identifies it at the receiver
     * @param bytes its size in bytes
     */
    typedef void (*SendTracedCallback)(uint32_t rank, uint64_t tag, uint64_t bytes);

  protected:
    void DoDispose() override;

    /**
     * @return true if a sink looks at messages that are handed over, or a callback at their parts
     */
    bool LooksAtMessages() const;

    /// Note that a message is handed over, which is traced by nobody.
    void NoteSend();

    /**
     * Note the first message of a rank, which is traced by nobody.
     *
     * @param wait the time from now until its first frame begins
     */
    void NoteMessage(Time wait);

    /**
     * Trace a message that is handed over; called by a child class in Send().
     *
     * @param rank the rank that it is for
     * @param tag identifies it at the receiver
     * @param bytes its size in bytes
     */
    void TraceSend(uint32_t rank, uint64_t tag, uint64_t bytes);

    /**
     * Note that a frame begins; called by a child class that sends frames over circuits.
     */
    void NoteFrame();

    /**
     * Hand a message that has arrived to the receive callback.
     *
     * @param rank the rank that sent it
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void Deliver(uint32_t rank, uint64_t tag, uint64_t bytes);

    /**
     * Take a part of a message that has arrived. The message goes to the receive callback once it
     * is whole; with a part callback, each part goes there instead.
     *
     * @param rank the rank that sent it
     * @param tag its tag
     * @param size its size in bytes
     * @param bytes the size of the part in bytes
     */
    void ReceivePart(uint32_t rank, uint64_t tag, uint64_t size, uint64_t bytes);

    /**
     * Report that messages can no longer be carried.
     *
     * @param sentence why
     */
    void Fail(const std::string& sentence);

  private:
    PartCallback m_partCallback;                          //!< Takes the parts of messages
    ReceiveCallback m_callback;                           //!< Takes the messages
    FailureCallback m_failureCallback;                    //!< Takes the sentence of a failure
    FrameTrace<uint32_t, uint64_t, uint64_t> m_sendTrace; //!< A message is handed over
    std::optional<Time> m_firstSend;                      //!< When the first was handed over
    std::optional<Time> m_setUpTime;                      //!< How long it waited for a circuit
    /// Bytes received of messages that are not whole, by sender and tag
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> m_incoming;
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSPORT_H */
