/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_ERROR_MODEL_H
#define OPTICAL_ERROR_MODEL_H

#include "ns3/error-model.h"
#include "ns3/optical-link.h"
#include "ns3/random-variable-stream.h"

#include <map>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Corrupts frames as often as the light of a path is too weak, and all of them where there
 * is no light.
 *
 * The probability follows from the light at the photodiode, the receiver, the code and the size of
 * the frame (ForwardErrorCorrection::GetFrameErrorRate()). It is computed once for each size.
 */
class OpticalErrorModel : public ErrorModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    OpticalErrorModel();

    /**
     * Set the light of a path, as after each change of circuits.
     *
     * @param link the transmitter and the receiver
     * @param signal the light at the photodiode; without power all frames are corrupt
     */
    void SetSignal(Ptr<const OpticalLink> link, const OpticalSignal& signal);

    /**
     * @param bytes the size of a frame
     * @return the probability that it is corrupt
     */
    double GetFrameErrorRate(uint32_t bytes) const;

    /**
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    Ptr<const OpticalLink> m_link;              //!< Transmitter and receiver, or null for no light
    double m_bitErrorRate{0.5};                 //!< Error rate of bits
    mutable std::map<uint32_t, double> m_rates; //!< Error rates of frames by size
    Ptr<UniformRandomVariable> m_random;        //!< Draws corrupt frames
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_ERROR_MODEL_H */
