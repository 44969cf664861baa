/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPORT_H
#define TRANSPORT_H

#include "ns3/callback.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries the messages of one rank to other ranks, whole and without loss.
 *
 * Messages of one rank to another that carry the same tag arrive in the order in which they were
 * sent; a child class implements Send() and calls Deliver() at the receiver.
 */
class Transport : public Object
{
  public:
    /// Takes a message: rank of the sender, tag, size in bytes.
    using ReceiveCallback = Callback<void, uint32_t, uint64_t, uint64_t>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Send a message.
     *
     * @param rank the rank that it is for
     * @param tag what the receiver is to know it by
     * @param bytes its size in bytes, at least 1
     */
    virtual void Send(uint32_t rank, uint64_t tag, uint64_t bytes) = 0;

    /**
     * @param callback what takes each message as its last byte arrives
     */
    void SetReceiveCallback(ReceiveCallback callback);

    /**
     * @return the bytes of the frames that have begun to be sent, with all headers
     */
    virtual uint64_t GetSentBytes() const = 0;

    /**
     * @return true if bytes are being sent, or will be without any rank's doing
     */
    virtual bool IsMoving() const = 0;

    /**
     * @return a clause that says which messages cannot be sent now, and why; empty if there are
     * none
     */
    virtual std::string Describe() const = 0;

    /**
     * TracedCallback signature for a message that is handed over.
     *
     * @param rank the rank that it is for
     * @param tag what the receiver is to know it by
     * @param bytes its size in bytes
     */
    typedef void (*SendTracedCallback)(uint32_t rank, uint64_t tag, uint64_t bytes);

  protected:
    void DoDispose() override;

    /**
     * Trace a message that is handed over; called by a child class in Send().
     *
     * @param rank the rank that it is for
     * @param tag what the receiver is to know it by
     * @param bytes its size in bytes
     */
    void TraceSend(uint32_t rank, uint64_t tag, uint64_t bytes);

    /**
     * Hand a message to who takes it.
     *
     * @param rank the rank that sent it
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void Deliver(uint32_t rank, uint64_t tag, uint64_t bytes);

  private:
    ReceiveCallback m_callback;                               //!< Takes the messages
    TracedCallback<uint32_t, uint64_t, uint64_t> m_sendTrace; //!< A message is handed over
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSPORT_H */
