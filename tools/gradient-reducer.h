/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_GRADIENT_REDUCER_H
#define LIGHTPATH_GRADIENT_REDUCER_H

#include "ns3/callback.h"

#include <cstdint>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Averages the gradients of one server and all others, over a fabric.
 */
class GradientReducer
{
  public:
    virtual ~GradientReducer() = default;

    /**
     * Begin to average.
     *
     * @param values the gradient, in whose place the average goes; it must stay until then
     */
    virtual void Average(std::vector<float>& values) = 0;

    /**
     * @return the bytes that the server has sent, with all headers
     */
    virtual uint64_t GetSentBytes() const = 0;

    /**
     * @param callback what is called once the average is there
     */
    void SetDoneCallback(ns3::Callback<void> callback)
    {
        m_done = callback;
    }

  protected:
    /// Tell that the average is there.
    void NotifyDone()
    {
        m_done();
    }

  private:
    ns3::Callback<void> m_done; //!< Called once the average is there
};

#endif /* LIGHTPATH_GRADIENT_REDUCER_H */
