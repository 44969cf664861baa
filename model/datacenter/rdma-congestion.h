/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_CONGESTION_H
#define RDMA_CONGESTION_H

#include "rdma-frame.h"
#include "rdma-trace.h"

#include "ns3/object.h"

#include <cstdint>
#include <limits>
#include <memory>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The congestion control of one queue pair: the rate and the window of its sender.
 *
 * An abstract base class. Times are in ps of the clock of the RdmaNetwork.
 */
class RdmaCongestion : public Object
{
  public:
    /// The path of a queue pair.
    struct Path
    {
        double bitRate{0};     //!< Rate of the card, bit/s
        int64_t roundTrip{0};  //!< Least time of a full packet and its answer, ps
        int64_t waiting{0};    //!< Time that a full packet takes on each link, there and back, ps
        uint32_t packet{4096}; //!< Payload of a full packet, bytes
    };

    /// An acknowledgement.
    struct Answer
    {
        int64_t now{0};                          //!< When it arrives, ps
        int64_t roundTrip{0};                    //!< Since the packet was sent, ps
        uint64_t bytes{0};                       //!< Bytes that it newly acknowledges
        uint64_t number{0};                      //!< Packets acknowledged so far
        uint64_t next{0};                        //!< Number of the packet that is sent next
        bool isMarked{false};                    //!< The packet met congestion
        const RdmaTelemetry* telemetry{nullptr}; //!< What its path was like, or null
    };

    /// Signals that a sender asks receivers and ports for.
    struct Signals
    {
        uint32_t ackInterval{16};        //!< Packets for each acknowledgement, besides the last one
        int64_t notificationInterval{0}; //!< Least time between notifications, ps; 0: none
        bool hasTelemetry{false};        //!< Ports write into packets
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Start, with the rate of the card and without a window.
     *
     * @param path the path of the queue pair
     */
    virtual void Begin(const Path& path);

    /**
     * Bring the rate up to date.
     *
     * @param now the time
     */
    virtual void Update(int64_t now)
    {
    }

    /**
     * Note that packets leave.
     *
     * @param bytes their size, with headers
     */
    virtual void NoteSent(uint64_t bytes)
    {
    }

    /**
     * Note an acknowledgement.
     *
     * @param answer the acknowledgement
     */
    virtual void NoteAnswer(const Answer& answer)
    {
    }

    /**
     * Note a notification of congestion.
     *
     * @param now the time
     */
    virtual void NoteCongestion(int64_t now)
    {
    }

    /**
     * Note that a packet was lost.
     *
     * @param now the time
     */
    virtual void NoteLoss(int64_t now)
    {
    }

    /**
     * @return what it asks for
     */
    virtual Signals GetSignals() const;

    /**
     * Tell for how long the rate stays as it is unless something is noted.
     *
     * @param time when the next packet leaves, ps
     * @param interval the time from one packet to the next, ps
     * @param bytes the size of each, with headers
     * @return packets for which it stays; 0 if every answer may change it
     */
    virtual uint64_t CountSteady(int64_t time, int64_t interval, uint32_t bytes) const;

    /**
     * @param isWatched becomes true once a trace source has a sink
     */
    void SetWatch(const std::shared_ptr<bool>& isWatched)
    {
        m_rateTrace.SetWatch(isWatched);
        m_windowTrace.SetWatch(isWatched);
    }

    /**
     * @return the rate, bit/s
     */
    double GetRate() const
    {
        return m_rate;
    }

    /**
     * @return the most bytes of payload that are not acknowledged
     */
    double GetWindow() const
    {
        return m_window;
    }

    /**
     * TracedCallback signature for a rate.
     *
     * @param rate the rate, bit/s
     */
    typedef void (*RateTracedCallback)(double rate);

  protected:
    /**
     * @param rate the rate, bit/s
     */
    void SetRate(double rate)
    {
        m_rate = rate;
        m_rateTrace(rate);
    }

    /**
     * @param window the window, bytes
     */
    void SetWindow(double window)
    {
        m_window = window;
        m_windowTrace(window);
    }

    /**
     * @return the path
     */
    const Path& GetPath() const
    {
        return m_path;
    }

    /**
     * @return the bytes that the path holds at its full rate
     */
    double GetPathBytes() const
    {
        return m_path.bitRate * static_cast<double>(m_path.roundTrip) / 8e12;
    }

  private:
    Path m_path;                                              //!< The path
    double m_rate{0};                                         //!< Rate, bit/s
    double m_window{std::numeric_limits<double>::infinity()}; //!< Window, bytes
    RdmaTrace<double> m_rateTrace;                            //!< The rate is set
    RdmaTrace<double> m_windowTrace;                          //!< The window is set
};

/**
 * @ingroup lightpath
 * @brief No congestion control: the rate of the card, which only pauses hold back.
 */
class LineRate : public RdmaCongestion
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint64_t CountSteady(int64_t time, int64_t interval, uint32_t bytes) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_CONGESTION_H */
