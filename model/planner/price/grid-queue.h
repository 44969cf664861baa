/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_QUEUE_H
#define GRID_QUEUE_H

#include <cstdint>
#include <deque>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The data that wait at a GPU of a grid for a destination, and the order of their frames.
 *
 * What is left of a frame that was begun comes first, then frames of other GPUs, then the GPU's own
 * messages, which are cut into frames (OddlFlowQueue).
 */
class GridQueue
{
  public:
    /// A frame, or a message before it is cut into frames.
    struct Part
    {
        uint32_t message{0}; //!< The message
        double bytes{0};     //!< Bytes left to send
        double all{0};       //!< Its size
        double frame{0};     //!< The most bytes of a frame of the message
    };

    /**
     * @return true if nothing waits
     */
    bool IsEmpty() const;

    /**
     * @return the bytes of all that waits
     */
    double GetBytes() const;

    /**
     * @param part what waits from now on
     * @param isForwarded whether it is a frame of another GPU
     */
    void Push(const Part& part, bool isForwarded);

    /**
     * @return the next frame, which no longer waits
     */
    Part Take();

    /**
     * @param frame what is left of a frame that was begun
     */
    void PutBack(const Part& frame);

    /**
     * Let the data wait for a transmitter.
     *
     * @return false if they do so already, or have one
     */
    bool Enlist();

    /**
     * Let the data have no transmitter.
     */
    void Dismiss();

  private:
    Part m_cut;                   //!< A frame that was begun; none if it has no bytes
    std::deque<Part> m_forwarded; //!< Frames of other GPUs, which come first
    std::deque<Part> m_own;       //!< Messages, in order
    double m_bytes{0};            //!< All of it
    bool m_isQueued{false};       //!< It waits for a transmitter, or has one
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_QUEUE_H */
