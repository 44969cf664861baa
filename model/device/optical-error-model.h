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

#include <cstdint>
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
 *
 * A frame of error rate p has the exposure -ln(1 - p). A random number is drawn only after a loss:
 * the exposure until the next one, which has an exponential distribution with mean 1.
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
     * Set the error rate of bits, as of lanes that frames are striped over.
     *
     * @param link the transmitter and the receiver
     * @param bitErrorRate the error rate in front of the decoder, a mean over the lanes
     */
    void SetBitErrorRate(Ptr<const OpticalLink> link, double bitErrorRate);

    /**
     * @param bytes the size of a frame
     * @return the probability that it is corrupt
     */
    double GetFrameErrorRate(uint32_t bytes) const;

    /**
     * Draw which of some frames are corrupt, each independently of the others.
     *
     * @param frames the number of frames
     * @param bytes the size of each
     * @return the number of corrupt frames
     */
    uint32_t DrawCorrupt(uint32_t frames, uint32_t bytes)
    {
        const double exposure = GetExposure(bytes);
        if (frames == 1 && exposure < m_untilLoss)
        {
            m_untilLoss -= exposure;
            return 0;
        }
        return DrawCorrupt(frames, exposure);
    }

    /**
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    /**
     * @param bytes the size of a frame
     * @return its exposure to errors
     */
    double GetExposure(uint32_t bytes)
    {
        // Most frames of a path have the same size
        return bytes == m_recentBytes ? m_recentExposure : ComputeExposure(bytes);
    }

    /**
     * @param bytes the size of a frame
     * @return its exposure to errors, to be remembered
     */
    double ComputeExposure(uint32_t bytes);

    /**
     * Draw which of some frames are corrupt.
     *
     * @param frames the number of frames
     * @param exposure the exposure of each
     * @return the number of corrupt frames
     */
    uint32_t DrawCorrupt(uint32_t frames, double exposure);

    Ptr<const OpticalLink> m_link;              //!< Transmitter and receiver, or null for no light
    double m_bitErrorRate{0.5};                 //!< Error rate of bits
    mutable std::map<uint32_t, double> m_rates; //!< Error rates of frames by size
    uint32_t m_recentBytes{0};                  //!< Size of the recent frame; 0 if none
    double m_recentExposure{0};                 //!< Its exposure
    double m_untilLoss{-1};                     //!< Exposure until a loss; negative if not drawn
    Ptr<ExponentialRandomVariable> m_random;    //!< Draws the exposure until a loss
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_ERROR_MODEL_H */
